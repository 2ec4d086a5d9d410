import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Schema, SchemaGetter } from "effect"
import { Prompt, Tool, Toolkit } from "effect/ai"
import {
  Agent,
  ApprovalRequired,
  ModelRetry,
  RunContext,
  ToolCall,
  ToolFailed,
  Toolset
} from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { answersIn, resultsIn } from "../agent/answers.ts"

const { calls, text } = ScriptedModel

class NoSuchCity extends Schema.TaggedError<NoSuchCity>()("NoSuchCity", { city: Schema.String }) {
  override get message() {
    return `There is no ${this.city}.`
  }
}

const Weather = Tool.make("weather", {
  description: "Tells the weather.",
  parameters: Schema.Struct({ city: Schema.String, days: Schema.NumberFromString }),
  success: Schema.Struct({ on: Schema.DateTimeUtcFromString, sunny: Schema.Boolean }),
  failure: NoSuchCity
})
  .annotate(Tool.Title, "Weather")
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Strict, true)
const today = Schema.decodeSync(Schema.DateTimeUtcFromString)("2024-01-01T00:00:00.000Z")
const weatherIn = ({ city, days }: { readonly city: string; readonly days: number }) =>
  city === "Atlantis" ? Effect.fail(new NoSuchCity({ city })) : Effect.succeed({ on: today, sunny: days > 1 })

const kit = Toolkit.make(Weather)
const weather = Toolset.fromToolkit(kit).pipe(Toolset.provide(kit.toLayer({ weather: weatherIn })))

describe("the tools of a toolkit", () => {
  it.effect("have its names, descriptions, schemas and annotations", () =>
    Effect.gen(function* () {
      const [tool] = yield* Toolset.list(weather)
      assert.deepInclude(tool, { name: "weather", description: "Tells the weather.", kind: "function" })
      assert.deepInclude(tool?.parameters, { type: "object", required: ["city", "days"] })
      assert.deepInclude(tool?.returns, { type: "object", required: ["on", "sunny"] })
      const annotations = tool!.annotations as Context.Context<Tool.Title>
      assert.strictEqual(Context.get(annotations, Tool.Title), "Weather")
      assert.isTrue(Context.get(annotations, Tool.Readonly))
      assert.isTrue(Context.get(annotations, Tool.Strict))
    })
  )

  it.effect("take JSON, and give JSON", () =>
    Effect.gen(function* () {
      const result = yield* Toolset.call(weather, "weather", { city: "Rome", days: "2" })
      assert.deepStrictEqual(result, { on: "2024-01-01T00:00:00.000Z", sunny: true })
    })
  )

  it.effect("send back what does not decode", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Toolset.call(weather, "weather", { city: 1, x: 2 }))
      assert.instanceOf(error, ModelRetry)
      assert.strictEqual(error.reason, "arguments")
      for (const place of ['["city"]', '["days"]', '["x"]']) assert.include(error.message, `at ${place}`)
    })
  )

  it.effect("fail with what their handlers fail with", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Toolset.call(weather, "weather", { city: "Atlantis", days: "1" }))
      assert.instanceOf(error, NoSuchCity)
      assert.strictEqual(error.city, "Atlantis")
    })
  )

  it.effect("have failed, where their toolkit returns failures", () =>
    Effect.gen(function* () {
      const returning = Tool.make("weather", {
        parameters: Weather.parametersSchema,
        success: Weather.successSchema,
        failure: NoSuchCity,
        failureMode: "return"
      })
      const kit = Toolkit.make(returning)
      const toolset = Toolset.fromToolkit(kit).pipe(Toolset.provide(kit.toLayer({ weather: weatherIn })))
      const error = yield* Effect.flip(Toolset.call(toolset, "weather", { city: "Atlantis", days: "1" }))
      assert.instanceOf(error, ToolFailed)
      assert.strictEqual(error.message, "There is no Atlantis.")
      assert.deepStrictEqual(error.details, { _tag: "NoSuchCity", city: "Atlantis" })
    })
  )

  it.effect("may have neither parameters nor a result", () =>
    Effect.gen(function* () {
      const kit = Toolkit.make(Tool.make("ping"))
      const toolset = Toolset.fromToolkit(kit).pipe(Toolset.provide(kit.toLayer({ ping: () => Effect.void })))
      assert.strictEqual(yield* Toolset.call(toolset, "ping", {}), null)
      const error = yield* Effect.flip(Toolset.call(toolset, "ping", { x: 1 }))
      assert.deepInclude(error, { _tag: "ModelRetry", reason: "arguments" })
    })
  )

  it.effect("may come from a toolkit that has its handlers already", () =>
    Effect.gen(function* () {
      const handlers = yield* Effect.provide(kit, kit.toLayer({ weather: weatherIn }))
      const result = yield* Toolset.call(Toolset.fromToolkit(handlers), "weather", {
        city: "Rome",
        days: "1"
      })
      assert.deepInclude(result, { sunny: false })
    })
  )

  it.effect("may take what can be decoded and not encoded, but no other such arguments of a wrapper", () =>
    Effect.gen(function* () {
      const length = Schema.String.pipe(
        Schema.decodeTo(Schema.Int, {
          decode: SchemaGetter.transform((text: string) => text.length),
          encode: SchemaGetter.forbidden(() => "A length is no text.")
        })
      )
      const kit = Toolkit.make(
        Tool.make("measure", { parameters: Schema.Struct({ text: length }), success: Schema.Int })
      )
      const measure = Toolset.fromToolkit(kit).pipe(
        Toolset.provide(kit.toLayer({ measure: ({ text }) => Effect.succeed(text) }))
      )
      assert.strictEqual(yield* Toolset.call(measure, "measure", { text: "four" }), 4)
      const other = Toolset.wrapper(measure, (call, next) => next({ ...call, args: { text: 5 } }))
      assert.isTrue(Exit.hasDies(yield* Effect.exit(Toolset.call(other, "measure", { text: "four" }))))
    })
  )

  it.effect("take objects: others are refused when they are opened, and an object is what anything is", () =>
    Effect.gen(function* () {
      const listed = (tool: Tool.Any) => {
        const kit = { tools: { [tool.name]: tool }, handle: () => Effect.die("never called") }
        return Toolset.list(Toolset.fromToolkit(kit))
      }
      const others = [
        Tool.make("t", { parameters: Schema.String }),
        Tool.make("t", { parameters: Schema.Array(Schema.String) }),
        Tool.dynamic("t", { parameters: { type: "array" } })
      ]
      for (const tool of others) {
        const error = yield* Effect.flip(listed(tool))
        assert.strictEqual(error._tag, "ToolsetDefinitionError")
        assert.match(error.message, /^toolkit\(t\): The root of its parameters is /)
      }
      const [anything] = yield* listed(Tool.dynamic("t"))
      assert.deepStrictEqual(anything?.parameters, { type: "object", properties: {} })
    })
  )

  it.effect("die of the defects of their handlers", () =>
    Effect.gen(function* () {
      const toolset = Toolset.fromToolkit(kit).pipe(
        Toolset.provide(kit.toLayer({ weather: () => Effect.die("a bug") }))
      )
      const exit = yield* Effect.exit(Toolset.call(toolset, "weather", { city: "Rome", days: "1" }))
      assert(Exit.isFailure(exit))
      assert.strictEqual(Cause.squash(exit.cause), "a bug")
    })
  )

  it.effect("work in an agent", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.run(Agent.make({ toolsets: [Toolset.prefixed(weather, "my")] }), {
        prompt: "What is the weather?"
      })
      assert.strictEqual(output, '{"my_weather":{"on":"2024-01-01T00:00:00.000Z","sunny":false}}')
    }).pipe(Effect.provide(numbersAsText))
  )
  // A TestModel knows no text that is a number.
  const numbersAsText = ScriptedModel.layer(({ prompt }) =>
    prompt.content.length === 1
      ? calls({ my_weather: { city: "Rome", days: "1" } })
      : text(JSON.stringify(Object.fromEntries(resultsIn(prompt))))
  )
})

describe("the handlers of a toolkit", () => {
  it.effect("do not overwrite those of another that has a tool of the same name", () =>
    Effect.gen(function* () {
      const search = Tool.make("search", { success: Schema.String })
      const [docs, code] = [Toolkit.make(search), Toolkit.make(search)]
      const both = Toolset.combined(
        Toolset.fromToolkit(docs).pipe(
          Toolset.provide(docs.toLayer({ search: () => Effect.succeed("from the docs") })),
          Toolset.prefixed("docs")
        ),
        Toolset.fromToolkit(code).pipe(
          Toolset.provide(code.toLayer({ search: () => Effect.succeed("from the code") })),
          Toolset.prefixed("code")
        )
      )
      const { output } = yield* Agent.run(Agent.make({ toolsets: [both] }), { prompt: "Search." })
      assert.strictEqual(output, '{"docs_search":"from the docs","code_search":"from the code"}')
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("know the id of the call, and report how far they are", () =>
    Effect.gen(function* () {
      const count = Tool.make("count", { success: Schema.NumberFromString })
      const kit = Toolkit.make(count)
      const seen: Array<unknown> = []
      const toolset = Toolset.fromToolkit(kit).pipe(
        Toolset.provide(
          kit.toLayer({
            count: Effect.fnUntraced(function* (_, context) {
              seen.push(context.toolCallId)
              yield* context.preliminary(1)
              yield* context.preliminary(2)
              return 3
            })
          })
        )
      )
      const call: ToolCall["Service"] = {
        id: "the call",
        name: "count",
        exposedName: "count",
        attempt: 0,
        maxRetries: 1,
        lastAttempt: false,
        approved: false,
        metadata: {},
        progress: (value) => Effect.sync(() => seen.push({ progress: value }))
      }
      const result = yield* Effect.provideService(Toolset.call(toolset, "count", {}), ToolCall, call)
      assert.strictEqual(result, "3")
      assert.deepStrictEqual(seen, ["the call", { progress: "1" }, { progress: "2" }])
    })
  )

  it.effect("have another form of the result for models that can read it", () =>
    Effect.gen(function* () {
      const chart = Tool.make("chart", {
        success: Schema.Array(Schema.Int),
        toModelOutput: (values) => [Prompt.textPart({ text: `a chart of ${values.length}` })]
      })
      const kit = Toolkit.make(chart)
      const toolset = Toolset.fromToolkit(kit).pipe(
        Toolset.provide(kit.toLayer({ chart: () => Effect.succeed([1, 2]) }))
      )
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt: "Draw." })
      const [answer] = answersIn(messages)
      assert.deepStrictEqual(answer?.result, [1, 2])
      assert.deepStrictEqual(answer?.modelOutput, [Prompt.textPart({ text: "a chart of 2" })])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("know the run and the call", () =>
    Effect.gen(function* () {
      const who = Tool.make("who", { success: Schema.String, dependencies: [RunContext, ToolCall] })
      const kit = Toolkit.make(who)
      const toolset = Toolset.fromToolkit(kit).pipe(
        Toolset.provide(
          kit.toLayer({
            who: Effect.fnUntraced(function* () {
              return `${(yield* ToolCall).exposedName} in step ${(yield* RunContext).step}`
            })
          })
        ),
        Toolset.prefixed("p")
      )
      assert.strictEqual(yield* Toolset.call(toolset, "p_who", {}), "p_who in step 1")
    })
  )
})

describe("a signal", () => {
  it.effect("is one in the handler of a toolkit too", () =>
    Effect.gen(function* () {
      const t = Tool.make("t", { failure: Schema.Union([ModelRetry, ApprovalRequired]) })
      const kit = Toolkit.make(t)
      const failing = (error: ModelRetry | ApprovalRequired) =>
        Toolset.fromToolkit(kit).pipe(Toolset.provide(kit.toLayer({ t: () => Effect.fail(error) })))
      for (const error of [new ModelRetry({ message: "Again." }), new ApprovalRequired({})]) {
        assert.strictEqual(yield* Effect.flip(Toolset.call(failing(error), "t", {})), error)
      }
    })
  )
})
