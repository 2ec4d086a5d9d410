/** Output tools under other names, the output of one run, and outputs that cannot be. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  Agent,
  AgentDefinitionError,
  DeferredToolRequests,
  ModelRetry,
  ToolNameConflict,
  Toolset,
  ToolsetDefinitionError
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const { calls, output, text } = ScriptedModel
const prompt = "Go."

const Report = Schema.Struct({ place: Schema.String })
const Count = Schema.Struct({ count: Schema.Int })
const names = Effect.map(ScriptedModel.requests, (requests) =>
  requests.map((request) => request.outputTools.map((tool) => tool.name))
)

describe("the name of an output tool", () => {
  it.effect("may be given, and is the beginning of each of several", () =>
    Effect.gen(function* () {
      const outputTool = { name: "report" }
      yield* Agent.run(Agent.make({ output: Report, outputTool }), { prompt })
      yield* Agent.run(Agent.make({ output: [Report, Count], outputTool }), { prompt })
      assert.deepStrictEqual(yield* names, [["report"], ["report_1", "report_2"]])
    }).pipe(Effect.provide(ScriptedModel.layer(() => output({ place: "Oslo" }))))
  )

  it.effect("is reserved: a tool of that name is a conflict, which says where both come from", () =>
    Effect.gen(function* () {
      const taken = Toolset.tool("final_result", { handler: () => Effect.void })
      const agent = Agent.make({ toolsets: [taken], output: Report })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.instanceOf(error, ToolNameConflict)
      assert.deepStrictEqual(
        [error.toolName, error.sources],
        ["final_result", ["the agent's outputTool", "tool(final_result)"]]
      )
      assert.deepStrictEqual(yield* ScriptedModel.requests, [])
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )

  it.effect("is not reserved by an agent that answers in text, or that calls its own otherwise", () =>
    Effect.gen(function* () {
      const taken = Toolset.tool("final_result", { handler: () => Effect.succeed("mine") })
      const inText = yield* Agent.run(Agent.make({ toolsets: [taken] }), { prompt })
      assert.strictEqual(inText.output, "Done.")
      const outputTool = { name: "report" }
      const named = yield* Agent.run(Agent.make({ toolsets: [taken], output: Report, outputTool }), {
        prompt
      })
      assert.deepStrictEqual(named.output, { place: "Oslo" })
    }).pipe(
      Effect.provide(
        ScriptedModel.layer(
          [calls({ final_result: {} }), text("Done.")].concat(calls({ report: { place: "Oslo" } }))
        )
      )
    )
  )

  it.effect("that no provider accepts is a definition error", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ output: Report, outputTool: { name: "my report" } })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.instanceOf(error, ToolsetDefinitionError)
      assert.strictEqual(error.source, "the agent's outputTool")
      assert.include(error.problem, "'my report'")
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )
})

describe("the output of a run", () => {
  const picky = Agent.make({
    output: Report,
    outputTool: { name: "answer", description: "The answer" },
    validateOutput: () => Effect.fail(new ModelRetry({ message: "Never good enough." }))
  })

  it.effect("takes the place of the agent's, which does not validate it", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(picky, { prompt, output: Count })
      assert.deepStrictEqual(result.output, { count: 3 })
      const [request] = yield* ScriptedModel.requests
      assert.deepStrictEqual(
        request?.outputTools.map(({ description, name }) => [name, description]),
        [["answer", "The answer"]]
      )
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ answer: { count: 3 } })])))
  )

  it.effect("may be text, or several", () =>
    Effect.gen(function* () {
      const inText = yield* Agent.run(picky, { prompt, output: Schema.String })
      const several = yield* picky.pipe(Agent.run({ prompt, output: [Count, Schema.Boolean] }))
      assert.deepStrictEqual([inText.output, several.output], ["Three.", true])
      assert.deepStrictEqual(yield* names, [[], ["answer_1", "answer_2"]])
    }).pipe(Effect.provide(ScriptedModel.layer([text("Three."), calls({ answer_2: { response: true } })])))
  )

  it.effect("is the agent's, where the run says nothing", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ output: Report })
      const result = yield* Agent.run(agent, { prompt, output: undefined })
      assert.deepStrictEqual(result.output, { place: "Oslo" })
    }).pipe(Effect.provide(ScriptedModel.layer([output({ place: "Oslo" })])))
  )
})

describe("an output that cannot be", () => {
  const hint = "List what the agent answers with: Schema.String for text, or a schema."
  const symbolic = Schema.Struct({ [Symbol.for("x")]: Schema.String })
  type Given = Schema.Codec<unknown> | ReadonlyArray<Schema.Codec<unknown>>
  const flaws: ReadonlyArray<readonly [title: string, output: Given, problem: RegExp, hint: string]> = [
    [
      "DeferredToolRequests alone (P116)",
      DeferredToolRequests as Schema.Codec<unknown>,
      /^DeferredToolRequests is the only output\.$/,
      hint
    ],
    [
      "DeferredToolRequests alone in a list",
      [DeferredToolRequests as Schema.Codec<unknown>],
      /^DeferredToolRequests is the only output\.$/,
      hint
    ],
    ["none", [], /^There is no output\.$/, hint],
    [
      "what no JSON Schema describes",
      symbolic as Schema.Codec<unknown>,
      /^Its `output` cannot be printed as JSON Schema: /,
      "Use a schema that describes JSON, or one with a codec to it."
    ]
  ]
  for (const [title, given, problem, hint] of flaws) {
    it.effect(`is an AgentDefinitionError of every run, before the model is asked: ${title}`, () =>
      Effect.gen(function* () {
        const ofAgent = Agent.run(Agent.make({ output: given }), { prompt })
        const ofRun = Agent.run(Agent.make({}), { prompt, output: given })
        for (const run of [ofAgent, ofRun]) {
          const error = yield* Effect.flip(run)
          assert.instanceOf(error, AgentDefinitionError)
          assert.match(error.problem, problem)
          assert.strictEqual(error.hint, hint)
        }
        assert.deepStrictEqual(yield* ScriptedModel.requests, [])
      }).pipe(Effect.provide(ScriptedModel.layer([])))
    )
  }
})
