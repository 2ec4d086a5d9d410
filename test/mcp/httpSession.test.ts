import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ModelRetry, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { listening } from "./listening.ts"
import { notebook, onNode } from "./serving.ts"
import { until } from "./until.ts"

const withFetch = Effect.provide(FetchHttpClient.layer)
const sdk1 = "@modelcontextprotocol/sdk"

/** A server that writes down what happens to it. */
const noting = Effect.gen(function* () {
  const { lines, path } = yield* notebook
  const { url } = yield* listening(sdk1, { env: { CALLS: path, ENDS: "noted" } })
  return { url, noted: (word: string) => Effect.map(lines, (lines) => lines.includes(word)) }
})

describe("a session over HTTP", { timeout: 60_000 }, () => {
  it.live("ends with its toolset, and the server is told", () =>
    onNode(
      Effect.gen(function* () {
        const { noted, url } = yield* noting
        yield* Effect.scoped(
          Effect.gen(function* () {
            const session = yield* Toolset.open(McpToolset.http({ url }))
            yield* session.call("add", { a: 1, b: 2 })
            assert.isFalse(yield* noted("DELETE"))
          })
        )
        yield* until(noted("DELETE"))
      }).pipe(withFetch)
    )
  )

  for (const protocol of ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const) {
    it.live(`is in revision ${protocol} where that is asked for`, () =>
      onNode(
        Effect.gen(function* () {
          const { url } = yield* listening("sdk2")
          const said: Array<string | undefined> = []
          const transformClient = HttpClient.mapRequest((request) => {
            said.push(request.headers["mcp-protocol-version"])
            return request
          })
          const session = yield* Toolset.open(McpToolset.http({ url, protocol, transformClient }))
          assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3")
          assert.strictEqual(said.at(-1), protocol)
        }).pipe(withFetch)
      )
    )
  }

  it.live("that is not begun in time is a typed failure", () =>
    onNode(
      Effect.gen(function* () {
        const { url } = yield* listening("mute")
        const mute = McpToolset.http({ url, id: "mute", connectTimeout: "300 millis" })
        const error = yield* Effect.flip(Toolset.list(mute))
        assert.instanceOf(error, McpToolset.McpConnectionError)
        assert.strictEqual(
          error.message,
          "The MCP server 'mute' cannot be used: it did not answer within 300ms."
        )
      }).pipe(withFetch)
    )
  )

  it.live("goes on after a call that is not answered in time, of which the server is told", () =>
    onNode(
      Effect.gen(function* () {
        const { noted, url } = yield* noting
        const toolset = McpToolset.http({ url }).pipe(Toolset.timeout("1 second"))
        const session = yield* Toolset.open(toolset)
        const error = yield* Effect.flip(session.call("never", {}))
        assert.deepStrictEqual(
          error,
          new ModelRetry({ message: "Timed out after 1 second.", reason: "timeout" })
        )
        yield* until(noted("aborted"))
        assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
      }).pipe(withFetch)
    )
  )

  it.live("goes on after a call that was interrupted, of which the server is told", () =>
    onNode(
      Effect.gen(function* () {
        const { noted, url } = yield* noting
        const session = yield* Toolset.open(McpToolset.http({ url }))
        const call = yield* Effect.forkChild(session.call("never", {}))
        yield* until(noted("waiting"))
        yield* Fiber.interrupt(call)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(call)))
        yield* until(noted("aborted"))
        assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
      }).pipe(withFetch)
    )
  )

  it.live("that is lost during a call that does no harm is begun again, and the call made again", () =>
    onNode(
      Effect.gen(function* () {
        const { lines, path } = yield* notebook
        const env = { CALLS: path, MARK: `${path}.mark` }
        const first = yield* listening(sdk1, { env, word: "json" })
        const services = yield* Effect.context<Effect.Services<ReturnType<typeof listening>>>()
        // It is there again as soon as its end was noticed.
        const again = listening(sdk1, { env, word: "json", port: first.port }).pipe(
          Effect.provideContext(services)
        )
        const transformClient = (client: HttpClient.HttpClient) => HttpClient.tapError(client, () => again)
        const session = yield* Toolset.open(McpToolset.http({ url: first.url, transformClient }))
        assert.strictEqual(yield* session.call("dies_once", {}), "back again")
        assert.deepStrictEqual(yield* lines, ["dies_once", "dies_once"])
      }).pipe(withFetch)
    )
  )
})
