/** What an agent may answer with: text, schemas, several of them, and what the model is offered for each. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, DeferredToolRequests, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { callsIn, resultsIn } from "./answers.ts"

const { calls, output, text } = ScriptedModel
const prompt = "Go."

const Report = Schema.Struct({ place: Schema.String, degrees: Schema.FiniteFromString })
class Sorry extends Schema.Class<Sorry>("Sorry")({ why: Schema.String }) {}
const clock = Toolset.tool("clock", { handler: () => Effect.succeed("noon") })

/** What the model was asked last. */
const asked = Effect.map(ScriptedModel.requests, (requests) => requests.at(-1)!)
const offered = Effect.map(asked, ({ allowText, outputTools }) => ({
  allowText,
  names: outputTools.map((tool) => tool.name)
}))

describe("an agent that answers in text", () => {
  for (const [title, agent] of [
    ["by itself", Agent.make({ toolsets: [clock] })],
    ["where it says so", Agent.make({ toolsets: [clock], output: Schema.String })],
    ["where it says so in a list", Agent.make({ toolsets: [clock], output: [Schema.String] })]
  ] as const) {
    it.effect(`has no output tool: ${title}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Agent.run(agent, { prompt })).output, "Noon.")
        assert.deepStrictEqual(yield* offered, { allowText: true, names: [] })
      }).pipe(Effect.provide(ScriptedModel.layer([text("Noon.")])))
    )
  }
})

describe("an agent that answers with a schema", () => {
  const agent = Agent.make({ toolsets: [clock], output: Report })
  const sent = { place: "Oslo", degrees: "-3" }

  it.effect("answers with the decoded arguments of an output tool, which ends the run", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(result.output, { place: "Oslo", degrees: -3 })
      assert.deepStrictEqual(resultsIn(result.messages), [["final_result", "Final result processed."]])
      assert.deepStrictEqual(
        result.messages.content.map((message) => message.role),
        ["user", "assistant", "tool"]
      )
      assert.deepInclude(result.usage, { requests: 1, toolCalls: 0 })
      assert.deepStrictEqual(yield* offered, { allowText: false, names: ["final_result"] })
    }).pipe(Effect.provide(ScriptedModel.layer([output(sent)])))
  )

  it.effect("may take its arguments as text", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(result.output, { place: "Oslo", degrees: -3 })
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ final_result: JSON.stringify(sent) })])))
  )

  it.effect("offers what the schema encodes to, and its tools beside it", () =>
    Effect.gen(function* () {
      yield* Agent.run(agent, { prompt })
      const { outputTools, tools } = yield* asked
      assert.deepStrictEqual(outputTools, [
        {
          name: "final_result",
          description: "The final answer, which ends the run.",
          parameters: {
            type: "object",
            properties: {
              place: { type: "string" },
              degrees: { type: "string" }
            },
            required: ["place", "degrees"],
            additionalProperties: false
          }
        }
      ])
      assert.deepStrictEqual(
        tools.map((tool) => tool.name),
        ["clock"]
      )
    }).pipe(Effect.provide(ScriptedModel.layer([output(sent)])))
  )

  it.effect("gives instances of a class", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(Agent.make({ output: Sorry }), { prompt })
      assert.instanceOf(result.output, Sorry)
      assert.strictEqual(result.output.why, "rain")
    }).pipe(Effect.provide(ScriptedModel.layer([output({ why: "rain" })])))
  )

  it.effect("is described as it says, as its schema says, or as what it is", () =>
    Effect.gen(function* () {
      const described = Schema.Array(Schema.String).annotate({ description: "Names of places" })
      const descriptions: Array<string | undefined> = []
      for (const [schema, outputTool] of [
        [described, { description: "Where to go" }],
        [described, {}],
        [Schema.Array(Schema.String), {}]
      ] as const) {
        yield* Agent.run(Agent.make({ output: schema, outputTool }), { prompt })
        descriptions.push((yield* asked).outputTools[0]?.description)
      }
      assert.deepStrictEqual(descriptions, [
        "Where to go",
        "Names of places",
        "The final answer, which ends the run."
      ])
    }).pipe(Effect.provide(ScriptedModel.layer(() => output(["Oslo"]))))
  )

  it.effect("has one tool for all its steps, so that providers know it again", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agent, { prompt })
      assert.strictEqual(result.output.place, "Oslo")
      const [first, second] = yield* ScriptedModel.requests
      assert.strictEqual(first?.outputTools[0]?.parameters, second?.outputTools[0]?.parameters)
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ clock: {} }), output(sent)])))
  )
})

describe("what is no object", () => {
  const kinds: ReadonlyArray<
    readonly [title: string, schema: Schema.Codec<any, any>, sent: unknown, got: unknown]
  > = [
    ["a pair (P171)", Schema.Tuple([Schema.String, Schema.String]), ["a", "b"], ["a", "b"]],
    ["a list", Schema.Array(Schema.Int), [1, 2], [1, 2]],
    ["a number", Schema.Finite, 3, 3],
    ["a boolean", Schema.Boolean, false, false],
    ["a date", Schema.DateFromString, "1970-01-01T00:00:00.000Z", new Date(0)],
    ["literals", Schema.Literals(["yes", "no"]), "no", "no"],
    ["literals of several types", Schema.Literals(["yes", 1]), 1, 1],
    ["text or nothing", Schema.NullOr(Schema.String), null, null],
    ["text or a number", Schema.Union([Schema.String, Schema.Finite]), "three", "three"],
    ["one struct or another", Schema.Union([Report, Sorry]), { why: "rain" }, new Sorry({ why: "rain" })],
    ["anything", Schema.Unknown, [1, { x: null }], [1, { x: null }]],
    ["text that is not just text", Schema.String.check(Schema.isMinLength(2)), "ab", "ab"]
  ]
  for (const [title, schema, sent, got] of kinds) {
    it.effect(`is asked for inside one, and given without it: ${title}`, () =>
      Effect.gen(function* () {
        const result = yield* Agent.run(Agent.make({ output: schema }), { prompt })
        assert.deepStrictEqual(result.output, got)
        assert.deepStrictEqual(callsIn(result.messages)[0]?.params, { response: sent })
        const { parameters } = (yield* asked).outputTools[0]!
        assert.deepStrictEqual(
          [parameters.type, Object.keys(parameters.properties ?? {}), parameters.required],
          ["object", ["response"], ["response"]]
        )
      }).pipe(Effect.provide(ScriptedModel.layer([calls({ final_result: { response: sent } })])))
    )
  }

  it.effect("is any object itself: a record, a struct without fields", () =>
    Effect.gen(function* () {
      const record = yield* Agent.run(Agent.make({ output: Schema.Record(Schema.String, Schema.Int) }), {
        prompt
      })
      const empty = yield* Agent.run(Agent.make({ output: Schema.Struct({}) }), { prompt })
      assert.deepStrictEqual([record.output, empty.output], [{ a: 1 }, {}])
    }).pipe(
      Effect.provide(ScriptedModel.layer([calls({ final_result: { a: 1 } }), calls({ final_result: {} })]))
    )
  )
})

describe("an agent that answers in several ways", () => {
  const all = [Report, Schema.String, Sorry, DeferredToolRequests, Schema.Boolean]
  const agent = Agent.make({ output: all })

  it.effect("has an output tool for each schema, named after it or by number, and may say text", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(agent, { prompt })
      assert.strictEqual(result.output, "It rains.")
      assert.deepStrictEqual(yield* offered, {
        allowText: true,
        names: ["final_result_1", "final_result_Sorry", "final_result_3"]
      })
    }).pipe(Effect.provide(ScriptedModel.layer([text("It rains.")])))
  )

  for (const [name, args, got] of [
    ["final_result_1", { place: "Oslo", degrees: "3" }, { place: "Oslo", degrees: 3 }],
    ["final_result_Sorry", { why: "rain" }, new Sorry({ why: "rain" })],
    ["final_result_3", { response: true }, true]
  ] as const) {
    it.effect(`answers with the one that is called: ${name}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* Agent.run(agent, { prompt })).output, got)
      }).pipe(Effect.provide(ScriptedModel.layer([calls({ [name]: args })])))
    )
  }

  it.effect("has one tool of the plain name, where one is no text", () =>
    Effect.gen(function* () {
      yield* Agent.run(Agent.make({ output: [Schema.String, Sorry, DeferredToolRequests] }), { prompt })
      assert.deepStrictEqual(yield* offered, { allowText: true, names: ["final_result"] })
    }).pipe(Effect.provide(ScriptedModel.layer([text("It rains.")])))
  )

  it.effect("tells schemas of one identifier apart", () =>
    Effect.gen(function* () {
      const other = Schema.Struct({ apology: Schema.String }).annotate({ identifier: "Sorry" })
      const odd = Schema.Struct({ x: Schema.Int }).annotate({ identifier: "2" })
      yield* Agent.run(Agent.make({ output: [Sorry, other, odd, Sorry] }), { prompt })
      assert.deepStrictEqual(
        (yield* offered).names,
        [1, 2, 3, 4].map((i) => `final_result_${i}`)
      )
    }).pipe(Effect.provide(ScriptedModel.layer([output({ why: "rain" })])))
  )
})
