import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ToolCall, Toolset } from "effect-toolset"
import { answering, conflict, tools } from "./asking.ts"
import { inStep } from "./resources.ts"

/** The tools of a step, as whoever binds approvals to them sees them. */
const opened = <E, R>(self: Toolset.Toolset<E, R>) =>
  Effect.scoped(Effect.flatMap(Toolset.open(self), ({ tools }) => tools)).pipe(inStep(1))

describe("withId", () => {
  it("is the toolset's id and label, and both are carried by what is put around it", () => {
    const github = tools("a", "b").pipe(Toolset.withId("github"))
    assert.deepStrictEqual([github.id, github.label], ["github", "github"])
    const around = github.pipe(
      Toolset.prefixed("gh"),
      Toolset.filtered(() => true)
    )
    assert.deepStrictEqual([around.id, around.label], ["github", "filtered(prefixed(github))"])
    assert.isUndefined(tools("a").id)
    assert.isUndefined(Toolset.combined(github).id)
  })

  it.effect("is where its tools come from in error texts", () =>
    Effect.gen(function* () {
      const both = Toolset.combined(tools("a").pipe(Toolset.withId("one")), Toolset.withId(tools("a"), "two"))
      assert.deepStrictEqual(yield* conflict(Toolset.list(both)), { toolName: "a", sources: ["one", "two"] })
    })
  )

  it.effect("is part of where a tool was declared: outermost first, and its own name last", () =>
    Effect.gen(function* () {
      const nested = answering("t").pipe(
        Toolset.withId("inner"),
        Toolset.prefixed("x"),
        Toolset.withId("outer"),
        Toolset.renamed({ y: "x_t" })
      )
      const [tool] = yield* opened(nested)
      assert.deepStrictEqual(tool!.origin, ["outer", "inner", "t"])
      assert.strictEqual(tool!.source, "renamed(outer)")
    })
  )

  it.effect("tells leaves apart that are alike", () =>
    Effect.gen(function* () {
      const leaf = answering("t")
      const both = Toolset.combined(
        leaf.pipe(Toolset.withId("one"), Toolset.prefixed("one")),
        leaf.pipe(Toolset.withId("two"), Toolset.prefixed("two"))
      )
      assert.deepStrictEqual(
        (yield* opened(both)).map((tool) => tool.origin),
        [
          ["one", "t"],
          ["two", "t"]
        ]
      )
    })
  )

  it.effect("changes nothing that a model sees, and nothing at a call", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("t", { handler: () => Effect.map(ToolCall, ({ name }) => name) })
      const named = tool.pipe(Toolset.withId("id"))
      assert.deepStrictEqual(yield* Toolset.list(named), yield* Toolset.list(tool))
      assert.strictEqual(yield* Toolset.call(named, "t", {}), "t")
    })
  )
})
