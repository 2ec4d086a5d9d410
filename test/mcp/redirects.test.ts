/** A server that sends its clients elsewhere: what they carry is not for that. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"

const listening = (answer: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(answer).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`))

describe("a redirect of an MCP server", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it.live(`is not followed: ${status}`, () =>
      Effect.gen(function* () {
        let arrived = 0
        const elsewhere = yield* listening((_, response) => {
          arrived++
          response.end()
        })
        const url = yield* listening((_, response) => {
          response.writeHead(status, { location: elsewhere }).end()
        })
        const headers = { "x-key": Redacted.make("hunter2-hunter2") }
        const error = yield* Effect.flip(Toolset.list(McpToolset.http({ url, headers })))
        assert.strictEqual(error._tag, "McpConnectionError")
        assert.strictEqual(arrived, 0)
      }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
    )
  }
})
