import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ToolCall, ToolNotFound, Toolset } from "effect-toolset"
import { answering, flaw, names, tools } from "./asking.ts"

const whoami = Toolset.tool("t", {
  handler: () => Effect.map(ToolCall, ({ exposedName, name }) => [name, exposedName])
})

describe("prefixed", () => {
  it.effect("puts the prefix and a line before every name (P12)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names(tools("a", "b").pipe(Toolset.prefixed("x"))), ["x_a", "x_b"])
      assert.deepStrictEqual(yield* names(Toolset.prefixed(tools("a", "b"), "x")), ["x_a", "x_b"])
    })
  )

  it.effect(
    "by a and then by b is b_a, and the body knows its own name and the one that it was called by (P19)",
    () =>
      Effect.gen(function* () {
        const twice = whoami.pipe(Toolset.prefixed("a"), Toolset.prefixed("b"))
        assert.deepStrictEqual(yield* names(twice), ["b_a_t"])
        assert.deepStrictEqual(yield* Toolset.call(twice, "b_a_t", {}), ["t", "b_a_t"])
      })
  )

  it.effect("never takes a name apart again (P20)", () =>
    Effect.gen(function* () {
      const tool = Toolset.combined(answering("foo_bar"), answering("bar")).pipe(Toolset.prefixed("foo"))
      assert.strictEqual(yield* Toolset.call(tool, "foo_foo_bar", {}), "foo_bar")
      assert.strictEqual(yield* Toolset.call(tool, "foo_bar", {}), "bar")
    })
  )

  it.effect("offers nothing under the names without it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Toolset.call(whoami.pipe(Toolset.prefixed("x")), "t", {}))
      assert.instanceOf(error, ToolNotFound)
      assert.deepStrictEqual(error.availableTools, ["x_t"])
    })
  )

  it("by nothing is the identity (P21)", () => {
    assert.strictEqual(Toolset.prefixed(whoami, ""), whoami)
  })

  it.effect("changes nothing of a definition but its name", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("t", {
        description: "d",
        metadata: { name: "t" },
        maxRetries: 2,
        handler: () => Effect.void
      })
      const [before] = yield* Toolset.list(tool)
      const [after] = yield* Toolset.list(tool.pipe(Toolset.prefixed("x")))
      assert.deepStrictEqual(after, { ...before!, name: "x_t" })
    })
  )

  it.effect("distributes over combined", () =>
    Effect.gen(function* () {
      const [a, b] = [answering("a"), answering("b")]
      assert.deepStrictEqual(
        yield* Toolset.list(Toolset.combined(a, b).pipe(Toolset.prefixed("x"))),
        yield* Toolset.list(Toolset.combined(Toolset.prefixed(a, "x"), Toolset.prefixed(b, "x")))
      )
    })
  )

  it.effect("may make a name that no provider accepts, which is found where the list is collected", () =>
    Effect.gen(function* () {
      const dotted = yield* flaw(Toolset.list(whoami.pipe(Toolset.prefixed("git.hub"))))
      assert.strictEqual(dotted.source, "prefixed(tool(t))")
      assert.include(dotted.problem, "'git.hub_t'")
      const long = yield* flaw(Toolset.list(whoami.pipe(Toolset.prefixed("x".repeat(63)))))
      assert.include(long.hint, "1 to 64")
    })
  )
})
