/** Results that a wrapper gives in the place of those it was given. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ToolResultError, ToolReturn, Toolset } from "effect-toolset"
import { answering, tag } from "./asking.ts"

/** What a call gives, where a wrapper gives this instead of it. */
const replaced = (result: ToolReturn) =>
  Toolset.call(answering("t").pipe(Toolset.wrapper((call, next) => Effect.as(next(call), result))), "t", {})

describe("a result that a wrapper changed", () => {
  for (const value of ["text", 1, null, true, [1, { a: null }], {}]) {
    it.effect(`is what the model gets: ${JSON.stringify(value)}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* replaced(new ToolReturn({ value })), value)
      })
    )
  }

  const wrong: ReadonlyArray<[value: unknown, problem: string]> = [
    [1n, "A bigint is not JSON."],
    [new Map([[1, 2]]), "A Map is not JSON: give the tool a success schema."],
    [Number.NaN, "NaN is not a JSON number."],
    [() => 1, "A function is not JSON."]
  ]
  for (const [value, problem] of wrong) {
    it.effect(`has to be JSON: ${problem}`, () =>
      Effect.gen(function* () {
        for (const [given, path] of [
          [value, []],
          [{ rows: [value] }, ["rows", 0]]
        ] as const) {
          const error = yield* Effect.flip(replaced(new ToolReturn({ value: given })))
          assert.instanceOf(error, ToolResultError)
          assert.deepStrictEqual([error.toolName, error.path, error.problem], ["t", path, problem])
        }
      })
    )
  }

  it.effect("is JSON once it is encoded: a date is its text, and nothing is null", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* replaced(new ToolReturn({ value: new Date(0) })), "1970-01-01T00:00:00.000Z")
      assert.isNull(yield* replaced(new ToolReturn({ value: undefined })))
      const instead = answering("t").pipe(
        Toolset.wrapper(() => Effect.succeed(new ToolReturn({ value: undefined })))
      )
      assert.isNull(yield* Toolset.call(instead, "t", {}))
    })
  )

  it.effect("has to be JSON also where the wrapper wrote into the one it was given", () =>
    Effect.gen(function* () {
      const writing = answering("t", [1]).pipe(
        Toolset.wrapper((call, next) =>
          Effect.tap(next(call), ({ value }) => Effect.sync(() => (value as Array<unknown>).push(1n)))
        )
      )
      assert.strictEqual(yield* tag(Toolset.call(writing, "t", {})), "ToolResultError")
    })
  )
})
