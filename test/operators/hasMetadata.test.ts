import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { answering, names } from "./asking.ts"

const tools = Toolset.combined(
  answering("a").pipe(Toolset.withMetadata({ rest: { method: "GET", tags: ["x", "y"] }, team: "one" })),
  answering("b").pipe(Toolset.withMetadata({ rest: { method: "PUT", tags: [] }, team: undefined })),
  answering("c")
)

describe("hasMetadata", () => {
  const having = (metadata: Readonly<Record<string, unknown>>) =>
    names(tools.pipe(Toolset.filtered(Toolset.hasMetadata(metadata))))

  it.effect("holds where the metadata contains it, at any depth", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* having({ team: "one" }), ["a"])
      assert.deepStrictEqual(yield* having({ rest: {} }), ["a", "b"])
      assert.deepStrictEqual(yield* having({ rest: { method: "PUT" } }), ["b"])
      assert.deepStrictEqual(yield* having({ rest: { method: "GET" }, team: "two" }), [])
      assert.deepStrictEqual(yield* having({}), ["a", "b", "c"])
    })
  )

  it.effect("takes lists as a whole, and tells missing from undefined", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* having({ rest: { tags: ["x", "y"] } }), ["a"])
      assert.deepStrictEqual(yield* having({ rest: { tags: ["x"] } }), [])
      assert.deepStrictEqual(yield* having({ team: undefined }), ["b"])
      assert.deepStrictEqual(yield* having({ toString: Object.prototype.toString }), [])
    })
  )
})
