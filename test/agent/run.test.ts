import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Agent, ModelRetry, Toolset } from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { answersIn, resultsIn } from "./answers.ts"

const { calls, parts, text } = ScriptedModel
const prompt = "Go."

const says = (name: string, value: string) => Toolset.tool(name, { handler: () => Effect.succeed(value) })

describe("a run", () => {
  it.effect("asks, calls and asks again until the model answers", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [says("a", "one"), says("b", "two")] })
      const { messages, output } = yield* Agent.run(agent, { prompt })
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(resultsIn(messages), [
        ["a", "one"],
        ["b", "two"],
        ["a", "one"]
      ])
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(
        requests.map((request) => request.prompt.content.map((message) => message.role)),
        [["user"], ["user", "assistant", "tool"], ["user", "assistant", "tool", "assistant", "tool"]]
      )
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ a: {}, b: {} }), calls({ a: {} }), text("Done.")])))
  )

  it.effect("may be written data-last", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.make({}).pipe(Agent.run({ prompt }))
      assert.strictEqual(output, "Done.")
    }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
  )

  it.effect("does not end with text that comes beside calls (P196)", () =>
    Effect.gen(function* () {
      const { messages, output } = yield* Agent.run(Agent.make({ toolsets: [says("a", "one")] }), { prompt })
      assert.strictEqual(output, "It is one.")
      assert.deepStrictEqual(resultsIn(messages), [["a", "one"]])
      const response = messages.content[1]!
      assert(response.role === "assistant")
      assert.deepStrictEqual(
        response.content.map((part) => (part.type === "text" ? part.text : part.type)),
        ["Let me see.", "tool-call"]
      )
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          parts([
            { type: "text", text: "Let me see." },
            { type: "tool-call", id: "1", name: "a", params: {} }
          ]),
          text("It is one.")
        ])
      )
    )
  )

  it.effect("answers with all of the text", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.run(Agent.make({}), { prompt })
      assert.strictEqual(output, "One, two.")
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          parts([
            { type: "text", text: "One, " },
            { type: "reasoning", text: "What comes after one?" },
            { type: "text", text: "two." }
          ])
        ])
      )
    )
  )

  it.effect("leaves to the provider what the provider runs itself", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const mine = Toolset.tool("search", { handler: () => Effect.sync(() => ran.push("mine")) })
      const result = yield* Agent.run(Agent.make({ toolsets: [mine] }), { prompt })
      assert.strictEqual(result.output, "Found.")
      assert.deepStrictEqual(ran, [])
      assert.strictEqual(result.usage.toolCalls, 0)
      assert.deepStrictEqual(answersIn(result.messages), [])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          parts([
            { type: "tool-call", id: "1", name: "search", params: {}, providerExecuted: true },
            { type: "text", text: "Found." }
          ])
        ])
      )
    )
  )

  it.effect("without tools calls none (P2)", () =>
    Effect.gen(function* () {
      const { output, usage } = yield* Agent.run(Agent.make({}), { prompt })
      assert.strictEqual(output, "success (no tool calls)")
      assert.deepInclude(usage, { requests: 1, toolCalls: 0 })
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("fails with the failures of its model", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(Agent.make({}), { prompt }))
      assert.deepInclude(error, { _tag: "AiError" })
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )
})

describe("the usage of a run", () => {
  const usage = (input: number | undefined, output: number | undefined) => ({
    type: "finish" as const,
    reason: "tool-calls" as const,
    usage: { inputTokens: { total: input }, outputTokens: { total: output } }
  })
  const call = (id: string, name: string) => ({ type: "tool-call" as const, id, name, params: {} })

  it.effect("counts requests, tokens, and the calls that gave a result (P98)", () =>
    Effect.gen(function* () {
      const refusing = Toolset.tool("b", { handler: () => Effect.fail(new ModelRetry({ message: "No." })) })
      const result = yield* Agent.run(Agent.make({ toolsets: [says("a", "one"), refusing] }), { prompt })
      assert.deepStrictEqual(result.usage, { requests: 3, toolCalls: 2, inputTokens: 17, outputTokens: 9 })
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          parts([call("1", "a"), call("2", "b"), call("3", "nobody"), usage(10, 4)]),
          parts([call("4", "a"), usage(undefined, 5)]),
          parts([
            { type: "text", text: "Done." },
            { ...usage(7, undefined), reason: "stop" }
          ])
        ])
      )
    )
  )

  it.effect("starts anew with each run", () =>
    Effect.gen(function* () {
      const first = yield* Agent.run(Agent.make({}), { prompt })
      const second = yield* Agent.run(Agent.make({}), { prompt, history: first.messages })
      assert.deepStrictEqual(second.usage, first.usage)
    }).pipe(Effect.provide(TestModel.layer()))
  )
})
