import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Ref, Schedule } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import { FetchHttpClient } from "effect/http"
import { ToolNameConflict, ToolReturn, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { call, listed, listening, official, official1, presented, text } from "./officially.ts"
import { tools as offer } from "./served/tools.ts"

describe("a toolset as an MCP server, from request to request", { timeout: 60_000 }, () => {
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
