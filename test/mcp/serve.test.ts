import { NodeHttpServer } from "@effect/platform-node"
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Ref, Schedule, type Scope } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
import { ModelRetry, ToolNameConflict, ToolReturn, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { createServer } from "node:http"
import { tools as offer } from "./served/tools.ts"
import { watchedCall } from "./serving.ts"

const presented = { name: "served", version: "1.0.0", path: "/mcp" } as const

/** A server on loopback, and where it is. */
const listening = <E>(routes: Layer.Layer<never, E, HttpRouter.HttpRouter>) =>
  Effect.gen(function* () {
    const server = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" }))
    )
    const { address } = Context.get(yield* Layer.build(server), HttpServer.HttpServer)
    return `${HttpServer.formatAddress(address)}/mcp`
  })

const closed = (client: { readonly close: () => Promise<void> }) => Effect.promise(() => client.close())

/** The official client, version 2, in one of its modes. */
const official = (mode: "legacy" | "auto", options?: ClientOptions) => (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" }, { ...options, versionNegotiation: { mode } })
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      return client
    }),
    closed
  )

/** The official client, version 1. */
const official1 = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client1({ name: "test", version: "1" })
      await client.connect(new Http1(new URL(url)))
      return client
    }),
    closed
  )

type AnyClient =
  | Effect.Success<ReturnType<typeof official1>>
  | Effect.Success<ReturnType<ReturnType<typeof official>>>

const clients: Readonly<Record<string, (url: string) => Effect.Effect<AnyClient, never, Scope.Scope>>> = {
  "the official client 1": official1,
  "the official client 2": official("legacy"),
  "the official client 2, in the newest revision": official("auto")
}

const call = (client: AnyClient, name: string, args: Record<string, unknown> = {}) =>
  Effect.promise(() => client.callTool({ name, arguments: args }) as Promise<Record<string, unknown>>)

const refusal = (client: AnyClient, name: string) =>
  Effect.promise(() =>
    client.callTool({ name, arguments: {} }).then(
      () => assert.fail("it was answered"),
      (error: { code: number; message: string }) => [error.code, error.message]
    )
  )

/** What the two SDKs agree on. */
interface Listed {
  readonly name: string
  readonly title?: string
  readonly inputSchema: { readonly required?: ReadonlyArray<string> }
  readonly outputSchema?: object
  readonly annotations?: object
}

const listed = (client: AnyClient) =>
  Effect.promise(async () => (await client.listTools()).tools as ReadonlyArray<Listed>)

const text = (text: string) => [{ type: "text", text }]

describe("a toolset as an MCP server", { timeout: 60_000 }, () => {
  for (const [name, connect] of Object.entries(clients)) {
    it.live(`is listed and called by ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const client = yield* connect(yield* listening(McpToolset.serveHttp(offer, presented)))
          assert.strictEqual(client.getServerVersion()?.name, "served")
          assert.strictEqual(client.getInstructions(), "Be kind.")
          const tools = yield* listed(client)
          const byName = new Map(tools.map((tool) => [tool.name, tool]))
          const expected = "weather list hello picture logs breaks dies hangs counts slow pay exchange one"
          assert.strictEqual(Array.from(byName.keys()).join(" "), expected)
          const weather = byName.get("weather")!
          assert.strictEqual(weather.title, "Weather")
          assert.deepStrictEqual(weather.inputSchema.required, ["city"])
          assert.deepInclude(weather.annotations, {
            readOnlyHint: true,
            destructiveHint: true,
            idempotentHint: false
          })
          // Only results that are objects have a schema that is told.
          assert.deepStrictEqual(
            tools.filter((tool) => tool.outputSchema !== undefined).map((tool) => tool.name),
            ["weather"]
          )

          const rome = yield* call(client, "weather", { city: "Rome" })
          assert.deepStrictEqual(rome.structuredContent, { name: "Rome", degrees: 20 })
          assert.deepStrictEqual(rome.content, text('{"name":"Rome","degrees":20}'))
          const list = yield* call(client, "list")
          assert.deepStrictEqual([list.content, list.structuredContent], [text("[1,2]"), undefined])
          const image = { type: "image", data: "AQID", mimeType: "image/png" }
          assert.deepStrictEqual((yield* call(client, "picture")).content, [...text("Look:"), image])
          assert.deepStrictEqual((yield* call(client, "logs")).content, text("logged"))
        })
      )
    )

    it.live(`keeps the outcomes apart, for ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const client = yield* connect(yield* listening(McpToolset.serveHttp(offer, presented)))
          const retry = yield* call(client, "weather", { city: "Atlantis" })
          assert.deepInclude(retry, {
            isError: true,
            content: text("There is no such city.\n\nFix the errors and try again.")
          })
          const failed = yield* call(client, "weather", { city: "Oz" })
          assert.deepInclude(failed, { isError: true, content: text("Oz is closed.") })
          const invalid = yield* call(client, "weather", { city: 1 })
          assert.isTrue(invalid.isError)
          assert.include(JSON.stringify(invalid.content), "Expected string")
          for (const fatal of ["breaks", "dies"]) {
            const [code, message] = yield* refusal(client, fatal)
            assert.strictEqual(code, -32603)
            assert.match(String(message), /Internal error$/)
          }
          assert.deepStrictEqual((yield* call(client, "hello")).content, text("hello"))
          for (const none of ["elsewhere", "nothing"]) {
            const [code, message] = yield* refusal(client, none)
            assert.strictEqual(code, -32602)
            assert.match(String(message), new RegExp(`Tool '${none}' not found`))
          }
        })
      )
    )

    it.live(`exchanges tools, and says so, for ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const client = yield* connect(yield* listening(McpToolset.serveHttp(offer, presented)))
          assert.strictEqual((yield* refusal(client, "two"))[0], -32602)
          yield* call(client, "exchange")
          assert.strictEqual((yield* refusal(client, "one"))[0], -32602)
          assert.deepStrictEqual((yield* call(client, "two")).content, text("two"))
          const tools = yield* listed(client)
          const names = tools.map((tool) => tool.name)
          assert.include(names, "two")
          assert.notInclude(names, "one")
        })
      )
    )
  }

  for (const protocol of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const) {
    it.live(`and back again is the toolset that it was, in revision ${protocol}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* listening(McpToolset.serveHttp(offer, presented))
          const session = yield* Toolset.open(McpToolset.http({ url, protocol }))
          assert.deepStrictEqual(yield* session.call("weather", { city: "Rome" }), {
            name: "Rome",
            degrees: 20
          })
          assert.deepStrictEqual(yield* session.call("list", {}), [1, 2])
          assert.instanceOf(yield* Effect.flip(session.call("weather", { city: "Atlantis" })), ModelRetry)
          const { provided, seen } = watchedCall()
          assert.strictEqual(yield* session.call("counts", {}).pipe(provided), "counted")
          assert.deepStrictEqual(seen, [
            { progress: 1, total: 2 },
            { progress: 2, total: 2 }
          ])
          const asked = yield* Effect.flip(session.call("pay", { amount: 50 }))
          assert.strictEqual(
            (asked as ModelRetry).message,
            "The call waits for an approval. Nobody can be asked here."
          )
        })
      ).pipe(Effect.provide(FetchHttpClient.layer))
    )
  }

  for (const mode of ["legacy", "auto"] as const) {
    it.live(`asks whoever sits before the client for approval (${mode})`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const questions: Array<string> = []
          const answers = [
            { action: "accept", content: { approve: true } },
            { action: "accept", content: { approve: false } },
            { action: "decline" },
            { action: "cancel" }
          ] as const
          const url = yield* listening(McpToolset.serveHttp(offer, presented))
          const client = yield* official(mode, { capabilities: { elicitation: {} } })(url)
          client.setRequestHandler("elicitation/create", async ({ params }) => {
            questions.push(params.message)
            return answers[questions.length - 1]!
          })
          assert.deepStrictEqual((yield* call(client, "pay", { amount: 5 })).content, text("paid 5"))
          assert.lengthOf(questions, 0)
          assert.deepStrictEqual((yield* call(client, "pay", { amount: 50 })).content, text("paid 50"))
          for (let i = 1; i < answers.length; i++) {
            const refused = yield* call(client, "pay", { amount: 50 })
            assert.deepInclude(refused, { isError: true, content: text("The call was not approved.") })
          }
          assert.lengthOf(questions, 4)
          assert.strictEqual(questions[0], `May the tool 'pay' be called with this?\n{\n  "amount": 50\n}`)
        })
      )
    )
  }

  it.live("is spoken with by effect's client where it speaks only the newest revision", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const registrations = Layer.effectDiscard(
          Effect.flatMap(McpServer.McpServer, (server) =>
            server.addTool({
              tool: new McpSchema.Tool({ name: "echo", inputSchema: { type: "object" } }),
              annotations: Context.empty(),
              handle: () =>
                Effect.succeed(new McpSchema.CallToolResult({ content: [{ type: "text", text: "echo" }] }))
            })
          )
        )
        const protocols = [McpProtocol.v2026_07_28] as const
        const url = yield* listening(McpServer.layerHttp({ ...presented, protocols, registrations }))
        assert.strictEqual(yield* Toolset.call(McpToolset.http({ url }), "echo", {}), "echo")
      })
    ).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.live("knows for whom it works, request by request", () =>
    Effect.scoped(
      Effect.gen(function* () {
        class User extends Context.Service<User, { readonly name: string }>()("User") {}
        const middleware = McpServer.middleware<{ provides: User }>()((effect, { headers }) =>
          Effect.provideService(effect, User, { name: headers["x-user"] ?? "nobody" })
        )
        const whoami = Toolset.tool("whoami", { handler: () => Effect.map(User, ({ name }) => name) })
        const url = yield* listening(McpToolset.serveHttp(whoami, { ...presented, middleware }))
        for (const user of ["ada", "bob"]) {
          const mine = McpToolset.http({ url, headers: { "x-user": user } })
          assert.strictEqual(yield* Toolset.call(mine, "whoami", {}), user)
        }
      })
    ).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.live("keeps what it announced: a result that does not fit is a failed one", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const changed = offer.pipe(
          Toolset.wrapper((call, next) =>
            Effect.map(next(call), (result) => new ToolReturn({ ...result, value: { odd: 1 } }))
          )
        )
        const client = yield* official1(yield* listening(McpToolset.serveHttp(changed, presented)))
        yield* Effect.promise(() => client.listTools())
        const odd = yield* call(client, "weather", { city: "Rome" })
        const sentence = "The tool gave a result that does not fit its own description."
        assert.deepInclude(odd, { isError: true, content: text(sentence) })
        assert.deepStrictEqual((yield* call(client, "hello")).structuredContent, { odd: 1 })
      })
    )
  )

  it.live("may begin with no tools", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const later = yield* Ref.make<Toolset.Toolset | undefined>(undefined)
        const client = yield* official1(
          yield* listening(McpToolset.serveHttp(Toolset.dynamic(Ref.get(later)), presented))
        )
        assert.deepStrictEqual(yield* listed(client), [])
        yield* Ref.set(later, Toolset.tool("hello", { handler: () => Effect.succeed("hello") }))
        yield* listed(client)
        assert.deepStrictEqual(
          (yield* listed(client)).map(({ name }) => name),
          ["hello"]
        )
        assert.deepStrictEqual((yield* call(client, "hello")).content, text("hello"))
      })
    )
  )

  /** A client that hears of changes, and how many there were. */
  const hearing = Effect.fnUntraced(function* (toolset: Toolset.Toolset<"secret reason">) {
    const changes: Array<unknown> = []
    const onChanged = (error: unknown) => void changes.push(error)
    const listChanged = { tools: { autoRefresh: false, debounceMs: 0, onChanged } }
    const url = yield* listening(McpToolset.serveHttp(toolset, presented))
    return { changes, client: yield* official("auto", { listChanged })(url) }
  })

  it.live("announces that tools were exchanged", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { changes, client } = yield* hearing(offer)
        yield* listed(client)
        yield* call(client, "exchange")
        yield* Effect.repeat(Effect.succeed(changes), {
          until: (changes) => changes.length > 0,
          schedule: Schedule.spaced("20 millis")
        })
        assert.isNull(changes[0])
      })
    )
  )

  it.live("announces no change where there is none, though its tools are made anew each time", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const made = Toolset.dynamic(
          Effect.sync(() => Toolset.tool("hello", { handler: () => Effect.succeed("hello") }))
        )
        const exchange = Toolset.filtered(offer, ({ name }) => ["exchange", "one", "two"].includes(name))
        const { changes, client } = yield* hearing(Toolset.combined(made, exchange))
        yield* listed(client)
        yield* call(client, "hello")
        yield* call(client, "hello")
        // What is announced arrives in order: this is the first that is.
        yield* call(client, "exchange")
        yield* Effect.repeat(Effect.succeed(changes), {
          until: (changes) => changes.length > 0,
          schedule: Schedule.spaced("20 millis")
        })
        // One for the tool that came, one for the tool that has gone.
        assert.isAtMost(changes.length, 2)
      })
    )
  )

  it.effect("is not there where its tools cannot be told apart", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const twice = Toolset.combined(offer, offer)
        const error = yield* Effect.flip(listening(McpToolset.serveHttp(twice, presented)))
        assert.instanceOf(error, ToolNameConflict)
      })
    )
  )
})
