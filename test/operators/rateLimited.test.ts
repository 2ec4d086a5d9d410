import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { Toolset } from "effect-toolset"
import { answering, counting, failed, tag } from "./asking.ts"

const limiter = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))
const once = { limit: 1, window: "1 minute" } as const

describe("rateLimited", () => {
  it.effect("lets a call wait for its turn", () =>
    Effect.gen(function* () {
      const { calls, tool } = counting("a")
      const session = yield* Toolset.open(tool.pipe(Toolset.rateLimited({ limit: 2, window: "1 minute" })))
      const fiber = yield* Effect.forkChild(
        Effect.forEach([1, 2, 3], () => session.call("a", {}), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(calls.length, 2)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(fiber), [1, 2, 3])
    }).pipe(Effect.provide(limiter))
  )

  it.effect("fails at once where it is told to, for the failure policy to say what the model hears", () =>
    Effect.gen(function* () {
      const tools = answering("a").pipe(Toolset.rateLimited({ ...once, onExceeded: "fail" }))
      yield* Toolset.call(tools, "a", {})
      assert.strictEqual(yield* tag(Toolset.call(tools, "a", {})), "RateLimiterError")
      const told = tools.pipe(Toolset.catchTags({ RateLimiterError: "recover" }))
      assert.strictEqual(yield* failed(Toolset.call(told, "a", {})), "Rate limit exceeded")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Toolset.call(tools, "a", {}), "a")
    }).pipe(Effect.provide(limiter))
  )

  it.effect("shares a limit by key: the id or label of the toolset, or what is given", () =>
    Effect.gen(function* () {
      const options = { ...once, onExceeded: "fail" } as const
      const a = answering("a").pipe(Toolset.rateLimited(options))
      const b = answering("b").pipe(Toolset.rateLimited(options))
      yield* Toolset.call(a, "a", {})
      yield* Toolset.call(b, "b", {})
      const key = { ...options, key: "both" }
      yield* Toolset.call(answering("a").pipe(Toolset.rateLimited(key)), "a", {})
      assert.strictEqual(
        yield* tag(Toolset.call(answering("b").pipe(Toolset.rateLimited(key)), "b", {})),
        "RateLimiterError"
      )
      const withId = (name: string) =>
        answering(name).pipe(Toolset.withId("api"), Toolset.rateLimited(options))
      yield* Toolset.call(withId("a"), "a", {})
      assert.strictEqual(yield* tag(Toolset.call(withId("b"), "b", {})), "RateLimiterError")
    }).pipe(Effect.provide(limiter))
  )

  it.effect("can be provided with the limiter, which then is the toolset's own", () =>
    Effect.gen(function* () {
      const tools = answering("a").pipe(Toolset.rateLimited(once), Toolset.provide(limiter))
      assert.strictEqual(yield* Toolset.call(tools, "a", {}), "a")
      assert.strictEqual(yield* Toolset.call(tools, "a", {}), "a")
    })
  )
})
