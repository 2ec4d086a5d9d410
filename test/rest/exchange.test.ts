/** Answers of a real server, and what becomes of them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"
import { ToolFailed } from "effect-toolset"
import type { ConnectOptions } from "../../src/rest/connect.ts"
import { asking, failing, real } from "./asking.ts"
import { recording } from "./server.ts"

const transient = [408, 429, 500, 502, 503, 504]
const permanent = [300, 302, 304, 400, 401, 403, 404, 405, 409, 410, 418, 422, 451, 501, 505, 599]

describe("a success", () => {
  real("is what is read of it", () =>
    Effect.gen(function* () {
      for (const status of [200, 201, 203, 299]) {
        const { asked, seen } = yield* asking(() => ({ status, body: "hello" }))
        assert.strictEqual(yield* asked, "hello")
        assert.deepStrictEqual(
          seen.map(({ method, url }) => `${method} ${url}`),
          ["GET /users/7"]
        )
      }
    })
  )

  real("that is not what was declared is told to the model", () =>
    Effect.gen(function* () {
      const error = yield* failing(() => ({ body: "bad" }))
      assert.instanceOf(error, ToolFailed)
      assert.strictEqual(
        error.message,
        "GET /users/:id returned 200, but not what the API declares: it is bad"
      )
    })
  )

  real("with an empty body is empty", () =>
    Effect.gen(function* () {
      const { asked } = yield* asking(() => ({ status: 204 }))
      assert.strictEqual(yield* asked, "")
    })
  )
})

describe("a failing status", () => {
  real("in `retryOn` asks the model to try again, and any other is told to it", () =>
    Effect.gen(function* () {
      for (const status of [...transient, ...permanent]) {
        const error = yield* failing(() => ({ status, body: status === 304 ? "" : "not now" }))
        assert.strictEqual(
          (error as ToolFailed)._tag,
          transient.includes(status) ? "ModelRetry" : "ToolFailed"
        )
        assert.strictEqual(
          error.message,
          `GET /users/:id returned ${status}${status === 304 ? "." : ": not now"}`
        )
      }
    })
  )

  real("is in `retryOn` as the options say", () =>
    Effect.gen(function* () {
      const tagOf = (status: number, retryOn: ReadonlyArray<number>) =>
        Effect.map(
          failing(() => ({ status }), { retryOn }),
          (error) => error._tag
        )
      assert.strictEqual(yield* tagOf(503, [429, 503]), "ModelRetry")
      assert.strictEqual(yield* tagOf(500, [429, 503]), "ToolFailed")
      assert.strictEqual(yield* tagOf(503, []), "ToolFailed")
      assert.strictEqual(yield* tagOf(404, [404]), "ModelRetry")
    })
  )

  real("is judged by a policy", () =>
    Effect.gen(function* () {
      const tagOf = (status: number, onError: ConnectOptions<"retry" | "recover" | "fail">["onError"]) =>
        Effect.map(
          failing(() => ({ status }), { onError }),
          (error) => error._tag
        )
      assert.strictEqual(yield* tagOf(503, "fail"), "HttpClientError")
      assert.strictEqual(yield* tagOf(404, "fail"), "ToolFailed")
      assert.strictEqual(yield* tagOf(503, "recover"), "ToolFailed")
      assert.strictEqual(yield* tagOf(404, "recover"), "ToolFailed")
      assert.strictEqual(yield* tagOf(404, ({ status }) => (status === 404 ? "retry" : "fail")), "ModelRetry")
      assert.strictEqual(
        yield* tagOf(500, ({ status }) => (status === 404 ? "retry" : "fail")),
        "HttpClientError"
      )
    })
  )

  real("that stays in `E` keeps its response, and says no more than the model reads", () =>
    Effect.gen(function* () {
      const error = yield* failing(() => ({ status: 503, headers: { "retry-after": "7" }, body: "down" }), {
        onError: "fail"
      })
      assert.instanceOf(error, HttpClientError.HttpClientError)
      assert.strictEqual(error.message, "StatusCode: down (503 GET /users/:id)")
      assert.strictEqual(error.response?.headers["retry-after"], "7")
      assert.isTrue(HttpClient.isTransientError(error))
    })
  )

  real("says how long to wait, and shows a bounded piece of its body", () =>
    Effect.gen(function* () {
      const waiting = yield* failing(() => ({
        status: 429,
        headers: { "retry-after": "1" },
        body: " slow down \n"
      }))
      assert.strictEqual(waiting.message, "GET /users/:id returned 429 (retry after 1 second): slow down")
      const long = yield* failing(() => ({ status: 400, body: "é😀".repeat(10_000) }))
      assert.isBelow(long.message.length, 560)
      assert.isTrue(long.message.isWellFormed())
      assert.match(long.message, /…$/)
      const binary = yield* failing(() => ({ status: 500, body: new Uint8Array([0xff, 0xfe, 0, 1]) }))
      assert.match(binary.message, /^GET \/users\/:id returned 500: /)
    })
  )

  real("is one also where the rest of its body does not arrive", () =>
    Effect.gen(function* () {
      for (const [status, tag] of [
        [404, "ToolFailed"],
        [503, "ModelRetry"]
      ] as const) {
        const error = yield* failing(() => ({ status, cut: true }))
        assert.strictEqual(String(error), `${tag}: GET /users/:id returned ${status}.`)
      }
    })
  )

  real("that a transform of the client made a failure of is still a status", () =>
    Effect.gen(function* () {
      const error = yield* failing(() => ({ status: 404, body: "gone" }), {
        transformClient: HttpClient.filterStatusOk
      })
      assert.strictEqual(String(error), "ToolFailed: GET /users/:id returned 404: gone")
    })
  )
})

describe("a redirect", () => {
  real("is not followed, whatever it carries", () =>
    Effect.gen(function* () {
      const elsewhere = yield* recording(() => ({ body: "caught" }))
      for (const status of [301, 302, 303, 307, 308]) {
        for (const method of ["GET", "POST"] as const) {
          const error = yield* failing(
            () => ({ status, headers: { location: elsewhere.baseUrl } }),
            { headers: { "x-api-key": "secret" } },
            method
          )
          assert.strictEqual(String(error), `ToolFailed: ${method} /users/:id returned ${status}.`)
        }
      }
      assert.deepStrictEqual(elsewhere.seen, [])
    })
  )

  it.live("is not followed, and a transform may configure fetch", () =>
    Effect.gen(function* () {
      const elsewhere = yield* recording(() => ({ body: "caught" }))
      const init = { redirect: "follow", headers: { "x-mine": "kept" } } as const
      const { asked, seen } = yield* asking(
        () => ({ status: 302, headers: { location: elsewhere.baseUrl } }),
        {
          transformClient: HttpClient.transformResponse(
            Effect.provideService(FetchHttpClient.RequestInit, init)
          )
        }
      )
      assert.strictEqual((yield* Effect.flip(asked))._tag, "ToolFailed")
      assert.deepStrictEqual(elsewhere.seen, [])
      assert.strictEqual(seen[0]?.headers["x-mine"], "kept")
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  real("is followed where a transform of the client does", () =>
    Effect.gen(function* () {
      const { asked, seen } = yield* asking(
        ({ url }) =>
          url === "/users/7" ? { status: 302, headers: { location: "/there" } } : { body: "there" },
        { transformClient: HttpClient.followRedirects(3) }
      )
      assert.strictEqual(yield* asked, "there")
      assert.deepStrictEqual(
        seen.map(({ url }) => url),
        ["/users/7", "/there"]
      )
    })
  )

  it.live("is not followed when the application configures fetch", () =>
    Effect.gen(function* () {
      const elsewhere = yield* recording(() => ({ body: "caught" }))
      const { asked, seen } = yield* asking(() => ({ status: 302, headers: { location: elsewhere.baseUrl } }))
      const init = { redirect: "follow", headers: { "x-mine": "kept" } } as const
      const error = yield* Effect.flip(Effect.provideService(asked, FetchHttpClient.RequestInit, init))
      assert.strictEqual(error._tag, "ToolFailed")
      assert.deepStrictEqual(elsewhere.seen, [])
      assert.strictEqual(seen[0]?.headers["x-mine"], "kept")
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )
})
