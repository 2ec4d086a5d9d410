import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { answering, names, tag } from "./asking.ts"

const tools = Toolset.combined(
  answering("a").pipe(Toolset.withMetadata({ rest: { method: "GET", tags: ["x", "y"] }, team: "one" })),
  answering("b").pipe(Toolset.withMetadata({ rest: { method: "PUT", tags: [] }, team: undefined })),
  answering("c")
)

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
