/** Requests that nobody answers, or not in time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"
import { TestClock } from "effect/testing"
import { ToolFailed } from "effect-toolset"
import { asking, failing, real } from "./asking.ts"
import { recording } from "./server.ts"

describe("no answer", () => {
  const message = "GET /users/:id got no answer: the connection failed."

  real("is told to the model: a connection that is closed, before the answer or in the middle of it", () =>
    Effect.gen(function* () {
      for (const answer of ["hang up", "half"] as const) {
        const error = yield* failing(() => answer)
        assert.instanceOf(error, ToolFailed)
        assert.strictEqual(error.message, message)
      }
    })
  )

  real("is told to the model: nobody listens", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Effect.scoped(recording(() => "hang"))
      const error = yield* failing(() => "hang", { baseUrl })
      assert.strictEqual(String(error), `ToolFailed: ${message}`)
    })
  )

  real("stays in `E` where the policy says so, without a word of where it was sent", () =>
    Effect.gen(function* () {
      const error = yield* failing(() => "hang up", { onError: "fail" })
      assert.instanceOf(error, HttpClientError.HttpClientError)
      assert.strictEqual(error.message, "Transport: the connection failed (GET /users/:id)")
      assert.isTrue(HttpClient.isTransientError(error))
    })
  )

  real("is no request: a path without a base URL", () =>
    Effect.gen(function* () {
      const error = yield* failing(() => "hang", { baseUrl: undefined })
      assert.strictEqual(String(error), "ToolFailed: GET /users/:id was not sent: its URL is not valid.")
    })
  )

  real("that is no request is nothing that goes away", () =>
    Effect.gen(function* () {
      const error = yield* failing(() => "hang", {
        baseUrl: undefined,
        onError: ({ isTransient, reason }) => (reason === "request" && !isTransient ? "fail" : "recover")
      })
      assert.instanceOf(error, HttpClientError.HttpClientError)
      assert.strictEqual(error.reason._tag, "InvalidUrlError")
      assert.isFalse(HttpClient.isTransientError(error))
    })
  )

  for (const answer of ["hang", "stall"] as const) {
    it.effect(`in time is told to the model (${answer})`, () =>
      Effect.gen(function* () {
        const { asked } = yield* asking(() => answer, { timeout: "30 seconds" })
        const fiber = yield* Effect.forkChild(Effect.flip(asked))
        yield* TestClock.adjust("29 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(String(error), "ToolFailed: GET /users/:id got no answer within 30 seconds.")
      }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
    )
  }

  it.effect("in time is judged by a policy", () =>
    Effect.gen(function* () {
      const tags: Array<string> = []
      for (const onError of ["fail", "recover", () => "retry" as const] as const) {
        const { asked } = yield* asking(() => "hang", { timeout: "1 second", onError })
        const fiber = yield* Effect.forkChild(Effect.flip(asked))
        yield* TestClock.adjust("1 second")
        const error = yield* Fiber.join(fiber)
        tags.push(error._tag === "ModelRetry" ? `${error._tag}: ${error.reason}` : error._tag)
      }
      assert.deepStrictEqual(tags, ["HttpClientError", "ToolFailed", "ModelRetry: timeout"])
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )
})
