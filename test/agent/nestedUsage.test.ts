/** What agents inside of calls use counts as the outer run's. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import type { Response } from "effect/ai"
import { Agent, ToolFailed, Toolset, UsageLimitExceeded } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "./answers.ts"

const { layer, parts, text } = ScriptedModel
const prompt = "Go."

/** A response that has used so many tokens. */
const using = (tokens: number, ...given: ReadonlyArray<Response.PartEncoded>) =>
  parts([
    ...given,
    {
      type: "finish",
      reason: "stop",
      usage: { inputTokens: { total: tokens }, outputTokens: { total: tokens } }
    }
  ])
const call = (name: string, params: unknown = {}): Response.PartEncoded => ({
  type: "tool-call",
  id: name,
  name,
  params
})
const said = (text: string): Response.PartEncoded => ({ type: "text", text })

const look = Toolset.tool("look", { handler: () => Effect.succeed("seen") })
const asTool = <A, E, R>(agent: Agent.Agent<A, E, R>, name: string) =>
  Agent.asTool(agent, { name, parameters: Schema.Struct({}), prompt: () => `Be the ${name}.` })
const scout = asTool(Agent.make({ toolsets: [look] }), "scout")
const outer = Agent.make({ toolsets: [scout] })

const script = [
  using(1, call("scout")),
  using(10, call("look")),
  using(100, said("Land!")),
  using(1000, said("There is land."))
]

describe("the usage of an agent inside", () => {
  it.effect("is added: requests, calls and tokens", () =>
    Effect.gen(function* () {
      const { output, usage } = yield* Agent.run(outer, { prompt })
      assert.strictEqual(output, "There is land.")
      assert.deepStrictEqual(usage, { requests: 4, toolCalls: 2, inputTokens: 1111, outputTokens: 1111 })
    }).pipe(Effect.provide(layer(script)))
  )

  it.effect("is added at any depth, and in a stream", () =>
    Effect.gen(function* () {
      const deep = Agent.make({ toolsets: [asTool(outer, "captain")] })
      const last = yield* Stream.runLast(Agent.stream(deep, { prompt }))
      assert(last._tag === "Some" && last.value._tag === "Done")
      assert.deepStrictEqual(last.value.result.usage, {
        requests: 6,
        toolCalls: 3,
        inputTokens: 211_111,
        outputTokens: 211_111
      })
    }).pipe(
      Effect.provide(
        layer([using(10_000, call("captain")), ...script, using(200_000, said("Captain says land."))])
      )
    )
  )

  it.effect("is added when it fails, whatever becomes of that", () =>
    Effect.gen(function* () {
      const limited = asTool(Agent.make({ toolsets: [look], limits: { requests: 1 } }), "scout")
      const told = limited.pipe(
        Toolset.catchTags({ UsageLimitExceeded: () => new ToolFailed({ message: "The scout is lost." }) })
      )
      const { messages, usage } = yield* Agent.run(Agent.make({ toolsets: [told] }), { prompt })
      assert.deepStrictEqual(resultsIn(messages), [["scout", "The scout is lost."]])
      assert.deepStrictEqual(usage, { requests: 3, toolCalls: 1, inputTokens: 111, outputTokens: 111 })
      const ended = yield* Agent.runExit(Agent.make({ toolsets: [limited] }), { prompt })
      assert.strictEqual(ended.exit._tag, "Failure")
      assert.deepStrictEqual(ended.usage, { requests: 2, toolCalls: 1, inputTokens: 11, outputTokens: 11 })
    }).pipe(Effect.provide(layer([...script.slice(0, 3), ...script.slice(0, 2)])))
  )

  it.effect("is added for all that run at the same time", () =>
    Effect.gen(function* () {
      const poet = asTool(Agent.make({}), "poet")
      const { usage } = yield* Agent.run(Agent.make({ toolsets: [poet] }), { prompt })
      assert.deepInclude(usage, { requests: 5, toolCalls: 3 })
    }).pipe(
      Effect.provide(
        layer(({ prompt, tools }) =>
          tools.length > 0 && prompt.content.length === 1
            ? ScriptedModel.calls([1, 2, 3].map(() => ({ name: "poet", args: {} })))
            : text("Done.")
        )
      )
    )
  )
})

describe("the limits of the outer run", () => {
  for (const [limits, limit, wouldBe] of [
    [{ requests: 3 }, "requests", 4],
    [{ inputTokens: 500 }, "input tokens", 1111]
  ] as const) {
    it.effect(`count it: ${limit}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Agent.run(outer, { prompt, limits }))
        assert.instanceOf(error, UsageLimitExceeded)
        assert.deepStrictEqual([error.limit, error.wouldBe], [limit, wouldBe])
      }).pipe(Effect.provide(layer(script)))
    )
  }
})

describe("the output of an agent inside", () => {
  it.effect("is the result of the call, as JSON: text, or what its schema encodes to", () =>
    Effect.gen(function* () {
      const When = Schema.Struct({ on: Schema.DateFromString })
      const outputs = [
        asTool(Agent.make({}), "text"),
        asTool(Agent.make({ output: [When, Schema.BigInt] }), "when")
      ]
      const { messages } = yield* Agent.run(Agent.make({ toolsets: outputs }), { prompt, concurrency: 1 })
      assert.deepStrictEqual(resultsIn(messages), [
        ["text", "Land!"],
        ["when", { on: "1970-01-01T00:00:00.000Z" }]
      ])
    }).pipe(
      Effect.provide(
        layer([
          parts([call("text"), call("when")]),
          text("Land!"),
          parts([call("final_result_1", { on: "1970-01-01T00:00:00.000Z" })]),
          text("Done.")
        ])
      )
    )
  )
})
