import { Effect, type JsonSchema, type Layer } from "effect"
import type { LanguageModel, Prompt } from "effect/ai"
import { Agent } from "effect-toolset"
import {
  type ModelRequest,
  type OfferedTool,
  ScriptedModel,
  TestModel,
  TurnsLeft
} from "effect-toolset/testing"
import { describe, expectTypeOf, it } from "vitest"
import { Db, Log, tools } from "./fixtures.ts"

const bare = Agent.run(Agent.make({}), { prompt: "hi" })
const plain = Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "hi" })

describe("TestModel", () => {
  it("is a model that needs nothing", () => {
    expectTypeOf(TestModel.layer()).toEqualTypeOf<Layer.Layer<TestModel | LanguageModel.LanguageModel>>()
    expectTypeOf(TestModel.layer({ callTools: ["a"], outputText: undefined, seed: 1 })).toEqualTypeOf<
      Layer.Layer<TestModel | LanguageModel.LanguageModel>
    >()
    const tested = bare.pipe(Effect.provide(TestModel.layer()))
    expectTypeOf<Effect.Services<typeof tested>>().toEqualTypeOf<never>()
    expectTypeOf(plain.pipe(Effect.provide(TestModel.layer()))).toEqualTypeOf<
      Effect.Effect<Agent.Result<string>, Effect.Error<typeof plain>, Db>
    >()
  })

  it("remembers what it was asked", () => {
    expectTypeOf(TestModel.requests).toEqualTypeOf<
      Effect.Effect<ReadonlyArray<ModelRequest>, never, TestModel>
    >()
    expectTypeOf(TestModel.lastTools).toEqualTypeOf<
      Effect.Effect<ReadonlyArray<OfferedTool>, never, TestModel>
    >()
    expectTypeOf(TestModel.lastToolNames).toEqualTypeOf<
      Effect.Effect<ReadonlyArray<string>, never, TestModel>
    >()
  })

  it("takes options that there are", () => {
    // @ts-expect-error tools are called by name
    TestModel.layer({ callTools: "a" })
    // @ts-expect-error there is no such option
    TestModel.layer({ text: "x" })
  })
})

describe("ScriptedModel", () => {
  it("is a model of turns or of a function of the request, and needs nothing", () => {
    type Model = Layer.Layer<ScriptedModel | LanguageModel.LanguageModel>
    expectTypeOf(ScriptedModel.layer([])).toEqualTypeOf<Model>()
    expectTypeOf(
      ScriptedModel.layer((request) => {
        expectTypeOf(request).toEqualTypeOf<ModelRequest>()
        return ScriptedModel.text(request.tools.map((tool) => tool.name).join())
      })
    ).toEqualTypeOf<Model>()
    expectTypeOf(ScriptedModel.layer(() => Effect.succeed(ScriptedModel.text("x")))).toEqualTypeOf<Model>()
    expectTypeOf(ScriptedModel.layer([ScriptedModel.text("x")], { consumeAll: true })).toEqualTypeOf<Model>()
  })

  it("makes turns of calls, text and parts", () => {
    expectTypeOf(ScriptedModel.calls({ a: {}, b: { x: 1 } })).toEqualTypeOf<ScriptedModel.Turn>()
    expectTypeOf(
      ScriptedModel.calls([
        { name: "a", args: {}, id: "1" },
        { name: "a", args: { x: 1 } }
      ])
    ).toEqualTypeOf<ScriptedModel.Turn>()
    expectTypeOf(ScriptedModel.text("x")).toEqualTypeOf<ScriptedModel.Turn>()
    expectTypeOf(ScriptedModel.parts([{ type: "text", text: "x" }])).toEqualTypeOf<ScriptedModel.Turn>()
    // @ts-expect-error there is no such part
    ScriptedModel.parts([{ type: "words", text: "x" }])
  })

  it("remembers what it was asked", () => {
    expectTypeOf(ScriptedModel.requests).toEqualTypeOf<
      Effect.Effect<ReadonlyArray<ModelRequest>, never, ScriptedModel>
    >()
    const scripted = Effect.andThen(plain, ScriptedModel.requests).pipe(
      Effect.provide(ScriptedModel.layer([ScriptedModel.text("x")]))
    )
    expectTypeOf<Effect.Services<typeof scripted>>().toEqualTypeOf<Db>()
    expectTypeOf<Effect.Success<typeof scripted>>().toEqualTypeOf<ReadonlyArray<ModelRequest>>()
  })

  it("takes a script that needs nothing and does not fail", () => {
    // @ts-expect-error a text is no turn
    ScriptedModel.layer(["x"])
    // @ts-expect-error a script needs nothing
    ScriptedModel.layer(() => Effect.as(Log, ScriptedModel.text("x")))
    // @ts-expect-error nor does it fail
    ScriptedModel.layer(() => Effect.fail("x"))
  })

  it("says how many turns are left as data", () => {
    expectTypeOf<TurnsLeft["left"]>().toEqualTypeOf<number>()
    expectTypeOf<TurnsLeft["_tag"]>().toEqualTypeOf<"TurnsLeft">()
  })
})

describe("a request", () => {
  it("has what a model sees, and no more", () => {
    expectTypeOf<ModelRequest>().toEqualTypeOf<{
      readonly prompt: Prompt.Prompt
      readonly tools: ReadonlyArray<OfferedTool>
      readonly outputTools: ReadonlyArray<OfferedTool>
      readonly allowText: boolean
    }>()
    expectTypeOf<OfferedTool>().toEqualTypeOf<{
      readonly name: string
      readonly description: string | undefined
      readonly parameters: JsonSchema.JsonSchema
    }>()
  })
})
