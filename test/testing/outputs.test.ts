/** What the test models answer where an agent has output tools. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AiError, LanguageModel } from "effect/ai"
import { Agent, ModelRetry, Toolset } from "effect-toolset"
import { ScriptedModel, TestModel, type TestModelOptions } from "effect-toolset/testing"
import { callsIn, resultsIn } from "../agent/answers.ts"

const prompt = "Go."
const Pair = Schema.Tuple([Schema.String, Schema.String])
const Point = Schema.Struct({ x: Schema.Int, y: Schema.String })
const t = Toolset.tool("t", { handler: () => Effect.succeed("ran") })

/** What an `AiError` of a test model says. */
const description = (error: unknown) => {
  assert.instanceOf(error, AiError.AiError)
  assert(error.reason._tag === "InvalidRequestError")
  return error.reason.description
}
/** The output calls of a run: their names and arguments. */
const outputCalls = (result: Agent.Result<unknown>) =>
  callsIn(result.messages).map(({ name, params }) => [name, params])
const testing = <A, E, R>(run: Effect.Effect<A, E, R>, options?: TestModelOptions) =>
  Effect.provide(run, TestModel.layer(options))

describe("a TestModel that has to answer with an output tool", () => {
  it.effect("makes up its arguments, after it has called the tools (P171)", () =>
    Effect.gen(function* () {
      const result = yield* testing(Agent.run(Agent.make({ toolsets: [t], output: Pair }), { prompt }))
      assert.deepStrictEqual(result.output, ["a", "a"])
      assert.deepStrictEqual(outputCalls(result), [
        ["t", {}],
        ["final_result", { response: ["a", "a"] }]
      ])
    })
  )

  it.effect("takes the arguments that it is given, inside of one object where they are none (P172)", () =>
    Effect.gen(function* () {
      const pair = yield* testing(Agent.run(Agent.make({ output: Pair }), { prompt }), {
        outputArgs: ["x", "y"]
      })
      assert.deepStrictEqual(pair.output, ["x", "y"])
      assert.deepStrictEqual(outputCalls(pair), [["final_result", { response: ["x", "y"] }]])
      assert.deepStrictEqual(resultsIn(pair.messages), [["final_result", "Final result processed."]])
      const point = yield* testing(Agent.run(Agent.make({ output: Point }), { prompt }), {
        outputArgs: { x: 3, y: "z" }
      })
      assert.deepStrictEqual(point.output, { x: 3, y: "z" })
    })
  )

  it.effect("takes falsy ones as well", () =>
    Effect.gen(function* () {
      for (const outputArgs of [false, 0, "", null]) {
        const agent = Agent.make({ output: Schema.Json })
        assert.strictEqual((yield* testing(Agent.run(agent, { prompt }), { outputArgs })).output, outputArgs)
      }
    })
  )

  it.effect("calls the first of several, or the one that the seed says", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ output: [Point, Pair, Schema.Boolean] })
      const named = (options: TestModelOptions) =>
        Effect.map(testing(Agent.run(agent, { prompt }), options), (result) => outputCalls(result)[0]?.[0])
      assert.deepStrictEqual(
        yield* Effect.forEach([0, 1, 2, 3], (seed) => named({ seed })),
        [1, 2, 3, 1].map((i) => `final_result_${i}`)
      )
      assert.strictEqual(yield* named({ outputArgs: { x: 1, y: "a" }, seed: 1 }), "final_result_1")
    })
  )

  it.effect("answers in text where it may", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [t], output: [Schema.String, Point] })
      assert.strictEqual((yield* testing(Agent.run(agent, { prompt }))).output, '{"t":"ran"}')
      assert.strictEqual((yield* testing(Agent.run(agent, { prompt }), { outputText: "Hm." })).output, "Hm.")
      const outputArgs = { x: 1, y: "a" }
      assert.deepStrictEqual(
        (yield* testing(Agent.run(agent, { prompt }), { outputArgs })).output,
        outputArgs
      )
    })
  )

  it.effect("tries again what was refused", () =>
    Effect.gen(function* () {
      let tried = 0
      const agent = Agent.make({
        output: Point,
        validateOutput: () => (++tried < 3 ? new ModelRetry({ message: "Again." }) : Effect.void),
        retries: 2
      })
      const result = yield* testing(Agent.run(agent, { prompt }))
      assert.deepStrictEqual(result.output, { x: 0, y: "a" })
      assert.strictEqual(tried, 3)
    })
  )

  it.effect("knows what it was asked: tools, output tools, and whether text will do (P177)", () =>
    Effect.gen(function* () {
      yield* Agent.run(Agent.make({ toolsets: [t], output: Point }), { prompt })
      const names = (tools: ReadonlyArray<{ readonly name: string }>) => tools.map((tool) => tool.name)
      const last = (yield* TestModel.requests).at(-1)!
      assert.deepStrictEqual(
        [names(last.tools), names(last.outputTools), last.allowText],
        [["t"], ["final_result"], false]
      )
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["t"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  const refusals: ReadonlyArray<
    readonly [agent: Agent.Agent<unknown>, options: TestModelOptions, said: string]
  > = [
    [
      Agent.make({ output: Pair }),
      { outputText: "Hm." },
      "Plain response not allowed, but `outputText` is set."
    ],
    [Agent.make({}), { outputArgs: 1 }, "There is no output tool, but `outputArgs` is set."],
    [
      Agent.make({ output: [Schema.String, Point] }),
      { outputArgs: 1, outputText: "Hm." },
      "Cannot set both `outputText` and `outputArgs`."
    ]
  ]
  for (const [agent, options, said] of refusals) {
    it.effect(`says so where it cannot: ${said} (P170)`, () =>
      Effect.gen(function* () {
        assert.strictEqual(
          description(yield* Effect.flip(testing(Agent.run(agent, { prompt }), options))),
          said
        )
      })
    )
  }
})

describe("the output of a ScriptedModel", () => {
  const { layer, output } = ScriptedModel
  const outputOf = (schema: Schema.Codec<unknown, any>, value: unknown) =>
    Effect.map(
      Agent.run(Agent.make({ output: schema }), { prompt }).pipe(Effect.provide(layer([output(value)]))),
      (result) => [result.output, outputCalls(result)[0]?.[1]]
    )

  it.effect("is the arguments of the output tool, inside of one object where the schema is none", () =>
    Effect.gen(function* () {
      const point = { x: 1, y: "a" }
      assert.deepStrictEqual(yield* outputOf(Point, point), [point, point])
      assert.deepStrictEqual(yield* outputOf(Pair, ["x", "y"]), [["x", "y"], { response: ["x", "y"] }])
      assert.deepStrictEqual(yield* outputOf(Schema.NullOr(Schema.Int), null), [null, { response: null }])
      assert.deepStrictEqual(yield* outputOf(Schema.Union([Point, Pair]), point), [
        point,
        { response: point }
      ])
    })
  )

  it.effect("is put inside of one once: what is there already is not", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outputOf(Schema.Int, { response: 3 }), [3, { response: 3 }])
      const Own = Schema.Struct({ response: Schema.Int })
      assert.deepStrictEqual(yield* outputOf(Own, { response: 3 }), [{ response: 3 }, { response: 3 }])
    })
  )

  it.effect("is that of the first output tool, after other turns", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [t], output: [Schema.String, Point, Pair] })
      const result = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(result.output, { x: 1, y: "a" })
      assert.deepStrictEqual(
        outputCalls(result).map(([name]) => name),
        ["t", "final_result_1"]
      )
    }).pipe(Effect.provide(layer([ScriptedModel.calls({ t: {} }), output({ x: 1, y: "a" })])))
  )

  it.effect("is text where there is no output tool: as it is, or as JSON", () =>
    Effect.gen(function* () {
      const said = Effect.map(LanguageModel.generateText({ prompt }), (response) => response.text)
      assert.deepStrictEqual(yield* Effect.all([said, said]), ["Hm.", '{"x":1}'])
    }).pipe(Effect.provide(layer([output("Hm."), output({ x: 1 })])))
  )
})

describe("ScriptedModel.output", () => {
  type Output = Schema.Codec<unknown, unknown>
  const Answer = Schema.Struct({ response: Schema.String })
  const cases: Record<string, readonly [Output | ReadonlyArray<Output>, unknown, string]> = {
    "an object with a `response`": [Answer, { response: "yes" }, "final_result"],
    "one of a union, which has a `response`": [
      Schema.Union([Answer, Point]),
      { response: "yes" },
      "final_result"
    ],
    "one of a union, which has none": [Schema.Union([Answer, Point]), { x: 1, y: "z" }, "final_result"],
    "an object with a `response` in an array": [Schema.Array(Answer), [{ response: "yes" }], "final_result"],
    "an object with a `response` that is one": [
      Schema.Struct({ response: Answer }),
      { response: { response: "yes" } },
      "final_result"
    ],
    "the second of several": [[Point, Answer], { response: "yes" }, "final_result_2"],
    "one that is no object, of several": [[Point, Schema.Boolean, Pair], ["a", "b"], "final_result_3"],
    "a string where no tool takes one": [[Schema.String, Point], "yes", "text"],
    "a string where a tool takes one": [
      [Schema.String, Schema.Literals(["yes", "no"])],
      "yes",
      "final_result"
    ],
    "an object beside text": [[Schema.String, Point], { x: 1, y: "z" }, "final_result"],
    text: [Schema.String, "yes", "text"]
  }
  for (const [what, [output, value, by]] of Object.entries(cases)) {
    it.effect(`answers with ${what}`, () =>
      Effect.gen(function* () {
        const agent = Agent.make({ output })
        const result = yield* Agent.run(agent, { prompt })
        assert.deepStrictEqual(result.output, value)
        assert.deepStrictEqual(outputCalls(result)[0]?.[0] ?? "text", by)
      }).pipe(Effect.provide(ScriptedModel.layer([ScriptedModel.output(value)])))
    )
  }
})
