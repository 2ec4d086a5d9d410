import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import { type Args, asksAbout } from "./choices.ts"
import { ApprovalRequired, Asks, sources, trees, When } from "./description.ts"
import { equal, on, seenOf } from "./equal.ts"
import { type Answer, isFailure } from "./meant.ts"
import { calls } from "./observed.ts"
import { often } from "./often.ts"
import { assertSame } from "./same.ts"

const small = trees(undefined, 3)
const Predicate = Schema.Literals(["never", "odd", "even"])

describe("approvalRequired", () => {
  it.effect.prop(
    "never is the identity",
    { sources, tree: small, as: Asks },
    ({ as, sources, tree }) =>
      equal(sources, on(tree, { _tag: "approvalRequired", when: "never", as }), tree),
    often()
  )

  it.effect.prop(
    "where p then where q is where p or q",
    { sources, tree: small, p: Predicate, q: Predicate },
    ({ p, q, sources, tree }) =>
      equal(
        sources,
        on(
          tree,
          { _tag: "approvalRequired", when: p, as: "value" },
          { _tag: "approvalRequired", when: q, as: "effect" }
        ),
        ({ of }) =>
          Toolset.approvalRequired(of(tree), (tool, args) => {
            const given = args as unknown as Args
            return asksAbout(p, tool, given) || asksAbout(q, tool, given)
          })
      ),
    often()
  )

  it.effect.prop(
    "asks where it should, before anything runs; one approval satisfies all; an approved call is the inner call",
    { sources, tree: small, inner: ApprovalRequired, outer: ApprovalRequired, when: When },
    Effect.fnUntraced(function* ({ inner, outer, sources, tree, when }) {
      const before = yield* seenOf(sources, tree)
      const hows = [inner, outer, { ...outer, when }]
      const after = yield* seenOf(sources, on(tree, ...hows))
      before.steps.forEach(({ tools }, i) => {
        const gated = after.steps[i]!.tools
        if (isFailure(tools) || isFailure(gated)) return assertSame(gated, tools)
        gated.forEach(({ calls: seen, definition }, j) => {
          seen.forEach((call, k) => {
            const { approved, args } = calls[k]!
            const { n } = (typeof args === "string" ? JSON.parse(args) : args) as Args
            const own = tools[j]!.calls[k]!
            const asks = !approved && hows.some((how) => asksAbout(how.when, definition, { n }))
            if (!asks || isRefused(own.answer)) return assertSame(call, own)
            assert.deepStrictEqual(call.trace, [])
            assert.deepInclude(call.answer, { signal: "ApprovalRequired" })
          })
        })
      })
    }),
    often()
  )

  it.effect.prop(
    "is not asked once somebody has said yes, nor about arguments that are refused",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree }) {
      let asked = 0
      const { steps } = yield* seenOf(sources, ({ of }) =>
        Toolset.approvalRequired(of(tree), () => {
          asked++
          return true
        })
      )
      const tools = steps.flatMap(({ tools }) => (isFailure(tools) ? [] : tools))
      const waiting = tools.flatMap(({ calls: seen }) =>
        seen.filter(({ answer }, k) => !calls[k]!.approved && !isRefused(answer))
      )
      assert.strictEqual(asked, waiting.length)
    }),
    often(10)
  )
})

const isRefused = (answer: Answer): boolean => "signal" in answer && answer.reason === "arguments"
