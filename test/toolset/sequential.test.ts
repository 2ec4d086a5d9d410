import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { answering, first, tools } from "./asking.ts"

describe("sequential", () => {
  it.effect("makes every tool a barrier, and changes nothing else of it", () =>
    Effect.gen(function* () {
      const both = Toolset.combined(tools("a"), Toolset.external([{ name: "b" }]))
      const before = yield* Toolset.list(both)
      assert.deepStrictEqual(
        yield* Toolset.list(Toolset.sequential(both)),
        before.map((tool) => ({ ...tool, sequential: true }))
      )
    })
  )

  it.effect("twice is once, and so it is over a tool that is one already: the same objects", () =>
    Effect.gen(function* () {
      const once = Toolset.sequential(answering("t"))
      assert.strictEqual(yield* first(Toolset.sequential(once)), yield* first(once))
      const own = Toolset.tool("t", { sequential: true, handler: () => Effect.void })
      assert.strictEqual(yield* first(Toolset.sequential(own)), yield* first(own))
    })
  )

  it.effect("does not change what a call does", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Toolset.call(answering("t").pipe(Toolset.sequential), "t", {}), "t")
    })
  )
})
