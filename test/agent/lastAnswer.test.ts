/** Limits that let the model answer with what it has. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Prompt, Response } from "effect/ai"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, callsIn, resultsIn } from "./answers.ts"

const { calls, output, parts, text } = ScriptedModel
const prompt = "Go."

const answerNow =
  "The limit of this run is reached: no more tools can be called. Give the final answer with what you have."
const beyond = "Not executed: the limit of this run is reached."

const Answer = Schema.Struct({ n: Schema.Int })
const log: Array<string> = []
const t = Toolset.tool("t", { handler: () => Effect.sync(() => (log.push("t"), "ran")) })
const agentOf = (limits: Agent.Limits) =>
  Agent.make({ toolsets: [t], limits: { ...limits, onLimit: "answer" }, retries: 1 })

/** How often the model was told to answer. */
const told = (messages: Prompt.Prompt) => JSON.stringify(messages.content).split(answerNow).length - 1
const last = Effect.map(ScriptedModel.requests, (requests) => requests.at(-1)!)
const t2 = calls([
  { name: "t", args: {} },
  { name: "t", args: {} }
])

const using = (input: number, ...given: ReadonlyArray<Response.PartEncoded>) =>
  parts([
    ...given,
    { type: "finish", reason: "stop", usage: { inputTokens: { total: input }, outputTokens: { total: 1 } } }
  ])
const call: Response.PartEncoded = { type: "tool-call", id: "1", name: "t", params: {} }
const said: Response.PartEncoded = { type: "text", text: "As far as I know, 3." }

describe("at the limit of requests", () => {
  it.effect("the last one is for the answer: the model is told, and has no tools", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agentOf({ requests: 2 }), { prompt })
      assert.strictEqual(result.output, "As far as I know, 3.")
      assert.deepStrictEqual((yield* last).tools, [])
      assert.strictEqual(told((yield* last).prompt), 1)
      assert.strictEqual(result.usage.requests, 2)
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ t: {} }), parts([said])])))
  )

  it.effect("output tools are left", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agentOf({ requests: 2 }), { prompt, output: Answer })
      assert.deepStrictEqual(result.output, { n: 3 })
      const { allowText, outputTools, tools } = yield* last
      assert.deepStrictEqual([allowText, outputTools.length, tools.length], [false, 1, 0])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ t: {} }), output({ n: 3 })])))
  )

  for (const [title, turn] of [
    ["an unknown call", calls({ t: {} })],
    ["nothing", parts([])]
  ] as const) {
    it.effect(`a last answer that is none ends the run with the limit: ${title}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Agent.run(agentOf({ requests: 2 }), { prompt }))
        assert.deepInclude(error, { _tag: "UsageLimitExceeded", limit: "requests", allowed: 2, wouldBe: 3 })
      }).pipe(Effect.provide(ScriptedModel.layer([calls({ t: {} }), turn])))
    )
  }
})

describe("at the limit of tool calls", () => {
  it.effect("no call of the response runs; each is answered, and the model asked for its answer", () =>
    Effect.gen(function* () {
      log.length = 0
      const result = yield* Agent.run(agentOf({ toolCalls: 2 }), { prompt })
      assert.strictEqual(result.output, "As far as I know, 3.")
      assert.deepStrictEqual(log, ["t"])
      assert.deepStrictEqual(resultsIn(result.messages), [
        ["t", "ran"],
        ["t", beyond],
        ["t", beyond]
      ])
      assert.deepStrictEqual(
        answersIn(result.messages).map((answer) => answer.id),
        callsIn(result.messages).map((call) => call.id)
      )
      assert.strictEqual(told(result.messages), 1)
      assert.deepStrictEqual((yield* last).tools, [])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ t: {} }), t2, parts([said])])))
  )

  it.effect("an output beside them is used", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agentOf({ toolCalls: 0 }), { prompt, output: Answer })
      assert.deepStrictEqual(result.output, { n: 3 })
      assert.deepStrictEqual(resultsIn(result.messages), [
        ["t", beyond],
        ["final_result", "Final result processed."]
      ])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ t: {}, final_result: { n: 3 } })])))
  )

  it.effect("the last answer may be refused within its budget, and the model is told once", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agentOf({ toolCalls: 0 }), { prompt, output: Answer })
      assert.deepStrictEqual(result.output, { n: 3 })
      assert.strictEqual(told(result.messages), 1)
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ t: {} }), text("3"), output({ n: 3 })])))
  )

  it.effect("a model that calls on ends the run with the limit", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(agentOf({ toolCalls: 0 }), { prompt }))
      assert.deepInclude(error, { _tag: "UsageLimitExceeded", limit: "tool calls", allowed: 0, wouldBe: 1 })
      assert.strictEqual((yield* ScriptedModel.requests).length, 2)
    }).pipe(Effect.provide(ScriptedModel.layer(() => calls({ t: {} }))))
  )

  it.effect("a model that says nothing is told what is left to it: text", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agentOf({ toolCalls: 0 }), { prompt })
      assert.strictEqual(result.output, "As far as I know, 3.")
      assert.include(JSON.stringify(result.messages.content), "Please return text.")
      assert.notInclude(JSON.stringify(result.messages.content), 'call a tool."')
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ t: {} }), parts([]), parts([said])])))
  )
})

describe("at a limit of tokens", () => {
  it.effect("the response that has crossed it is used, where it is the answer", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agentOf({ inputTokens: 5 }), { prompt })
      assert.strictEqual(result.output, "As far as I know, 3.")
      assert.strictEqual(result.usage.requests, 1)
      const structured = yield* Agent.run(agentOf({ inputTokens: 5 }), { prompt, output: Answer })
      assert.deepStrictEqual(structured.output, { n: 3 })
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          using(9, said),
          using(9, { type: "tool-call", id: "1", name: "final_result", params: { n: 3 } })
        ])
      )
    )
  )

  for (const [title, outputs, answer, got] of [
    ["text", Schema.String, said, "As far as I know, 3."],
    ["an output", Answer, { type: "tool-call", id: "2", name: "final_result", params: { n: 3 } }, { n: 3 }]
  ] as const) {
    it.effect(
      `its calls do not run, and the next response is the answer, though it costs more: ${title}`,
      () =>
        Effect.gen(function* () {
          log.length = 0
          const given: Schema.Codec<unknown> = outputs
          const result = yield* Agent.run(agentOf({ inputTokens: 5 }), { prompt, output: given })
          assert.deepStrictEqual(result.output, got)
          assert.deepStrictEqual(log, [])
          assert.deepStrictEqual(resultsIn(result.messages)[0], ["t", beyond])
          assert.strictEqual(told(result.messages), 1)
          assert.deepStrictEqual((yield* last).tools, [])
        }).pipe(Effect.provide(ScriptedModel.layer([using(9, call), using(9, answer)])))
    )
  }

  it.effect("a model that calls on ends the run with the limit", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(agentOf({ inputTokens: 5 }), { prompt }))
      assert.deepInclude(error, { limit: "input tokens", allowed: 5, wouldBe: 18 })
    }).pipe(Effect.provide(ScriptedModel.layer([using(9, call), using(9, call)])))
  )
})
