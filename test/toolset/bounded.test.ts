import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { bounded, notPositive, positive } from "../../src/toolset/bounded.ts"
import { retry } from "./asking.ts"

describe("what takes too long", () => {
  const texts: ReadonlyArray<[limit: Duration.Input, text: string]> = [
    ["100 millis", "Timed out after 0.1 seconds."],
    ["1 second", "Timed out after 1 second."],
    [1500, "Timed out after 1.5 seconds."],
    ["2 minutes", "Timed out after 120 seconds."]
  ]
  for (const [limit, text] of texts) {
    it.effect(`is told in seconds: "${text}" (P82)`, () =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(retry(bounded(Effect.never, Duration.fromInputUnsafe(limit))))
        yield* TestClock.adjust(limit)
        assert.deepStrictEqual(yield* Fiber.join(fiber), ["timeout", text])
      })
    )
  }

  it.effect("is what has not ended when the time is up, and nothing sooner", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(bounded(Effect.never, Duration.seconds(2)))
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.isDefined(fiber.pollUnsafe())
    })
  )

  it("is never what has ended already", () => {
    const ended = Exit.succeed(1)
    assert.strictEqual(bounded(ended, Duration.seconds(1)), ended as unknown)
  })
})

describe("a limit", () => {
  const limits: ReadonlyArray<Duration.Input> = [
    1,
    "1 nano",
    1n,
    [0, 1],
    { milliseconds: 1 },
    Duration.infinity,
    Infinity
  ]
  for (const limit of limits) {
    it(`may be ${Duration.format(Duration.fromInputUnsafe(limit))}`, () => assert.isDefined(positive(limit)))
  }

  const none: ReadonlyArray<[what: string, limit: any, named: string]> = [
    ["zero", 0, "0"],
    ["negative", -1, "-1"],
    ["a negative text", "-3 seconds", `"-3 seconds"`],
    ["a text of zero", "0 millis", `"0 millis"`],
    ["no duration at all", "soon", `"soon"`],
    ["zero nanoseconds", 0n, "0"],
    ["negative nanoseconds", -5n, "-5"],
    ["no number", Number.NaN, "NaN"],
    ["negative and infinite", Number.NEGATIVE_INFINITY, "-Infinity"],
    ["an object of zero", { seconds: 0 }, `{"seconds":0}`],
    ["a duration of zero", Duration.zero, "0"]
  ]
  for (const [what, limit, named] of none) {
    it(`cannot be ${what}, and the text names it (P87)`, () => {
      assert.isUndefined(positive(limit))
      assert.deepStrictEqual(notPositive(limit), {
        problem: `The timeout is ${named}.`,
        hint: "Give a positive duration, or none for no timeout."
      })
    })
  }
})
