/** What becomes of failures. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import { sources, trees } from "./description.ts"
import { equal, on, seenOf } from "./equal.ts"
import { isFailure } from "./meant.ts"
import { often } from "./often.ts"

const small = trees(undefined, 3)

describe("onError", () => {
  it.effect.prop(
    "leaves nothing of E, wherever it comes from, and all the rest as it is",
    { sources, tree: small, mode: Schema.Literals(["recover", "retry"]) },
    Effect.fnUntraced(function* ({ mode, sources, tree }) {
      const before = yield* seenOf(sources, tree)
      const after = yield* seenOf(sources, on(tree, { _tag: "onError", mode }))
      assert.notMatch(JSON.stringify(after), /"failed":"(Broken|Lost)/)
      before.steps.forEach(({ tools }, i) => {
        const settled = after.steps[i]!.tools
        if (isFailure(tools) || isFailure(settled)) return
        tools.forEach(({ calls, definition }, j) => {
          assert.deepStrictEqual(settled[j]!.definition, definition)
          calls.forEach((call, k) => {
            const now = settled[j]!.calls[k]!
            if (!("failed" in call.answer)) return assert.deepStrictEqual(now, call)
            assert.deepStrictEqual(now.trace, call.trace)
            assert.propertyVal(now.answer, "signal", mode === "retry" ? "ModelRetry" : "ToolFailed")
          })
        })
      })
    }),
    often()
  )

  it.effect.prop(
    "m then n is m",
    {
      sources,
      tree: small,
      m: Schema.Literals(["recover", "retry"]),
      n: Schema.Literals(["recover", "retry"])
    },
    ({ m, n, sources, tree }) =>
      equal(
        sources,
        on(tree, { _tag: "onError", mode: m }, { _tag: "onError", mode: n }),
        on(tree, { _tag: "onError", mode: m })
      ),
    often(20)
  )
})

describe("catchTags", () => {
  it.effect.prop(
    "of the mode fail is the identity",
    { sources, tree: small },
    ({ sources, tree }) => equal(sources, on(tree, { _tag: "catchTags", broken: "fail" }), tree),
    often(20)
  )

  it.effect.prop(
    "of all tags is onError",
    { sources, tree: small, mode: Schema.Literals(["recover", "retry"]) },
    ({ mode, sources, tree }) =>
      equal(
        sources,
        ({ of }) => Toolset.catchTags(of(tree), { Broken: mode, Lost: mode }),
        on(tree, { _tag: "onError", mode })
      ),
    often(20)
  )

  it.effect.prop(
    "by functions to the signals of a mode is that mode",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree }) {
      const recover = ({ message }: { readonly message: string }) => new ToolFailed({ message })
      const retry = ({ message }: { readonly message: string }) => new ModelRetry({ message, reason: "body" })
      yield* equal(
        sources,
        ({ of }) => Toolset.catchTags(of(tree), { Broken: recover, Lost: retry }),
        ({ of }) => Toolset.catchTags(of(tree), { Broken: "recover", Lost: "retry" })
      )
    }),
    often(20)
  )
})
