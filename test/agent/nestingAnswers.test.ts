/** What is said to agents inside agents: it has to fit, before anything runs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { Prompt } from "effect/ai"
import { Agent, DeferredResultsMismatch, DeferredToolResults, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { asking, inShort, requestsIn } from "./deferring.ts"

import { call, casting, noting, prompt, worker } from "./nestedAgents.ts"

const { calls, text } = ScriptedModel

describe("what is said to an agent inside", () => {
  const wrong = Effect.fnUntraced(
    function* (
      answers: Parameters<typeof DeferredToolResults.from>[1],
      change: (results: DeferredToolResults) => DeferredToolResults = (results) => results,
      history: (messages: Prompt.Prompt) => Prompt.Prompt = (messages) => messages
    ) {
      const ran: Array<unknown> = []
      const gated = (name: string) => Toolset.approvalRequired(noting(ran, name))
      const agent = asking(worker("inner", gated("wipe"), noting(ran, "look"), gated("burn")), gated("high"))
      const first = yield* Agent.run(agent, { prompt })
      ran.length = 0
      const results = change(DeferredToolResults.from(requestsIn(first), answers))
      const error = yield* Effect.flip(
        Agent.run(agent, { history: history(first.messages), deferredResults: results })
      )
      assert(error instanceof DeferredResultsMismatch, `It is ${error._tag}.`)
      assert.deepStrictEqual(ran, [])
      return [error.problem, error.toolCallIds] as const
    },
    (effect) =>
      Effect.provide(
        effect,
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o"), call("high", {}, "h")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w"), call("look", {}, "l"), call("burn", {}, "b")]), text("done.")]
        })
      )
  )
  const approvals = { "o/w": true, "o/b": true, h: true }

  it.effect("has to fit before anything runs, outside or inside", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* wrong({ approvals: { h: true, "o/w": true } }), [
        "Results are missing for calls that wait",
        ["o/b"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals: { "o/b": true, "o/w": true } }), [
        "Results are missing for calls that wait",
        ["h"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals: { ...approvals, "o/nobody": true } }), [
        "There is no call of this id that waits",
        ["o/nobody"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals: { h: true, "o/w": true }, calls: { "o/b": 1 } }), [
        "The call waits for an approval, and was given a result",
        ["o/b"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals, calls: { "o/w": 1 } }), [
        "Calls were answered twice",
        ["o/w"]
      ])
      assert.deepStrictEqual(yield* wrong({ approvals, calls: { "o/l": 1 } }), [
        "A call that has its answer already cannot be answered again",
        ["o/l"]
      ])
    })
  )

  it.effect("cannot be said to the call that it waits in", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* wrong({ approvals, calls: { o: "done" } }), [
        "The answer is to no request",
        ["o"]
      ])
    })
  )

  it.effect("has to be to a call that is there", () =>
    Effect.gen(function* () {
      const renamed = (results: DeferredToolResults) =>
        new DeferredToolResults({
          ...results,
          suspended: results.suspended.map((one) => ({
            ...one,
            call: { ...one.call, rawArgs: { task: "Something else." } }
          }))
        })
      assert.deepStrictEqual(yield* wrong({ approvals }, renamed), ["The answer is to another call", ["o"]])
      const withoutIt = (messages: Prompt.Prompt): Prompt.Prompt => ({
        ...messages,
        content: messages.content.map((message) =>
          message.role === "assistant"
            ? { ...message, content: message.content.filter((part) => !("id" in part) || part.id !== "o") }
            : message
        )
      })
      assert.deepStrictEqual(yield* wrong({ approvals }, undefined, withoutIt), [
        "There is no call of this id that waits",
        ["o"]
      ])
    })
  )

  it.effect("is what remains, until all is said", () =>
    Effect.gen(function* () {
      const agent = asking(
        worker("inner", Toolset.approvalRequired(noting([], "wipe")), Toolset.external([{ name: "clock" }]))
      )
      const requests = requestsIn(yield* Agent.run(agent, { prompt }))
      const left = (answers: Parameters<typeof DeferredToolResults.from>[1]) =>
        Option.map(
          DeferredToolResults.remaining(requests, DeferredToolResults.from(requests, answers)),
          inShort
        )
      assert.deepStrictEqual(
        left({ approveAll: true }),
        Option.some({ calls: [["o/c", "clock", {}]], approvals: [] })
      )
      assert.deepStrictEqual(left({ approveAll: true, calls: { "o/c": 1 } }), Option.none())
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")])],
          inner: [calls([call("wipe", {}, "w"), call("clock", {}, "c")])]
        })
      )
    )
  )
})
