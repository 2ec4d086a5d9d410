/** What a call is when somebody has said yes to it, or no. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, DeferredToolResults, ModelRetry, ToolCall, Toolset } from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { answersIn, callsIn, resultsIn, retry } from "./answers.ts"
import { asking, inShort, requestsIn, resumed, x } from "./deferring.ts"
import { callingT, doubling } from "./doubling.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

describe("an approval", () => {
  it.effect("runs what was said yes to, and tells the model what was not (P102)", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const agent = asking(Toolset.approvalRequired(doubling(ran)))
      const first = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(inShort(requestsIn(first)), {
        calls: [],
        approvals: [
          ["1", "t", { x: 1 }],
          ["2", "t", { x: 2 }]
        ]
      })
      assert.deepStrictEqual(ran, [])
      const second = yield* resumed(agent, first, { approvals: { 1: true, 2: false } })
      assert.strictEqual(second.output, "Done.")
      assert.deepStrictEqual(ran, [1])
      assert.deepStrictEqual(
        answersIn(second.messages).map(({ id, isFailure, options, result }) => [
          id,
          result,
          isFailure,
          options
        ]),
        [
          ["1", 2, false, {}],
          ["2", "The tool call was denied.", true, { "effect-toolset": { outcome: "Denied" } }]
        ]
      )
      assert.strictEqual(second.usage.toolCalls, 1)
    }).pipe(Effect.provide(callingT({ x: 1 }, { x: 2 })))
  )

  it.effect("is in what the test model says at the end (P103)", () =>
    Effect.gen(function* () {
      const temperature = (unit: string, value: number) =>
        Toolset.tool(`temperature_${unit}`, {
          parameters: Schema.Struct({ city: Schema.String }),
          success: Schema.Finite,
          handler: () => Effect.succeed(value)
        })
      const both = Toolset.combined(temperature("celsius", 21), temperature("fahrenheit", 69.8))
      const agent = asking(Toolset.approvalRequired(both))
      const first = yield* Agent.run(agent, { prompt })
      const [celsius, fahrenheit] = requestsIn(first).approvals
      const second = yield* resumed(agent, first, {
        approvals: { [celsius!.toolCallId]: true, [fahrenheit!.toolCallId]: false }
      })
      assert.strictEqual(
        second.output,
        '{"temperature_celsius":21,"temperature_fahrenheit":"The tool call was denied."}'
      )
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("that is refused says why (P104)", () =>
    Effect.gen(function* () {
      const agent = asking(Toolset.approvalRequired(doubling([])))
      const first = yield* Agent.run(agent, { prompt })
      const { messages } = yield* resumed(agent, first, { approvals: { 1: { deny: "Not on a Monday." } } })
      assert.deepStrictEqual(resultsIn(messages), [["t", "Not on a Monday."]])
    }).pipe(Effect.provide(callingT({ x: 1 })))
  )

  it.effect("may change the arguments, and the history keeps those of the model (P105)", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const agent = asking(Toolset.approvalRequired(doubling(ran)))
      const first = yield* Agent.run(agent, { prompt })
      const { messages } = yield* resumed(agent, first, { approvals: { 1: { approve: { x: 100 } } } })
      assert.deepStrictEqual(ran, [100])
      assert.deepStrictEqual(resultsIn(messages), [["t", 200]])
      assert.deepStrictEqual(
        callsIn(messages).map((call) => call.params),
        [{ x: 1 }]
      )
    }).pipe(Effect.provide(callingT({ x: 1 })))
  )

  it.effect("with changed arguments has them decoded and validated again, from text, too", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const validated: Array<readonly [number, boolean]> = []
      const tool = Toolset.tool("t", {
        parameters: x,
        validateArgs: Effect.fnUntraced(function* ({ x }) {
          validated.push([x, (yield* ToolCall).approved])
          if (x > 100) return yield* new ModelRetry({ message: "Too much." })
        }),
        requiresApproval: true,
        handler: ({ x }) => Effect.sync(() => ran.push(x))
      })
      const first = yield* Agent.run(asking(tool), { prompt })
      const { messages } = yield* resumed(asking(tool), first, {
        approvals: {
          1: { approve: '{"x":10}' },
          2: { approve: { x: "two" } },
          3: { approve: { x: 101 } },
          4: { approve: "" }
        }
      })
      assert.deepStrictEqual(ran, [10])
      assert.deepStrictEqual(validated, [
        [1, false],
        [2, false],
        [3, false],
        [4, false],
        [10, true],
        [101, true]
      ])
      const [, second, third, fourth] = answersIn(messages).map((part) => part.result)
      assert.include(second, "Invalid arguments: Expected number")
      assert.strictEqual(third, retry("Too much."))
      assert.include(fourth, "Missing key")
    }).pipe(Effect.provide(callingT({ x: 1 }, { x: 2 }, { x: 3 }, { x: 4 })))
  )

  it.effect("brings metadata to the call, and ordinary calls have none (P107)", () =>
    Effect.gen(function* () {
      const seen: Array<readonly [string, boolean, unknown]> = []
      const looking = (name: string) =>
        Toolset.tool(name, {
          handler: () =>
            Effect.map(ToolCall, ({ approved, metadata }) => {
              seen.push([name, approved, metadata])
            })
        })
      const agent = asking(
        looking("plain"),
        Toolset.approvalRequired(Toolset.combined(looking("a"), looking("b")))
      )
      const first = yield* Agent.run(agent, { prompt })
      yield* resumed(agent, first, { approveAll: true, metadata: { a: { by: "Ada", at: [1, null] } } })
      assert.deepStrictEqual(seen, [
        ["plain", false, {}],
        ["a", true, { by: "Ada", at: [1, null] }],
        ["b", true, {}]
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls(["plain", "a", "b"].map((name) => ({ name, args: {}, id: name }))),
          text("Done.")
        ])
      )
    )
  )

  it.effect("is for one call only: the next one of the same tool asks again", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const agent = asking(Toolset.approvalRequired(doubling(ran)))
      const again = calls([{ name: "t", args: { x: 1 }, id: "1" }])
      return yield* Effect.gen(function* () {
        const first = yield* Agent.run(agent, { prompt })
        const second = yield* resumed(agent, first, { approveAll: true })
        assert.deepStrictEqual(inShort(requestsIn(second)).approvals, [["1", "t", { x: 1 }]])
        assert.deepStrictEqual(ran, [1])
        const third = yield* resumed(agent, second, { approveAll: true })
        assert.strictEqual(third.output, "Done.")
        assert.deepStrictEqual(ran, [1, 1])
      }).pipe(Effect.provide(ScriptedModel.layer([again, again, text("Done.")])))
    })
  )

  it.effect("does not ask the predicate again", () =>
    Effect.gen(function* () {
      let asked = 0
      const gated = doubling([]).pipe(Toolset.approvalRequired(() => Effect.sync(() => ++asked > 0)))
      const first = yield* Agent.run(asking(gated), { prompt })
      yield* resumed(asking(gated), first, { approveAll: true })
      assert.strictEqual(asked, 1)
    }).pipe(Effect.provide(callingT({ x: 1 })))
  )

  it.effect("does not hold for what is called or run inside the approved call", () =>
    Effect.gen(function* () {
      const seen: Array<boolean> = []
      const inner = Toolset.tool("inner", {
        handler: () => Effect.map(ToolCall, ({ approved }) => void seen.push(approved))
      })
      const outer = Toolset.tool("t", {
        parameters: x,
        requiresApproval: true,
        handler: Effect.fnUntraced(function* () {
          yield* Toolset.call(inner, "inner", {})
          yield* Agent.run(Agent.make({ toolsets: [inner] }), { prompt }).pipe(
            Effect.provide(ScriptedModel.layer([calls({ inner: {} }), text("Done.")]))
          )
        })
      })
      const first = yield* Agent.run(asking(outer), { prompt })
      yield* resumed(asking(outer), first, { approveAll: true })
      assert.deepStrictEqual(seen, [false, false])
    }).pipe(Effect.provide(callingT({ x: 1 })))
  )

  it.effect("may fail, and the model is asked to try again; a second retry spends the budget", () =>
    Effect.gen(function* () {
      const failing = Toolset.tool("t", {
        parameters: x,
        requiresApproval: true,
        handler: () => Effect.fail(new ModelRetry({ message: "Not now." }))
      })
      const agent = asking(failing)
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(resultsIn(second.messages), [["t", retry("Not now.")]])
      const error = yield* Effect.flip(
        Agent.run(agent, {
          prompt,
          retries: 0,
          onDeferred: (requests) => Effect.succeed(DeferredToolResults.from(requests, { approveAll: true }))
        }).pipe(Effect.provide(callingT({ x: 1 })))
      )
      assert.deepInclude(error, { _tag: "ToolRetriesExceeded", toolName: "t", maxRetries: 0 })
    }).pipe(Effect.provide(callingT({ x: 1 })))
  )
})
