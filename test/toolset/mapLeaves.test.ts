import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import { answering, first, flaw, names, tag, tools } from "./asking.ts"

/** The labels of the leaves that were asked about. */
const asking = () => {
  const asked: Array<string> = []
  return { asked, watch: Toolset.mapLeaves((leaf) => (asked.push(leaf.label), leaf)) }
}

describe("mapLeaves", () => {
  it.effect("rebuilds the tree with other leaves: what is around them holds for those", () =>
    Effect.gen(function* () {
      const tree = Toolset.combined(answering("a"), answering("b")).pipe(
        Toolset.prefixed("x"),
        Toolset.filtered(({ name }) => name !== "x_b_2"),
        Toolset.withMetadata({ team: "y" })
      )
      const doubled = tree.pipe(
        Toolset.mapLeaves((leaf) => Toolset.combined(leaf, leaf.pipe(Toolset.renamed((name) => `${name}_2`))))
      )
      assert.deepStrictEqual(yield* names(doubled), ["x_a", "x_a_2", "x_b"])
      assert.deepStrictEqual((yield* first(doubled)).metadata, { team: "y" })
      assert.strictEqual(yield* Toolset.call(doubled, "x_a_2", {}), "a")
    })
  )

  it.effect("by the same leaf is the identity", () =>
    Effect.gen(function* () {
      const tree = Toolset.combined(
        tools("a", "b").pipe(Toolset.prefixed("x")),
        Toolset.external([{ name: "c" }])
      )
      const same = tree.pipe(Toolset.mapLeaves((leaf) => leaf))
      assert.deepStrictEqual(yield* Toolset.list(same), yield* Toolset.list(tree))
      assert.strictEqual(Toolset.describe(same), Toolset.describe(tree))
    })
  )

  it("asks once per leaf, however often it occurs, in the order of the tree", () => {
    const [a, b] = [answering("a"), answering("b")]
    const { asked, watch } = asking()
    watch(
      Toolset.combined(b, a.pipe(Toolset.prefixed("x")), Toolset.combined(a, b), Toolset.prefixed(a, "y"))
    )
    assert.deepStrictEqual(asked, ["tool(b)", "tool(a)"])
  })

  it.effect("keeps one toolset one, where it occurs several times", () =>
    Effect.gen(function* () {
      let opened = 0
      const leaf = Toolset.unwrap(Effect.sync(() => (opened++, answering("a"))))
      const tree = Toolset.combined(leaf, leaf.pipe(Toolset.prefixed("x")))
      const mapped = tree.pipe(Toolset.mapLeaves(Toolset.withMetadata({ a: 1 })))
      assert.deepStrictEqual(yield* names(mapped), ["a", "x_a"])
      assert.strictEqual(opened, 1)
    })
  )

  it("takes tools, external ones, empty, unwrap and shared for leaves", () => {
    const leaves = [
      answering("a"),
      Toolset.external([]),
      Toolset.empty,
      Toolset.unwrap(Effect.succeed(answering("b")))
    ]
    const { asked, watch } = asking()
    watch(Toolset.combined(...leaves))
    assert.deepStrictEqual(asked, ["tool(a)", "external", "empty", "unwrap"])
  })

  it("goes through everything that is around a leaf", () => {
    const around = [
      Toolset.prefixed("x"),
      Toolset.filtered(() => true),
      Toolset.renamed({}),
      Toolset.prepared((all) => all),
      Toolset.approvalRequired(),
      Toolset.wrapper((call, next) => next(call)),
      Toolset.timeout("1 second"),
      Toolset.withMetadata({}),
      Toolset.withInstructions("x"),
      Toolset.withReturns,
      Toolset.withMaxRetries(1),
      Toolset.withId("id"),
      Toolset.sequential,
      Toolset.onError("recover"),
      Toolset.catchTags({}),
      Toolset.provide(Context.empty())
    ] satisfies ReadonlyArray<(self: Toolset.Toolset) => Toolset.Toolset>
    for (const f of around) {
      const { asked, watch } = asking()
      const tree = f(answering("t"))
      const same = watch(tree)
      assert.deepStrictEqual(asked, ["tool(t)"], tree.label)
      assert.deepStrictEqual([same.label, same.id], [tree.label, tree.id])
    }
  })

  it.effect("asks about what a dynamic toolset chooses when it is chosen", () =>
    Effect.gen(function* () {
      const { asked, watch } = asking()
      const tree = watch(Toolset.dynamic(Effect.succeed(Toolset.dynamic(Effect.succeed(answering("a"))))))
      assert.deepStrictEqual(asked, [])
      assert.deepStrictEqual(yield* names(tree), ["a"])
      assert.deepStrictEqual(asked, ["tool(a)"])
    })
  )

  it.effect("says again what is wrong with a tree, also over other leaves", () =>
    Effect.gen(function* () {
      const wrong = answering("t").pipe(Toolset.timeout(0))
      const mapped = wrong.pipe(Toolset.mapLeaves(() => answering("u")))
      const { problem } = yield* flaw(Toolset.list(wrong))
      assert.strictEqual((yield* flaw(Toolset.list(mapped))).problem, problem)
    })
  )

  it.effect("adds what the new leaves fail with", () =>
    Effect.gen(function* () {
      class NoTape extends Schema.TaggedError<NoTape>()("NoTape", {}) {}
      const recorded: Toolset.Toolset<NoTape> = tools("a").pipe(
        Toolset.mapLeaves((leaf) => leaf.pipe(Toolset.wrapper(() => Effect.fail(new NoTape()))))
      )
      assert.strictEqual(yield* tag(Toolset.call(recorded, "a", {})), "NoTape")
    })
  )
})
