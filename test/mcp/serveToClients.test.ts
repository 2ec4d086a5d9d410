import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, type JsonSchema, Schema } from "effect"
import { Tool } from "effect/ai"
import { ToolCall, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { clients, listed, listening, presented } from "./officially.ts"

/** As no schema of ours would be written. */
const raw: JsonSchema.JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { root: { $ref: "#/$defs/Node" }, mode: { enum: ["a", "b"], default: "a" } },
  required: ["root"],
  additionalProperties: false,
  $defs: {
    Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } }, additionalProperties: false }
  }
}

/** Version 1 takes a schema of results first. */
const callWith = (name: string, client: any, params: object, options: object): Promise<unknown> =>
  name.endsWith("1") ? client.callTool(params, undefined, options) : client.callTool(params, options)

describe("a toolset as an MCP server, for official clients", { timeout: 60_000 }, () => {
  for (const [name, connect] of Object.entries(clients)) {
    it.live(`has schemas and metadata that arrive as they are, with ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const tools = Toolset.tool("walk", {
            handler: () => Effect.void,
            annotations: Context.make(Tool.Meta, { team: "maps" }) as Context.Context<never>
          }).pipe(Toolset.prepared((all) => all.map((tool) => ({ ...tool, parameters: raw }))))
          const client = yield* connect(yield* listening(McpToolset.serveHttp(tools, presented)))
          const [walk] = yield* listed(client)
          assert.deepStrictEqual(walk!.inputSchema as unknown, raw)
          assert.deepInclude(walk!._meta, { team: "maps" })
          assert.deepStrictEqual(walk!.annotations, {
            readOnlyHint: false,
            destructiveHint: true,
            idempotentHint: false,
            openWorldHint: true
          })
        })
      )
    )

    it.live(`is interrupted where a call is cancelled, by ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const started = yield* Deferred.make<void>()
          const interrupted = yield* Deferred.make<void>()
          const tools = Toolset.tool("hangs", {
            handler: () =>
              Deferred.succeed(started, undefined).pipe(
                Effect.andThen(Effect.never),
                Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
              )
          })
          const client = yield* connect(yield* listening(McpToolset.serveHttp(tools, presented)))
          const cancelling = new AbortController()
          const call = callWith(name, client, { name: "hangs", arguments: {} }, { signal: cancelling.signal })
          const ended = call.then(
            () => "answered",
            () => "cancelled"
          )
          yield* Deferred.await(started)
          cancelling.abort()
          yield* Deferred.await(interrupted)
          assert.strictEqual(yield* Effect.promise(() => ended), "cancelled")
        })
      )
    )

    it.live(`tells its progress to ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const tools = Toolset.tool("counts", {
            parameters: Schema.Struct({ to: Schema.Int }),
            handler: ({ to }) =>
              Effect.gen(function* () {
                const { progress } = yield* ToolCall
                for (let i = 1; i <= to; i++)
                  yield* progress({ progress: i, total: to, message: `${i} of ${to}` })
                return "counted"
              })
          })
          const client = yield* connect(yield* listening(McpToolset.serveHttp(tools, presented)))
          const seen: Array<unknown> = []
          const options = { onprogress: (progress: unknown) => void seen.push(progress) }
          yield* Effect.promise(() =>
            callWith(name, client, { name: "counts", arguments: { to: 2 } }, options)
          )
          assert.deepStrictEqual(seen, [
            { progress: 1, total: 2, message: "1 of 2" },
            { progress: 2, total: 2, message: "2 of 2" }
          ])
        })
      )
    )
  }

  it.live("says of progress what can be said", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const endless: { own?: unknown } = {}
        endless.own = endless
        const values = [
          0.5,
          Number.NaN,
          undefined,
          { progress: Infinity, total: 2 },
          "half",
          1n,
          endless,
          { at: 6 }
        ]
        const tools = Toolset.tool("counts", {
          handler: () =>
            Effect.gen(function* () {
              const { progress } = yield* ToolCall
              for (const value of values) yield* progress(value)
              return "counted"
            })
        })
        const name = "the official client 1"
        const client = yield* clients[name]!(yield* listening(McpToolset.serveHttp(tools, presented)))
        const seen: Array<unknown> = []
        const options = { onprogress: (progress: unknown) => void seen.push(progress) }
        yield* Effect.promise(() => callWith(name, client, { name: "counts", arguments: {} }, options))
        assert.deepStrictEqual(seen, [
          { progress: 0.5 },
          { progress: 2 },
          { progress: 3 },
          { progress: 4 },
          { progress: 5, message: "half" },
          { progress: 6 },
          { progress: 7 },
          { progress: 8, message: '{"at":6}' }
        ])
      })
    )
  )

  it.live("answers pages of other origins only where they are allowed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const tools = Toolset.tool("hello", { handler: () => Effect.succeed("hello") })
        const options = { ...presented, allowedOrigins: ["https://app.example.com"] }
        const url = yield* listening(McpToolset.serveHttp(tools, options))
        const statusFor = (origin: string | undefined) =>
          Effect.promise(async () => {
            const clientInfo = { name: "t", version: "1" }
            const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
            const response = await fetch(url, {
              method: "POST",
              headers: {
                "content-type": "application/json",
                accept: "application/json, text/event-stream",
                ...(origin === undefined ? {} : { origin })
              },
              body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })
            })
            await response.text()
            return response.status
          })
        assert.strictEqual(yield* statusFor(undefined), 200)
        assert.strictEqual(yield* statusFor("https://app.example.com"), 200)
        assert.strictEqual(yield* statusFor("https://evil.example.com"), 403)
      })
    )
  )
})
