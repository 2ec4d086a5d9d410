/** Calls that wait for somebody, and what a run that waits ends with. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  DeferralNotAllowed,
  DeferredToolRequests,
  ModelRetry,
  ToolFailed,
  Toolset
} from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { answersIn, callsIn, resultsIn, retry } from "./answers.ts"
import { asking, calling, inShort, plain, requestsIn, waiting, x } from "./deferring.ts"

const { calls } = ScriptedModel
const prompt = "Go."

describe("a run that waits", () => {
  it.effect("ends with what it waits for (P100)", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.run(asking(waiting("my_tool", new CallDeferred({}))), { prompt })
      assert(output instanceof DeferredToolRequests)
      assert.deepStrictEqual(
        output.calls.map(({ args, toolName }) => [toolName, args]),
        [["my_tool", { x: 0 }]]
      )
      assert.deepStrictEqual(output.approvals, [])
      assert.deepStrictEqual(output.suspended, [])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("asks the model nothing more", () =>
    Effect.gen(function* () {
      yield* Agent.run(asking(waiting("t", new CallDeferred({}))), { prompt })
      assert.lengthOf(yield* ScriptedModel.requests, 1)
    }).pipe(Effect.provide(calling({ t: { x: 1 } })))
  )

  it.effect("has run the other calls, and has them in its history", () =>
    Effect.gen(function* () {
      const failing = Toolset.tool("fail", { handler: () => Effect.fail(new ToolFailed({ message: "No." })) })
      const again = Toolset.tool("again", { handler: () => Effect.fail(new ModelRetry({ message: "No." })) })
      const agent = asking(plain("a"), waiting("w", new ApprovalRequired({})), failing, again, plain("b"))
      const first = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [["w", "w", { x: 1 }]])
      assert.deepStrictEqual(resultsIn(first.messages), [
        ["a", "a ran"],
        ["fail", "No."],
        ["again", retry("No.")],
        ["b", "b ran"]
      ])
      assert.deepInclude(first.usage, { requests: 1, toolCalls: 2 })
    }).pipe(Effect.provide(calling({ a: {}, w: { x: 1 }, fail: {}, again: {}, b: {} })))
  )

  it.effect("lists calls and approvals in the order in which the model made them", () =>
    Effect.gen(function* () {
      const external = Toolset.external([{ name: "e" }])
      const gated = Toolset.approvalRequired(plain("g"))
      const agent = asking(
        external,
        gated,
        waiting("a", new ApprovalRequired({})),
        waiting("c", new CallDeferred({}))
      )
      const first = yield* Agent.run(agent, { prompt })
      const { approvals, calls } = requestsIn(first)
      assert.deepStrictEqual(
        [calls.map((call) => call.toolName), approvals.map((call) => call.toolName)],
        [
          ["c", "e"],
          ["a", "g"]
        ]
      )
      assert.deepStrictEqual(answersIn(first.messages), [])
      assert.lengthOf(callsIn(first.messages), 4)
    }).pipe(Effect.provide(calling({ a: { x: 1 }, c: { x: 2 }, g: {}, e: {} })))
  )

  it.effect("waits for the calls of one tool one by one", () =>
    Effect.gen(function* () {
      const first = yield* Agent.run(asking(waiting("t", new ApprovalRequired({}))), { prompt })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [
        ["1", "t", { x: 1 }],
        ["2", "t", { x: 2 }]
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls([
            { name: "t", args: { x: 1 }, id: "1" },
            { name: "t", args: { x: 2 }, id: "2" }
          ])
        ])
      )
    )
  )

  it.effect("stops at a later step, too", () =>
    Effect.gen(function* () {
      const first = yield* Agent.run(asking(plain("a"), Toolset.external([{ name: "e" }])), { prompt })
      assert.deepStrictEqual(
        requestsIn(first).calls.map((call) => call.toolName),
        ["e"]
      )
      assert.deepStrictEqual(resultsIn(first.messages), [["a", "a ran"]])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ a: {} }), calls({ e: {} })])))
  )

  it.effect("fails where no output of the agent says that it may (P115)", () =>
    Effect.gen(function* () {
      const toolset = Toolset.combined(
        Toolset.external([{ name: "e" }]),
        Toolset.approvalRequired(plain("g"))
      )
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [toolset] }), { prompt }))
      assert(error instanceof DeferralNotAllowed)
      assert.deepStrictEqual(error.toolNames, ["g", "e"])
      assert.strictEqual(
        error.message,
        "Calls of 'g', 'e' wait for somebody, and no output of the agent says so. " +
          "List DeferredToolRequests among its outputs, or answer them with the run's onDeferred."
      )
    }).pipe(Effect.provide(calling({ g: {}, e: {} })))
  )

  it.effect("cannot be all that an agent does (P116)", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(Agent.make({ output: DeferredToolRequests }), { prompt }))
      assert.deepInclude(error, {
        _tag: "AgentDefinitionError",
        problem: "DeferredToolRequests is the only output."
      })
    }).pipe(Effect.provide(calling({})))
  )

  it.effect("waits for nothing where an output ends the run", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [waiting("w", new CallDeferred({}))],
        output: [x, DeferredToolRequests]
      })
      const { messages, output } = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(output, { x: 7 })
      assert.deepStrictEqual(resultsIn(messages), [
        ["w", "Tool not executed - a final result was already processed."],
        ["final_result", "Final result processed."]
      ])
    }).pipe(Effect.provide(calling({ w: { x: 1 }, final_result: { x: 7 } })))
  )
})
