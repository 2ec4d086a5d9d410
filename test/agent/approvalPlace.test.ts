/** An answer is for one call: not for a later one, however equal it is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Prompt } from "effect/ai"
import { Agent, DeferredResultsMismatch, DeferredToolResults, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { asking, requestsIn, resumed } from "./deferring.ts"
import { call, casting, noting, prompt, worker } from "./nestedAgents.ts"

const { calls, text } = ScriptedModel

/** A tool that asks for a yes, or waits for a result. */
const tools = (ran: Array<unknown>) =>
  Toolset.combined(Toolset.approvalRequired(noting(ran, "wipe")), Toolset.external([{ name: "clock" }]))

/** Goes on with these results, which are not for it. */
const refused = Effect.fnUntraced(function* <A, E, R>(
  agent: Agent.Agent<A, E, R>,
  history: Prompt.Prompt,
  deferredResults: DeferredToolResults
) {
  const error = yield* Effect.flip(Agent.run(agent, { history, deferredResults }))
  assert(error instanceof DeferredResultsMismatch)
  return [error.problem, error.toolCallIds] as const
})

describe("an answer to a call", () => {
  const answers = {
    "a yes": ["wipe", { approvals: { 0: true } }],
    "a yes to other arguments": ["wipe", { approvals: { 0: { approve: { n: 2 } } } }],
    "a no": ["wipe", { approvals: { 0: false } }],
    "a result": ["clock", { calls: { 0: "noon" } }]
  } as const

  for (const [what, [name, answer]] of Object.entries(answers)) {
    const same = calls([call(name, {}, "0")])

    it.effect(`is not one to an equal call of the same id in a later response: ${what}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const agent = asking(tools(ran))
        const first = yield* Agent.run(agent, { prompt })
        const results = DeferredToolResults.from(requestsIn(first), answer)
        const second = yield* Agent.run(agent, { history: first.messages, deferredResults: results })
        const before = [...ran]
        assert.deepStrictEqual(yield* refused(agent, second.messages, results), [
          "The answer is to another call of this id",
          ["0"]
        ])
        assert.deepStrictEqual(ran, before)
        const third = yield* resumed(agent, second, answer)
        assert.strictEqual(third.output, "Done.")
      }).pipe(Effect.provide(ScriptedModel.layer([same, same, text("Done.")])))
    )

    it.effect(`is not one to an equal call inside an equal call: ${what}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const agent = asking(worker("inner", tools(ran)))
        const inside = JSON.parse(JSON.stringify(answer).replaceAll('"0"', '"0/0"'))
        const first = yield* Agent.run(agent, { prompt })
        const results = DeferredToolResults.from(requestsIn(first), inside)
        const second = yield* Agent.run(agent, { history: first.messages, deferredResults: results })
        const before = [...ran]
        assert.deepStrictEqual(yield* refused(agent, second.messages, results), [
          "The answer is to another call of this id",
          ["0"]
        ])
        assert.deepStrictEqual(ran, before)
        assert.strictEqual((yield* resumed(agent, second, inside)).output, "Done.")
      }).pipe(
        Effect.provide(
          casting({
            outer: [
              calls([call("inner", { task: "1" }, "0")]),
              calls([call("inner", { task: "1" }, "0")]),
              text("Done.")
            ],
            inner: [same, text("done."), same, text("done.")]
          })
        )
      )
    )

    it.effect(`is not one to the next call of the same run inside: ${what}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const agent = asking(worker("inner", tools(ran)))
        const inside = JSON.parse(JSON.stringify(answer).replaceAll('"0"', '"0/0"'))
        const first = yield* Agent.run(agent, { prompt })
        const results = DeferredToolResults.from(requestsIn(first), inside)
        const second = yield* Agent.run(agent, { history: first.messages, deferredResults: results })
        const stale = new DeferredToolResults({ ...results, suspended: requestsIn(second).suspended })
        assert.deepStrictEqual(yield* refused(agent, second.messages, stale), [
          "The answer is to another call of this id",
          ["0/0"]
        ])
      }).pipe(
        Effect.provide(
          casting({ outer: [calls([call("inner", { task: "1" }, "0")]), text("Done.")], inner: [same, same] })
        )
      )
    )

    it.effect(`is not one where onDeferred gives it again: ${what}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        let said: DeferredToolResults | undefined
        const error = yield* Effect.flip(
          Agent.run(Agent.make({ toolsets: [tools(ran)] }), {
            prompt,
            onDeferred: (requests) => Effect.sync(() => (said ??= DeferredToolResults.from(requests, answer)))
          })
        )
        assert(error instanceof DeferredResultsMismatch)
        assert.isAtMost(ran.length, 1)
      }).pipe(Effect.provide(ScriptedModel.layer([same, same, text("Done.")])))
    )
  }

  it.effect("says which of the calls of its id it is for, whatever the ids of others", () =>
    Effect.gen(function* () {
      const agent = asking(tools([]))
      let result: Agent.Result<unknown> = yield* Agent.run(agent, { prompt })
      const places: Array<unknown> = []
      while (result.output !== "Done.") {
        const requests = requestsIn(result)
        places.push(requests.calls.map((one) => [one.toolCallId, one.place]))
        result = yield* resumed(agent, result, {
          calls: Object.fromEntries(requests.calls.map((one) => [one.toolCallId, 1]))
        })
      }
      assert.deepStrictEqual(places, [
        [
          ["0", 0],
          ["1", 0]
        ],
        [["0", 1]],
        [
          ["1", 1],
          ["x", 0]
        ]
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          ...[["0", "1"], ["0"], ["1", "x"]].map((ids) => calls(ids.map((id) => call("clock", {}, id)))),
          text("Done.")
        ])
      )
    )
  )
})
