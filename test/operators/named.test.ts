import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { answering, names, tag } from "./asking.ts"

const tools = Toolset.combined(answering("a"), answering("b"), answering("c"))

describe("named", () => {
  it.effect("holds for tools of these names, and of no others", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names(tools.pipe(Toolset.filtered(Toolset.named("c", "a", "z")))), [
        "a",
        "c"
      ])
      assert.deepStrictEqual(yield* names(tools.pipe(Toolset.filtered(Toolset.named()))), [])
    })
  )

  it.effect("goes by the names at its place", () =>
    Effect.gen(function* () {
      const prefixed = tools.pipe(Toolset.prefixed("x"), Toolset.filtered(Toolset.named("a", "x_b")))
      assert.deepStrictEqual(yield* names(prefixed), ["x_b"])
    })
  )

  it.effect("is a predicate of calls too", () =>
    Effect.gen(function* () {
      const careful = tools.pipe(Toolset.approvalRequired(Toolset.named("b")))
      assert.strictEqual(yield* Toolset.call(careful, "a", {}), "a")
      assert.strictEqual(yield* tag(Toolset.call(careful, "b", {})), "ApprovalRequired")
    })
  )
})
