/** Durable runs that stop to ask: asked for again they ask the same, and with results they go on. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import {
  Agent,
  CallDeferred,
  DeferredToolRequests,
  DeferredToolResults,
  ToolCall,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"
import { approvedBy, requestsOf } from "./requests.ts"
import { doing, killing } from "./attempts.ts"
import { asked, run, withModelAnd } from "./models.ts"
import { onEveryKindOfStore } from "./stores.ts"

const { calls, text } = ScriptedModel
const durable = { runId: "run-1" }
const output = [Schema.String, DeferredToolRequests] as const

onEveryKindOfStore("a durable run that waits", ({ it, layer }) => {
  const withModel = withModelAnd(layer)

  it.effect("asks the same again, without a model call, and goes on with what was said", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const pay = Toolset.tool("pay", { requiresApproval: true, handler: () => does("pay", "paid") })
      const look = Toolset.tool("look", { handler: () => does("look", 1) })
      const end = Toolset.tool("end", { handler: () => killing1 })
      const killing1 = killing(1)
      const agent = Agent.make({
        toolsets: [Toolset.withId(Toolset.combined(look, pay, end), "bank")],
        output
      })
      const options = { prompt: "Go.", durable }
      const first = yield* run(agent, options)
      const second = yield* run(agent, options)
      assert.deepStrictEqual(second.output, first.output)
      assert.deepStrictEqual(second.messages, first.messages)
      assert.deepStrictEqual([done, yield* asked], [["look"], 1])

      const answered = { ...options, deferredResults: approvedBy(first.output) }
      assert.isTrue(Exit.isFailure(yield* Effect.exit(run(agent, answered))))
      // What was said is known: it need not be said again.
      const third = yield* run(agent, options)
      assert.strictEqual(third.output, "Done.")
      assert.deepStrictEqual([done, yield* asked], [["look", "pay"], 3])
      assert.deepStrictEqual(resultsIn(third.messages), [
        ["look", 1],
        ["pay", "paid"],
        ["end", null]
      ])
      const fourth = yield* run(agent, answered)
      assert.deepStrictEqual([fourth.output, done.length], ["Done.", 2])
    }).pipe(withModel([calls({ look: {}, pay: {} }), calls({ end: {} }), text("Done.")]))
  )

  it.effect("goes on from its history too", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const pay = Toolset.tool("pay", {
        requiresApproval: true,
        handler: () => Effect.tap(does("pay", "paid"), ends)
      })
      const ends = killing(1)
      const agent = Agent.make({ toolsets: [Toolset.withId(pay, "bank")], output })
      const { messages, output: asks } = yield* run(agent, { prompt: "Go.", durable })
      const goOn = run(agent, { history: messages, deferredResults: approvedBy(asks), durable })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(goOn)))
      assert.strictEqual((yield* goOn).output, "Done.")
      assert.deepStrictEqual([done, yield* asked], [["pay", "pay"], 2])
      assert.strictEqual((yield* run(agent, { prompt: "Go.", durable })).output, "Done.")
    }).pipe(withModel([calls({ pay: {} }), text("Done.")]))
  )

  it.effect(
    "waits twice: each answer is for what was asked, and the same again is no answer to the next",
    () =>
      Effect.gen(function* () {
        const { does, done } = doing()
        const pay = Toolset.tool("pay", {
          parameters: Schema.Struct({ n: Schema.Int }),
          requiresApproval: true,
          handler: ({ n }) => does(`pay ${n}`, n)
        })
        const agent = Agent.make({ toolsets: [Toolset.withId(pay, "bank")], output })
        const options = { prompt: "Go.", durable }
        const first = yield* run(agent, options)
        const one = approvedBy(first.output)
        const second = yield* run(agent, { ...options, deferredResults: one })
        const again = yield* run(agent, { ...options, deferredResults: one })
        assert.deepStrictEqual(again.output, second.output)
        assert.deepStrictEqual(done, ["pay 1"])
        const denied = DeferredToolResults.from(requestsOf(second.output), {
          approvals: { [requestsOf(second.output).approvals[0]!.toolCallId]: { deny: "Enough." } }
        })
        const third = yield* run(agent, { ...options, deferredResults: denied })
        assert.deepStrictEqual([third.output, done], ["Done.", ["pay 1"]])
        assert.deepStrictEqual(resultsIn(third.messages), [
          ["pay", 1],
          ["pay", "Enough."]
        ])
      }).pipe(withModel([calls({ pay: { n: 1 } }), calls({ pay: { n: 2 } }), text("Done.")]))
  )

  it.effect("results that do not fit are refused, and nothing of them is kept", () =>
    Effect.gen(function* () {
      const pay = Toolset.tool("pay", { requiresApproval: true, handler: () => Effect.succeed("paid") })
      const agent = Agent.make({ toolsets: [Toolset.withId(pay, "bank")], output })
      const options = { prompt: "Go.", durable }
      const { output: asks } = yield* run(agent, options)
      const requests = requestsOf(asks)
      const id = requests.approvals[0]!.toolCallId
      for (const answers of [{}, { approvals: { other: true } }, { calls: { [id]: 1 } }]) {
        const deferredResults = DeferredToolResults.from(requests, answers)
        const error = yield* Effect.flip(run(agent, { ...options, deferredResults }))
        assert.strictEqual(error._tag, "DeferredResultsMismatch")
      }
      const { output: ended } = yield* run(agent, { ...options, deferredResults: approvedBy(asks) })
      assert.strictEqual(ended, "Done.")
    }).pipe(withModel([calls({ pay: {} }), text("Done.")]))
  )

  it.effect("a call that was granted may wait again", () =>
    Effect.gen(function* () {
      const pay = Toolset.tool("pay", {
        requiresApproval: true,
        handler: () => Effect.fail(new CallDeferred({}))
      })
      const agent = Agent.make({ toolsets: [Toolset.withId(pay, "bank")], output })
      const options = { prompt: "Go.", durable }
      const first = yield* run(agent, options)
      const second = yield* run(agent, { ...options, deferredResults: approvedBy(first.output) })
      const [call] = requestsOf(second.output).calls
      const results = DeferredToolResults.from(requestsOf(second.output), {
        calls: { [call!.toolCallId]: "late" }
      })
      const third = yield* run(agent, { ...options, deferredResults: results })
      assert.deepStrictEqual([third.output, resultsIn(third.messages)], ["Done.", [["pay", "late"]]])
      assert.strictEqual(yield* asked, 2)
    }).pipe(withModel([calls({ pay: {} }), text("Done.")]))
  )

  it.effect("who is asked while it runs is asked once", () =>
    Effect.gen(function* () {
      const { done } = doing()
      const pay = Toolset.tool("pay", {
        requiresApproval: true,
        handler: () => Effect.map(ToolCall, ({ approved }) => (approved ? "paid" : "stolen"))
      })
      const end = Toolset.tool("end", { handler: () => ends })
      const ends = killing(1)
      const agent = Agent.make({ toolsets: [Toolset.withId(Toolset.combined(pay, end), "bank")] })
      const attempt = run(agent, {
        prompt: "Go.",
        durable,
        onDeferred: [
          () => Effect.sync(() => void done.push("nobody")),
          (requests) =>
            Effect.sync(() => {
              done.push("asked")
              return DeferredToolResults.from(requests, { approveAll: true })
            })
        ]
      })
      yield* Effect.exit(attempt)
      const { messages } = yield* attempt
      assert.deepStrictEqual(done, ["nobody", "asked"])
      assert.deepStrictEqual(resultsIn(messages)[0], ["pay", "paid"])
    }).pipe(withModel([calls({ pay: {} }), calls({ end: {} }), text("Done.")]))
  )

  it.effect("with a tool that is not replayable comes to an end: one approval, one charge", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      let time = 0
      const now = Toolset.tool("now", { handler: () => Effect.sync(() => ++time) }).pipe(
        Toolset.withId("clock"),
        Toolset.replayable(false)
      )
      const charge = Toolset.withId(
        Toolset.tool("charge", { requiresApproval: true, handler: () => does("charge", "ok") }),
        "bank"
      )
      const agent = Agent.make({ toolsets: [now, charge], output })
      const options = { prompt: "Go.", durable }
      const first = yield* run(agent, options)
      const { output: ended } = yield* run(agent, { ...options, deferredResults: approvedBy(first.output) })
      assert.deepStrictEqual([ended, done, yield* asked, time], ["Done.", ["charge"], 3, 2])
    }).pipe(withModel([calls({ now: {} }), calls({ charge: {} }), text("Done.")]))
  )
})
