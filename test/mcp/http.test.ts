import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ModelRetry, Toolset } from "effect-toolset"
import * as McpToolset from "effect-toolset/McpToolset"
import { inspect } from "node:util"
import { listening } from "./listening.ts"
import { notebook, onNode, watchedCall } from "./serving.ts"

const withFetch = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, FetchHttpClient.layer)

const clients: Readonly<Record<string, Layer.Layer<HttpClient.HttpClient>>> = {
  fetch: FetchHttpClient.layer,
  "node:http": NodeHttpClient.layerNodeHttp
}

describe("a server over HTTP", { timeout: 60_000 }, () => {
  const kinds = [
    ["sdk-1.11", ""],
    ["sdk-1.17", ""],
    ["@modelcontextprotocol/sdk", ""],
    ["@modelcontextprotocol/sdk", "json"],
    ["sdk2", ""],
    ["sdk2-reject", ""]
  ] as const

  for (const [kind, word] of kinds) {
    it.live(`on ${kind} ${word} is listed and called, in whatever revision it speaks`, () =>
      onNode(
        Effect.gen(function* () {
          const { url } = yield* listening(kind, { word })
          for (const [name, client] of Object.entries(clients)) {
            const calls = Effect.gen(function* () {
              const session = yield* Toolset.open(McpToolset.http({ url }))
              assert.strictEqual(yield* session.call("add", { a: 1, b: 2 }), "3", name)
              assert.deepStrictEqual(yield* session.call("structured", {}), { city: "Rome" })
              const fails = yield* Effect.flip(session.call("fails", {}))
              assert.deepStrictEqual(fails, new ModelRetry({ message: "No such city.", reason: "body" }))
            })
            yield* Effect.provide(Effect.scoped(calls), client)
          }
        })
      )
    )
  }

  for (const kind of ["@modelcontextprotocol/sdk", "sdk2", "sdk2-reject"]) {
    for (const [name, client] of Object.entries(clients)) {
      it.live(`on ${kind} reports progress, through ${name}`, () =>
        onNode(
          Effect.gen(function* () {
            const { url } = yield* listening(kind)
            const { provided, seen } = watchedCall()
            const session = yield* Toolset.open(McpToolset.http({ url }))
            const slow = session.call("slow", { parts: 2 }).pipe(provided)
            assert.strictEqual(yield* slow, "done")
            assert.deepStrictEqual(seen, [
              { progress: 1, total: 2 },
              { progress: 2, total: 2 }
            ])
          }).pipe(Effect.provide(client))
        )
      )
    }
  }

  it.live(
    "that refuses a revision that it does not know, even to begin with, is spoken with in its own",
    () =>
      onNode(
        Effect.gen(function* () {
          const { url } = yield* listening("strict")
          assert.strictEqual(yield* Toolset.call(McpToolset.http({ url }), "ping", {}), "2025-06-18")
        }).pipe(withFetch)
      )
  )

  it.live("gets the headers that it needs, and they are hidden", () =>
    onNode(
      Effect.gen(function* () {
        const { url } = yield* listening("status=401")
        const headers = { authorization: Redacted.make("Bearer hunter2-hunter2") }
        const sent: Array<string | undefined> = []
        const transformClient = HttpClient.mapRequest((request) => {
          sent.push(request.headers.authorization)
          return request
        })
        const error = yield* Effect.flip(Toolset.list(McpToolset.http({ url, headers, transformClient })))
        assert.deepStrictEqual(sent, ["Bearer hunter2-hunter2"])
        assert.instanceOf(error, McpToolset.McpConnectionError)
        assert.deepStrictEqual(error.http, { status: 401, wwwAuthenticate: "Bearer", retryAfter: "7" })
        assert.notInclude(JSON.stringify(error), "hunter2")
      }).pipe(withFetch)
    )
  )

  for (const status of [404, 405]) {
    it.live(`that has only the older transport (${status}) says what to do`, () =>
      onNode(
        Effect.gen(function* () {
          const { url } = yield* listening(`status=${status}`)
          const error = yield* Effect.flip(Toolset.list(McpToolset.http({ url, id: "old" })))
          assert.instanceOf(error, McpToolset.McpConnectionError)
          assert.match(
            error.message,
            /^The MCP server 'old' cannot be used: MCP HTTP status 40.*McpSdk\.fromClient\.$/
          )
        }).pipe(withFetch)
      )
    )
  }

  it.live("that is not there is a typed failure, and nothing in it says what was sent", () =>
    Effect.gen(function* () {
      const url = Redacted.make("http://127.0.0.1:9/mcp?key=hunter2-hunter2")
      const headers = { "x-token": Redacted.make("hunter3-hunter3") }
      const error = yield* Effect.flip(Toolset.list(McpToolset.http({ url, headers })))
      assert.notMatch(inspect(error, { depth: 20, showHidden: true }), /hunter/)
      assert.instanceOf(error, McpToolset.McpConnectionError)
      assert.strictEqual(error.server, "127.0.0.1:9")
      assert.include(error.message, "MCP HTTP request failed")
      assert.notInclude(error.message, "hunter2")
    }).pipe(withFetch)
  )
})

describe("a server over HTTP that answers nonsense", { timeout: 60_000 }, () => {
  const problems = {
    html: /Unsupported MCP response Content-Type/,
    broken: /Invalid MCP JSON/,
    "other-id": /does not match/,
    unauthorized: /MCP HTTP status 401/,
    busy: /MCP HTTP status 503/
  }
  for (const [kind, problem] of Object.entries(problems)) {
    it.live(`(${kind}) fails the call, typed`, () =>
      onNode(
        Effect.gen(function* () {
          const { url } = yield* listening(kind)
          const error = yield* Effect.flip(Toolset.call(McpToolset.http({ url }), "ping", {}))
          assert.instanceOf(error, McpToolset.McpCallError)
          assert.match(error.problem, problem)
          if (kind === "busy") assert.deepInclude(error.http, { status: 503, retryAfter: "7" })
          if (kind === "unauthorized")
            assert.deepInclude(error.http, { status: 401, wwwAuthenticate: "Bearer" })
        }).pipe(withFetch)
      )
    )
  }

  it.live("(a stream without an answer) leaves it unknown whether the tool ran", () =>
    onNode(
      Effect.gen(function* () {
        const { url } = yield* listening("empty")
        const error = yield* Effect.flip(Toolset.call(McpToolset.http({ url }), "ping", {}))
        assert.instanceOf(error, McpToolset.McpOutcomeUnknown)
      }).pipe(withFetch)
    )
  )
})

describe("a server over HTTP that ends", { timeout: 60_000 }, () => {
  for (const word of ["404", "400"]) {
    it.live(`and is there again is connected anew, where it has forgotten the session (${word})`, () =>
      onNode(
        Effect.gen(function* () {
          const { lines, path } = yield* notebook
          const env = { CALLS: path }
          const first = yield* listening("@modelcontextprotocol/sdk", { word, env })
          const session = yield* Toolset.open(McpToolset.http({ url: first.url }))
          assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
          yield* first.stop
          yield* listening("@modelcontextprotocol/sdk", { word, env, port: first.port })
          // It cannot have been carried out, so it is made again although nothing says that it may be.
          assert.strictEqual(yield* session.call("files_read", {}), "files.read was called")
          assert.deepStrictEqual(yield* lines, ["files.read", "files.read"])
        }).pipe(withFetch)
      )
    )
  }

  it.live("during a call leaves the outcome unknown, but for a call that may be made again", () =>
    onNode(
      Effect.gen(function* () {
        const { url } = yield* listening("@modelcontextprotocol/sdk")
        const session = yield* Toolset.open(McpToolset.http({ url, id: "offer" }))
        const error = yield* Effect.flip(session.call("dies", {}))
        assert.instanceOf(error, McpToolset.McpOutcomeUnknown)
        const gone = yield* Effect.flip(session.call("add", { a: 1, b: 2 }))
        assert.instanceOf(gone, McpToolset.McpCallError)
        assert.include(gone.message, "it could not be connected again")
      }).pipe(withFetch)
    )
  )
})
