/** Agents inside agents that wait: what is asked inside is asked outside, and goes on from there. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Agent, DeferredToolResults, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { callsIn, resultsIn } from "./answers.ts"
import { asking, inShort, requestsIn, resumed, sentResults } from "./deferring.ts"

import { call, casting, noting, prompt, stored, worker } from "./nestedAgents.ts"

const { calls, text } = ScriptedModel

describe("an agent inside an agent", () => {
  it.effect(
    "waits: the outer run asks under a path, and goes on where it was, in another process as well",
    () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const inner = worker(
          "inner",
          Toolset.approvalRequired(noting(ran, "wipe")),
          noting(ran, "look"),
          Toolset.external([{ name: "clock" }])
        )
        const agent = asking(inner, noting(ran, "here"), Toolset.external([{ name: "there" }]))
        const first = yield* Agent.run(agent, { prompt })
        assert.deepStrictEqual(inShort(requestsIn(first)), {
          calls: [
            ["o/c", "clock", {}],
            ["t", "there", {}]
          ],
          approvals: [["o/w", "wipe", { n: 1 }]]
        })
        assert.deepStrictEqual(requestsIn(first).approvals[0]?.source, ["inner", "wipe"])
        assert.deepStrictEqual(resultsIn(first.messages), [["here", "here ran"]])
        assert.sameDeepMembers(ran, [
          ["here", undefined],
          ["look", undefined]
        ])
        assert.deepInclude(first.usage, { requests: 2, toolCalls: 2 })

        const after = yield* stored(first)
        const results = yield* sentResults(
          DeferredToolResults.from(after.output, {
            approvals: { "o/w": { approve: { n: 2 } } },
            calls: { "o/c": "21:30", t: 1 }
          })
        )
        const second = yield* Agent.run(agent, { history: after.messages, deferredResults: results })
        assert.strictEqual(second.output, "Done.")
        assert.deepStrictEqual(ran.slice(2), [["wipe", 2]])
        assert.deepStrictEqual(resultsIn(second.messages), [
          ["inner", "All done."],
          ["here", "here ran"],
          ["there", 1]
        ])
        // The call of the inner agent, that inside it, and two requests to the model.
        assert.deepInclude(second.usage, { requests: 2, toolCalls: 2 })
        const seen = (yield* ScriptedModel.requests)[2]!.prompt
        assert.deepStrictEqual(resultsIn(seen), [
          ["wipe", "wipe ran"],
          ["look", "look ran"],
          ["clock", "21:30"]
        ])
      }).pipe(
        Effect.provide(
          casting({
            outer: [
              calls([call("inner", { task: "Wipe." }, "o"), call("here", {}, "h"), call("there", {}, "t")]),
              text("Done.")
            ],
            inner: [
              calls([call("wipe", { n: 1 }, "w"), call("look", {}, "l"), call("clock", {}, "c")]),
              text("All done.")
            ]
          })
        )
      )
  )

  it.effect("may be at any depth, each with its own", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const gated = (name: string) => Toolset.approvalRequired(noting(ran, name))
      const third = worker("third", gated("deep"))
      const second = worker("second", third, gated("middle"))
      const agent = asking(second, gated("high"))
      const first = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [
        ["1/1/1", "deep", {}],
        ["1/2", "middle", {}],
        ["2", "high", {}]
      ])
      assert.deepStrictEqual(requestsIn(first).approvals[0]?.source, ["second", "third", "deep"])
      const after = yield* stored(first)
      const { messages, output } = yield* resumed(agent, after, {
        approvals: { "1/1/1": true, "1/2": { deny: "No." }, 2: true }
      })
      assert.strictEqual(output, "Done.")
      assert.sameDeepMembers(ran, [
        ["deep", undefined],
        ["high", undefined]
      ])
      assert.deepStrictEqual(resultsIn(messages), [
        ["second", "second is done."],
        ["high", "high ran"]
      ])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("second", { task: "2" }, "1"), call("high", {}, "2")]), text("Done.")],
          second: [
            calls([call("third", { task: "3" }, "1"), call("middle", {}, "2")]),
            text("second is done.")
          ],
          third: [calls([call("deep", {}, "1")]), text("third is done.")]
        })
      )
    )
  )

  it.effect("may wait again and again, and nothing that was approved runs twice", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker("inner", Toolset.approvalRequired(noting(ran, "wipe")))
      const agent = asking(inner)
      let result: Agent.Result<unknown> = yield* Agent.run(agent, { prompt })
      for (const n of [1, 2, 3]) {
        // The model inside gives each of its calls the same id.
        assert.deepStrictEqual(inShort(requestsIn(result)).approvals, [["o/w", "wipe", { n }]])
        result = yield* resumed(agent, yield* stored(result), { approveAll: true })
      }
      assert.strictEqual(result.output, "Done.")
      assert.deepStrictEqual(
        ran,
        [1, 2, 3].map((n) => ["wipe", n])
      )
      assert.lengthOf(callsIn(result.messages), 1)
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [1, 2, 3].map((n) => calls([call("wipe", { n }, "w")]))
        })
      )
    )
  )

  it.effect("starts anew at a later call, though it has the same id", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const agent = asking(worker("inner", Toolset.approvalRequired(noting(ran, "wipe"))))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(inShort(requestsIn(second)).approvals, [["o/w", "wipe", { n: 2 }]])
      assert.deepStrictEqual(ran, [["wipe", 1]])
      const third = yield* resumed(agent, second, { approveAll: true })
      assert.deepStrictEqual(ran, [
        ["wipe", 1],
        ["wipe", 2]
      ])
      assert.deepStrictEqual(resultsIn(third.messages), [
        ["inner", "1 done."],
        ["inner", "2 done."]
      ])
    }).pipe(
      Effect.provide(
        casting({
          outer: [
            calls([call("inner", { task: "1" }, "o")]),
            calls([call("inner", { task: "2" }, "o")]),
            text("Done.")
          ],
          inner: [
            calls([call("wipe", { n: 1 }, "w")]),
            text("1 done."),
            calls([call("wipe", { n: 2 }, "w")]),
            text("2 done.")
          ]
        })
      )
    )
  )

  it.effect("may be several at the same time, of one agent", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const agent = asking(worker("inner", Toolset.approvalRequired(noting(ran, "wipe"))))
      const first = yield* Agent.run(agent, { prompt, concurrency: 1 })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [
        ["a/w", "wipe", { n: 1 }],
        ["b/w", "wipe", { n: 2 }]
      ])
      const { messages } = yield* resumed(agent, first, { approvals: { "b/w": true, "a/w": false } })
      assert.deepStrictEqual(ran, [["wipe", 2]])
      assert.deepStrictEqual(
        resultsIn(messages).map(([name]) => name),
        ["inner", "inner"]
      )
    }).pipe(
      Effect.provide(
        casting({
          outer: [
            calls([call("inner", { task: "1" }, "a"), call("inner", { task: "2" }, "b")]),
            text("Done.")
          ],
          inner: [
            calls([call("wipe", { n: 1 }, "w")]),
            calls([call("wipe", { n: 2 }, "w")]),
            text("done."),
            text("done.")
          ]
        })
      )
    )
  )
})
