import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import { Around, sources, trees } from "./description.ts"
import { aroundOf } from "./combinators.ts"
import { equal, on, seenOf } from "./equal.ts"
import { isFailure } from "./meant.ts"
import { often } from "./often.ts"
import { assertSame } from "./same.ts"

const small = trees(undefined, 3)

describe("wrapper", () => {
  it.effect.prop(
    "of next is the identity",
    { sources, tree: small },
    ({ sources, tree }) => equal(sources, on(tree, { _tag: "wrapper", around: "nothing" }), tree),
    often()
  )

  it.effect.prop(
    "f then g is g around f, also where they change arguments and results, refuse, fail and repeat",
    { sources, tree: small, f: Around, g: Around },
    ({ f, g, sources, tree }) =>
      equal(
        sources,
        on(tree, { _tag: "wrapper", around: f }, { _tag: "wrapper", around: g }),
        ({ of, world }) =>
          Toolset.wrapper(of(tree), (call, next) =>
            aroundOf(world, g)(call, (call) => aroundOf(world, f)(call, next) as ReturnType<Toolset.Next>)
          )
      ),
    often()
  )

  it.effect.prop(
    "that was added last is outermost",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree }) {
      const before = yield* seenOf(sources, tree)
      const after = yield* seenOf(
        sources,
        on(tree, { _tag: "wrapper", around: "trace a" }, { _tag: "wrapper", around: "trace b" })
      )
      before.steps.forEach(({ tools }, i) => {
        const wrapped = after.steps[i]!.tools
        if (isFailure(tools) || isFailure(wrapped)) return assertSame(wrapped, tools)
        tools.forEach(({ calls, definition }, j) => {
          assertSame(wrapped[j]!.definition, definition)
          calls.forEach(({ answer, trace }, k) => {
            const seen = wrapped[j]!.calls[k]!
            assertSame(seen.answer, answer)
            if (seen.trace.length === 0) return assert.deepStrictEqual(trace, [])
            assert.deepStrictEqual(seen.trace, [
              "trace b in",
              "trace a in",
              ...trace,
              "trace a out",
              "trace b out"
            ])
          })
        })
      })
    }),
    often()
  )

  it.effect.prop(
    "is around gates and inside of decoding and validating",
    { sources, tree: small, when: Schema.Literals(["all", "odd"]) },
    Effect.fnUntraced(function* ({ sources, tree, when }) {
      const traced = (how: ReturnType<typeof on>) => on(how, { _tag: "wrapper", around: "trace a" })
      const gated = on(tree, { _tag: "approvalRequired", when, as: "value" })
      const { steps } = yield* seenOf(sources, traced(gated))
      for (const { tools } of steps) {
        if (isFailure(tools)) continue
        for (const { answer, trace } of tools.flatMap((tool) => tool.calls)) {
          const isRefused = "signal" in answer && answer.reason === "arguments"
          if (isRefused) assert.deepStrictEqual(trace, [])
          if ("signal" in answer && answer.signal === "ApprovalRequired") {
            assert.deepStrictEqual([trace.at(0), trace.at(-1)], ["trace a in", "trace a out"])
          }
        }
      }
    }),
    often(20)
  )
})
