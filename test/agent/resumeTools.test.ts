/** Approved tools that are not what they were: nothing runs, and the error says which. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, DeferredToolResults, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "./answers.ts"
import { asking } from "./deferring.ts"

import { all, Amount, clock, paying, refused, sending, stopped } from "./stopped.ts"

const { text } = ScriptedModel

describe("a tool that was approved", () => {
  /** What the run says where this has taken its place. */
  const replaced = Effect.fnUntraced(function* (toolset: (ran: Array<unknown>) => Toolset.Toolset) {
    const { history, requests } = yield* stopped()
    const error = yield* refused(history, DeferredToolResults.from(requests, all), (ran) =>
      Toolset.combined(sending(ran), toolset(ran), clock)
    )
    return [error.problem, error.toolCallIds] as const
  })
  const gone = ["The tool 'pay' is not offered any more; nothing has been executed", ["pay"]]
  const another = ["'pay' is another tool now; nothing has been executed", ["pay"]]
  const otherwise = ["'pay' would run with other arguments; nothing has been executed", ["pay"]]

  const cases: Record<string, readonly [(ran: Array<unknown>) => Toolset.Toolset, unknown]> = {
    "has gone": [() => Toolset.empty, gone],
    "is filtered out": [(ran) => paying(ran).pipe(Toolset.filtered(() => false)), gone],
    "has a prefix now": [(ran) => Toolset.prefixed(paying(ran), "bank"), gone],
    "has another name now": [(ran) => Toolset.renamed(paying(ran), { transfer: "pay" }), gone],
    "is another one by that name": [
      (ran) =>
        Toolset.tool("refund", {
          parameters: Amount,
          handler: () => Effect.sync(() => ran.push("refund"))
        }).pipe(Toolset.renamed({ pay: "refund" })),
      another
    ],
    "has swapped its name with another one": [
      (ran) =>
        Toolset.combined(
          paying(ran),
          Toolset.tool("refund", { parameters: Amount, handler: () => Effect.sync(() => ran.push("refund")) })
        ).pipe(Toolset.renamed({ pay: "refund", refund: "pay" })),
      another
    ],
    "comes from another source": [(ran) => Toolset.withId(paying(ran), "other bank"), another],
    "reads its arguments otherwise": [
      (ran) =>
        paying(
          ran,
          Schema.Struct({
            amount: Schema.Int,
            currency: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("GBP")))
          })
        ),
      otherwise
    ],
    "does not take its arguments any more": [
      (ran) => paying(ran, Schema.Struct({ amount: Schema.Int.check(Schema.isLessThan(10)) })),
      otherwise
    ]
  }
  for (const [title, [toolset, expected]] of Object.entries(cases)) {
    it.effect(`and ${title} does not run, nor does anything else`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* replaced(toolset), expected)
      })
    )
  }

  it.effect("runs where what is around it has changed, and it has not", () =>
    Effect.gen(function* () {
      const { history, requests } = yield* stopped()
      const ran: Array<unknown> = []
      const moved = Toolset.combined(clock, sending(ran), paying(ran)).pipe(
        Toolset.withMetadata({ team: "x" }),
        Toolset.wrapper((call, next) => next(call))
      )
      yield* Agent.run(asking(moved), {
        history,
        deferredResults: DeferredToolResults.from(requests, all)
      }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
      assert.deepStrictEqual(ran, [{ amount: 20 }, "send"])
    })
  )

  it.effect("and is denied, or one whose result was supplied, may have gone", () =>
    Effect.gen(function* () {
      const { history, requests } = yield* stopped()
      const { messages, output } = yield* Agent.run(asking(Toolset.empty), {
        history,
        deferredResults: DeferredToolResults.from(requests, {
          approvals: { pay: false, send: { deny: "No." } },
          calls: { clock: "21:30" }
        })
      }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(resultsIn(messages), [
        ["pay", "The tool call was denied."],
        ["send", "No."],
        ["clock", "21:30"],
        ["now", "noon"]
      ])
    })
  )
})
