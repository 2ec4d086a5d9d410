import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import { answering, first } from "./asking.ts"

const counting = (description: string | undefined) =>
  Toolset.tool("count", { description, success: Schema.Finite, handler: () => Effect.succeed(3) })

describe("withReturns", () => {
  const table: ReadonlyArray<[what: string, toolset: Toolset.Toolset, description: string | undefined]> = [
    [
      "adds the schema of the result after the description",
      counting("Counts."),
      `Counts.\n\nReturns: {"type":"number"}`
    ],
    ["is the description where there was none", counting(undefined), `Returns: {"type":"number"}`],
    ["says nothing where a tool has no schema for its result", answering("t"), undefined],
    [
      "covers tools of any source",
      Toolset.external([{ name: "t", returns: { type: "string" } }]),
      `Returns: {"type":"string"}`
    ]
  ]
  for (const [what, toolset, description] of table) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const before = yield* first(toolset)
        assert.deepStrictEqual(yield* first(Toolset.withReturns(toolset)), { ...before, description })
      })
    )
  }

  it.effect("twice is once", () =>
    Effect.gen(function* () {
      for (const tool of [counting("Counts."), counting(undefined), answering("t")]) {
        const once = tool.pipe(Toolset.withReturns)
        assert.deepStrictEqual(yield* first(once.pipe(Toolset.withReturns)), yield* first(once))
      }
    })
  )

  it.effect("leaves tools without a schema as they are, the same objects", () =>
    Effect.gen(function* () {
      const tool = answering("t")
      assert.strictEqual(yield* first(Toolset.withReturns(tool)), yield* first(tool))
    })
  )

  it.effect("does not change what a call does", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Toolset.call(Toolset.withReturns(counting("x")), "count", {}), 3)
    })
  )
})
