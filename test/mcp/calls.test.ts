import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Schedule } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import { FetchHttpClient, HttpServerRequest } from "effect/http"
import { ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { listening } from "./listening.ts"
import { listening as serving, presented } from "./officially.ts"
import { notebook, onNode, raw, sdk1 } from "./serving.ts"

describe("calls to a server", { timeout: 60_000 }, () => {
  it.live("do not wait for one another", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const session = yield* Toolset.open(sdk1({ CALLS: path }))
        const hanging = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.forkChild(session.call("never", {}))
        )
        yield* Effect.repeat(lines, {
          until: (lines) => lines.filter((line) => line === "waiting").length === 20,
          schedule: Schedule.spaced("20 millis")
        })
        assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
        yield* Fiber.interruptAll(hanging)
      })
    )
  )

  it.live("of a tool that asks the user fail where nobody can be asked, and the connection stays", () =>
    onNode(
      Effect.gen(function* () {
        const session = yield* Toolset.open(McpToolset.stdio(raw()))
        const error = yield* Effect.flip(session.call("asks", {}))
        assert.instanceOf(error, ModelRetry)
        assert.include(error.message, "Nobody was asked")
        assert.strictEqual(yield* session.call("ping", {}), "pong")
      })
    )
  )

  it.live("with answers that do not fit cost themselves alone, over HTTP", () =>
    onNode(
      Effect.gen(function* () {
        const { url } = yield* listening("@modelcontextprotocol/sdk")
        const session = yield* Toolset.open(McpToolset.http({ url }))
        const error = yield* Effect.flip(session.call("huge", { megabytes: 17 }))
        assert.instanceOf(error, ToolFailed)
        assert.match(error.message, /^The result is too large/)
        assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  )

  it.live("carry the headers that the server's own tool asks for, whatever the tool is called here", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const registrations = Layer.effectDiscard(
          Effect.gen(function* () {
            const server = yield* McpServer.McpServer
            yield* server.addTool({
              tool: new McpSchema.Tool({
                name: "files.read",
                inputSchema: {
                  type: "object",
                  properties: { region: { type: "string", "x-mcp-header": "Region" } },
                  required: ["region"]
                }
              }),
              annotations: Context.empty(),
              handle: () =>
                Effect.map(
                  HttpServerRequest.HttpServerRequest,
                  ({ headers }) =>
                    new McpSchema.CallToolResult({
                      content: [{ type: "text", text: headers["mcp-param-region"] ?? "none" }]
                    })
                ) as Effect.Effect<McpSchema.CallToolResult>
            })
          })
        )
        const protocols = [McpProtocol.v2026_07_28] as const
        const url = yield* serving(McpServer.layerHttp({ ...presented, protocols, registrations }))
        const tools = McpToolset.http({ url }).pipe(Toolset.renamed({ read: "files_read" }))
        assert.strictEqual(yield* Toolset.call(tools, "read", { region: "north" }), "north")
      })
    ).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
