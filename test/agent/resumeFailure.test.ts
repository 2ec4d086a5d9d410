/** Runs that go on and fail: what was done is kept, so that it is not done again. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { Agent, DeferredToolResults, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "./answers.ts"
import { asking, requestsIn, resumed } from "./deferring.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."
const calling = (...names: ReadonlyArray<string>) =>
  ScriptedModel.layer([calls(names.map((name) => ({ name, args: {}, id: name }))), text("Done.")])

describe("a run that goes on and fails", () => {
  it.effect("has in its history what was approved and done, denied and supplied", () =>
    Effect.gen(function* () {
      let paid = 0
      const pay = Toolset.tool("pay", {
        sequential: true,
        handler: () => Effect.sync(() => `paid ${++paid}`)
      })
      const send = Toolset.tool("send", { handler: () => Effect.fail("offline" as const) })
      const gated = Toolset.approvalRequired(
        Toolset.combined(pay, send, Toolset.tool("wipe", { handler: () => Effect.void }))
      )
      const agent = asking(gated, Toolset.external([{ name: "clock" }]))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* Agent.runExit(agent, {
        history: first.messages,
        deferredResults: DeferredToolResults.from(requestsIn(first), {
          approvals: { pay: true, send: true, wipe: false },
          calls: { clock: "noon" }
        })
      })
      assert.strictEqual(second.exit._tag, "Failure")
      assert.deepStrictEqual(resultsIn(second.messages), [
        ["pay", "paid 1"],
        ["send", "The run ended before this call had a result."],
        ["wipe", "The tool call was denied."],
        ["clock", "noon"]
      ])
      const third = yield* Agent.run(agent, { history: second.messages, prompt: "And now?" })
      assert.deepStrictEqual([third.output, paid], ["Done.", 1])
    }).pipe(Effect.provide(calling("pay", "send", "wipe", "clock")))
  )
})

describe("toolsets that are chosen while running", () => {
  const tool = (name: string, ran: Array<string>) =>
    Toolset.tool(name, { handler: () => Effect.sync(() => (ran.push(name), name)) })

  it.effect("wait and go on as others do, as long as the same is chosen", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const chosen = yield* Ref.make<Toolset.Toolset>(tool("a", ran))
      const agent = asking(Toolset.dynamic(Ref.get(chosen)).pipe(Toolset.approvalRequired()))
      const first = yield* Agent.run(agent, { prompt })
      yield* Ref.set(chosen, tool("b", ran))
      const error = yield* Effect.flip(resumed(agent, first, { approveAll: true }))
      assert.deepInclude(error, {
        problem: "The tool 'a' is not offered any more; nothing has been executed",
        toolCallIds: ["a"]
      })
      yield* Ref.set(chosen, Toolset.combined(tool("b", ran), tool("a", ran)))
      const second = yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual([second.output, ran], ["Done.", ["a"]])
    }).pipe(Effect.provide(calling("a")))
  )
})
