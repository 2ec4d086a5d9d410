/** Results: encoded at once, and recorded as what the model reads. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Prompt } from "effect/ai"
import { Agent, ModelRetry, ToolFailed, ToolResultError, ToolReturn, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, resultsIn, retry } from "./answers.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

/** Runs an agent whose model calls all tools, named `a`, `b`, …, in one response. */
const run = <E>(...tools: ReadonlyArray<Toolset.Toolset<E>>) =>
  Agent.run(Agent.make({ toolsets: tools }), { prompt })
const callingAll = (...names: ReadonlyArray<string>) =>
  ScriptedModel.layer([calls(names.map((name) => ({ name, args: {} }))), text("Done.")])
const returning = <A>(name: string, value: A | ToolReturn<A>) =>
  Toolset.tool(name, { handler: () => Effect.succeed(value) })

describe("a result", () => {
  it.effect("is encoded by the schema of its tool", () =>
    Effect.gen(function* () {
      const { messages } = yield* run(
        Toolset.tool("a", {
          success: Schema.Struct({ on: Schema.DateTimeUtcFromString, n: Schema.BigInt }),
          handler: () => Effect.succeed({ on: Schema.decodeSync(Schema.DateTimeUtcFromString)(date), n: 7n })
        })
      )
      assert.deepStrictEqual(resultsIn(messages), [["a", { on: date, n: "7" }]])
    }).pipe(Effect.provide(callingAll("a")))
  )
  const date = "2024-01-01T00:00:00.000Z"

  it.effect("without a schema is JSON; nothing at all is null", () =>
    Effect.gen(function* () {
      const { messages } = yield* run(
        returning("a", undefined),
        returning("b", { x: 1, y: undefined, z: [true, null] }),
        returning("c", new Date(0)),
        returning("d", "text")
      )
      assert.deepStrictEqual(resultsIn(messages), [
        ["a", null],
        ["b", { x: 1, z: [true, null] }],
        ["c", "1970-01-01T00:00:00.000Z"],
        ["d", "text"]
      ])
    }).pipe(Effect.provide(callingAll("a", "b", "c", "d")))
  )

  it.effect("with content shows it to the model after all results of the step", () =>
    Effect.gen(function* () {
      const picture = (name: string) => Prompt.filePart({ data: name, mediaType: "image/png" })
      const { messages } = yield* run(
        returning("a", new ToolReturn({ value: 1, content: [picture("one"), picture("two")] })),
        returning("b", 2),
        returning("c", new ToolReturn({ value: 3, content: [Prompt.textPart({ text: "three" })] }))
      )
      assert.deepStrictEqual(
        messages.content.map((message) => message.role),
        ["user", "assistant", "tool", "user", "assistant"]
      )
      assert.deepStrictEqual(resultsIn(messages), [
        ["a", 1],
        ["b", 2],
        ["c", 3]
      ])
      const shown = messages.content[3]!
      assert(shown.role === "user")
      assert.deepStrictEqual(
        shown.content.map((part) => (part.type === "file" ? part.data : part.text)),
        ["one", "two", "three"]
      )
    }).pipe(Effect.provide(callingAll("a", "b", "c")))
  )

  it.effect("keeps its metadata from the model, and in the options of the history", () =>
    Effect.gen(function* () {
      const metadata = { source: "cache", age: 3, secret: () => 1 }
      const { messages } = yield* run(
        returning("a", new ToolReturn({ value: "seen", metadata })),
        returning("b", "no metadata"),
        returning("c", new ToolReturn({ value: "none that is JSON", metadata: { secret: () => 1 } }))
      )
      assert.deepStrictEqual(
        answersIn(messages).map(({ options, result }) => [result, options]),
        [
          ["seen", { "effect-toolset": { metadata: { source: "cache", age: 3 } } }],
          ["no metadata", {}],
          ["none that is JSON", {}]
        ]
      )
    }).pipe(Effect.provide(callingAll("a", "b", "c")))
  )

  it.effect("may have another form for models that can read it", () =>
    Effect.gen(function* () {
      const modelOutput = [Prompt.textPart({ text: "a chart" })]
      const { messages } = yield* run(
        returning("a", new ToolReturn({ value: [1, 2], modelOutput })),
        returning("b", 2)
      )
      const [a, b] = answersIn(messages)
      assert.deepStrictEqual(a?.result, [1, 2])
      assert.deepStrictEqual(a?.modelOutput, modelOutput)
      assert.strictEqual(b?.modelOutput, undefined)
    }).pipe(Effect.provide(callingAll("a", "b")))
  )
})

describe("what is no result", () => {
  it.effect("is recorded as a failure, with what it was", () =>
    Effect.gen(function* () {
      const failing = (name: string, error: ModelRetry | ToolFailed) =>
        Toolset.tool(name, { handler: () => Effect.fail(error) })
      const { messages } = yield* run(
        failing("a", new ModelRetry({ message: "Again." })),
        failing("b", new ToolFailed({ message: "No." })),
        failing("c", new ToolFailed({ message: "No.", details: { status: 404 } }))
      )
      assert.deepStrictEqual(
        answersIn(messages).map(({ isFailure, options, result }) => [result, isFailure, options]),
        [
          [retry("Again."), true, { "effect-toolset": { outcome: "ModelRetry" } }],
          ["No.", true, { "effect-toolset": { outcome: "ToolFailed" } }],
          [
            { message: "No.", details: { status: 404 } },
            true,
            { "effect-toolset": { outcome: "ToolFailed" } }
          ]
        ]
      )
    }).pipe(Effect.provide(callingAll("a", "b", "c")))
  )
})

describe("a result that cannot be encoded ends the run at once, and names its place", () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic

  const cases: ReadonlyArray<
    [title: string, value: unknown, path: ReadonlyArray<string | number>, success?: Schema.Codec<any>]
  > = [
    ["a function (P81)", { list: [1, { f: () => 1 }] }, ["list", 1, "f"]],
    ["a bigint", 1n, []],
    ["a number that JSON lacks", { n: Number.NaN }, ["n"]],
    ["a map", { m: new Map([["a", 1]]) }, ["m"]],
    ["what contains itself", cyclic, ["self"]],
    ["what the schema does not know (P81)", { n: 1.5 }, ["n"], Schema.Struct({ n: Schema.Int })],
    ["a ToolReturn inside of another value (P79)", [new ToolReturn({ value: 1 })], [0]],
    ["a ToolReturn inside of a ToolReturn (P79)", new ToolReturn({ value: new ToolReturn({ value: 1 }) }), []]
  ]
  for (const [title, value, path, success] of cases) {
    it.effect(title, () =>
      Effect.gen(function* () {
        const toolset = Toolset.tool("t", { success, handler: () => Effect.succeed(value) })
        const error = yield* Effect.flip(run(toolset, returning("other", 1)))
        assert.instanceOf(error, ToolResultError)
        assert.deepStrictEqual([error.toolName, error.path], ["t", path])
        // Nothing of it has come to the model.
        assert.strictEqual((yield* ScriptedModel.requests).length, 1)
      }).pipe(Effect.provide(callingAll("t", "other")))
    )
  }
})
