import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ToolCall, Toolset } from "effect-toolset"
import { answering, asCall, first, flaw } from "./asking.ts"

const retrying = (maxRetries?: number) =>
  Toolset.tool("t", {
    maxRetries,
    handler: () =>
      Effect.map(ToolCall, ({ attempt, lastAttempt, maxRetries }) => [attempt, maxRetries, lastAttempt])
  })

describe("withMaxRetries", () => {
  it.effect("is the budget of every tool that says nothing of its own", () =>
    Effect.gen(function* () {
      const both = Toolset.combined(answering("a"), retrying(5)).pipe(Toolset.withMaxRetries(3))
      assert.deepStrictEqual(
        (yield* Toolset.list(both)).map((tool) => tool.maxRetries),
        [3, 5]
      )
    })
  )

  it.effect("of several, the nearest holds; none is less than the tool's own (2.5)", () =>
    Effect.gen(function* () {
      const budget = <E, R>(self: Toolset.Toolset<E, R>) => Effect.map(first(self), (tool) => tool.maxRetries)
      assert.strictEqual(
        yield* budget(retrying().pipe(Toolset.withMaxRetries(2), Toolset.withMaxRetries(4))),
        2
      )
      assert.strictEqual(yield* budget(retrying(3).pipe(Toolset.withMaxRetries(0))), 3)
      assert.strictEqual(yield* budget(retrying(0).pipe(Toolset.withMaxRetries(4))), 0)
      assert.strictEqual(
        yield* budget(retrying().pipe(Toolset.withMaxRetries(0), Toolset.withMaxRetries(4))),
        0
      )
    })
  )

  it.effect("is what the body sees, and its last attempt is when the budget is spent (P56, P65)", () =>
    Effect.gen(function* () {
      const tool = retrying().pipe(Toolset.withMaxRetries(2))
      const seen = yield* Effect.forEach([0, 1, 2, 3], (attempt) =>
        Toolset.call(tool, "t", {}).pipe(asCall({ attempt, maxRetries: 9 }))
      )
      assert.deepStrictEqual(seen, [
        [0, 2, false],
        [1, 2, false],
        [2, 2, true],
        [3, 2, true]
      ])
      assert.deepStrictEqual(yield* Toolset.call(retrying().pipe(Toolset.withMaxRetries(0)), "t", {}), [
        0,
        0,
        true
      ])
    })
  )

  for (const maxRetries of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it.effect(`cannot be ${maxRetries} (P66)`, () =>
      Effect.gen(function* () {
        for (const tool of [
          retrying().pipe(Toolset.withMaxRetries(maxRetries)),
          Toolset.withMaxRetries(retrying(), maxRetries)
        ]) {
          assert.deepStrictEqual(yield* flaw(Toolset.list(tool)), {
            source: "withMaxRetries(tool(t))",
            problem: `The number of retries is ${maxRetries}.`,
            hint: "Give a whole number of at least 0."
          })
        }
      })
    )
  }
})
