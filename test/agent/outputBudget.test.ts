/** How often an answer may be refused. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Response } from "effect/ai"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const { calls, output, parts, text } = ScriptedModel
const prompt = "Go."

const Report = Schema.Struct({ place: Schema.String, degrees: Schema.Int })
const good = { place: "Oslo", degrees: 3 }
const clock = Toolset.tool("clock", { handler: () => Effect.succeed("noon") })
const nothing = parts([])

describe("the budget of outputs", () => {
  const wrong = output({ place: "Oslo" })

  it.effect("is one for text, blanks and output tools together", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ output: Report, retries: { output: 3 } })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepInclude(error, { _tag: "OutputRetriesExceeded", maxRetries: 3 })
      assert.strictEqual((yield* ScriptedModel.requests).length, 4)
    }).pipe(Effect.provide(ScriptedModel.layer([wrong, nothing, text("3"), wrong, output(good)])))
  )

  it.effect("is not that of tools, which cost it nothing and reset nothing", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [clock], output: Report, retries: { tools: 0, output: 1 } })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepInclude(error, { _tag: "OutputRetriesExceeded", maxRetries: 1 })
      assert.strictEqual((yield* ScriptedModel.requests).length, 3)
    }).pipe(Effect.provide(ScriptedModel.layer([wrong, calls({ clock: {} }), wrong, output(good)])))
  )

  it.effect("costs the tools nothing", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [clock], output: Report, retries: { tools: 0, output: 5 } })
      const result = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(result.output, good)
    }).pipe(Effect.provide(ScriptedModel.layer([wrong, wrong, calls({ clock: {} }), wrong, output(good)])))
  )

  for (const [title, agents, runs, expected] of [
    ["a number is for both", 3, undefined, 3],
    ["the run's goes before the agent's", { output: 3 }, { output: 0 }, 0],
    ["what the run does not say is the agent's", { output: 3 }, { tools: 0 }, 3],
    ["by itself it is one", undefined, undefined, 1]
  ] as const) {
    it.effect(`is given by the run or the agent: ${title}`, () =>
      Effect.gen(function* () {
        const agent = Agent.make({ output: Report, retries: agents })
        const error = yield* Effect.flip(Agent.run(agent, { prompt, retries: runs }))
        assert.deepInclude(error, { _tag: "OutputRetriesExceeded", maxRetries: expected })
      }).pipe(Effect.provide(ScriptedModel.layer(() => wrong)))
    )
  }

  it.effect("is each run's own: five at the same time, each with one retry (P175)", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ output: Report })
      const model = ScriptedModel.layer(({ prompt }) => (prompt.content.length === 1 ? wrong : output(good)))
      const run = Agent.run(agent, { prompt }).pipe(Effect.provide(model))
      const results = yield* Effect.all([run, run, run, run, run], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.map((result) => result.usage.requests),
        [2, 2, 2, 2, 2]
      )
    })
  )
})

describe("a response in which the provider has not come to its end", () => {
  const search: Response.PartEncoded = {
    type: "tool-call",
    id: "s1",
    name: "web_search",
    params: {},
    providerExecuted: true
  }
  const finish = (reason: Response.FinishReason): Response.PartEncoded => ({
    type: "finish",
    reason,
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  })

  it.effect("is no answer, and costs nothing: the model is asked to go on", () =>
    Effect.gen(function* () {
      const { messages, output } = yield* Agent.run(Agent.make({ retries: 0 }), { prompt })
      assert.strictEqual(output, "Found.")
      assert.isFalse(messages.content.slice(1).some((message) => message.role === "user"))
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          parts([{ type: "text", text: "I look." }, search, finish("pause")]),
          parts([finish("pause")]),
          text("Found.")
        ])
      )
    )
  )
})
