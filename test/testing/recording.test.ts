/** What test models see, and how they stream. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema, Stream } from "effect"
import { LanguageModel, Prompt, type Response, Tool, Toolkit } from "effect/ai"
import { Toolset } from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { OutputTool } from "../../src/interop/aiTool.ts"

const { calls, layer, parts, text } = ScriptedModel

const kit = Toolkit.make(
  Tool.make("search", {
    description: "Finds things.",
    parameters: Schema.Struct({ query: Schema.String }),
    success: Schema.String
  }),
  Tool.make("answer", { parameters: Schema.Struct({ value: Schema.Int }) }).annotate(OutputTool, true)
)
const toolkit = kit.pipe(
  Effect.provide(kit.toLayer({ search: () => Effect.succeed("found"), answer: () => Effect.void }))
)

describe("a request, as a test model sees it", () => {
  it.effect("is the prompt, and the tools that it was offered, output tools apart", () =>
    Effect.gen(function* () {
      const prompt = Prompt.make("Go.")
      yield* LanguageModel.generateText({ prompt, toolkit, disableToolCallResolution: true })
      const [request] = yield* ScriptedModel.requests
      assert.deepStrictEqual(request?.prompt.content, prompt.content)
      assert.deepStrictEqual(
        request?.tools.map(({ description, name }) => [name, description]),
        [["search", "Finds things."]]
      )
      assert.deepInclude(request?.tools[0]?.parameters, { type: "object", required: ["query"] })
      assert.deepStrictEqual(
        request?.outputTools.map((tool) => tool.name),
        ["answer"]
      )
    }).pipe(Effect.provide(layer([text("Done.")])))
  )

  it.effect("says whether text is an answer", () =>
    Effect.gen(function* () {
      for (const toolChoice of ["auto", "none", "required"] as const) {
        yield* LanguageModel.generateText({
          prompt: "Go.",
          toolkit,
          toolChoice,
          disableToolCallResolution: true
        })
      }
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(
        requests.map((request) => request.allowText),
        [true, true, false]
      )
    }).pipe(Effect.provide(layer(() => text("Done."))))
  )

  it.effect("is kept by a TestModel, with the tools of the last one at hand (P177)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* TestModel.requests, [])
      assert.deepStrictEqual(yield* TestModel.lastTools, [])
      assert.deepStrictEqual(yield* TestModel.lastToolNames, [])
      yield* LanguageModel.generateText({ prompt: "Go." })
      yield* LanguageModel.generateText({ prompt: "Go.", toolkit, disableToolCallResolution: true })
      assert.strictEqual((yield* TestModel.requests).length, 2)
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["search"])
      assert.deepStrictEqual(yield* TestModel.lastTools, (yield* TestModel.requests)[1]?.tools)
    }).pipe(Effect.provide(TestModel.layer({ callTools: [] })))
  )
})

describe("a streamed response", () => {
  const options = { prompt: "Go.", toolCallValidation: "deferred", disableToolCallResolution: true } as const
  const generated = Effect.map(LanguageModel.generateText(options), ({ content }) =>
    Prompt.fromResponseParts(content)
  )
  const streamed = Effect.map(Stream.runCollect(LanguageModel.streamText(options)), (all) =>
    Prompt.fromResponseParts(all)
  )
  const bothWays = (turn: ScriptedModel.Turn) =>
    Effect.provide(Effect.all([generated, streamed]), layer([turn, turn]))

  const turns: ReadonlyArray<[title: string, turn: ScriptedModel.Turn]> = [
    ["text", text("One, two and three.")],
    ["text of one word", text("One")],
    ["text with space around it", text("  One\n two ")],
    ["calls", parts([{ type: "tool-call", id: "1", name: "t", params: { x: [1, "a"] } }])],
    ["calls with text as arguments", parts([{ type: "tool-call", id: "1", name: "t", params: '{"x":1}' }])],
    ["calls without arguments", parts([{ type: "tool-call", id: "1", name: "t", params: undefined }])],
    [
      "calls that the provider runs",
      parts([{ type: "tool-call", id: "1", name: "t", params: {}, providerExecuted: true }])
    ],
    [
      "a bit of everything",
      parts([
        { type: "reasoning", text: "Let me see." },
        { type: "text", text: "One " },
        { type: "text", text: "two." },
        { type: "tool-call", id: "1", name: "t", params: {} },
        { type: "file", mediaType: "image/png", data: "aGk=" },
        { type: "text", text: "Three." }
      ])
    ],
    [
      "what a provider needs to know again",
      parts([
        { type: "reasoning", text: "Hm.", metadata: { anthropic: { signature: "abc" } } },
        { type: "text", text: "One.", metadata: { openai: { itemId: "1" } } },
        { type: "tool-call", id: "1", name: "t", params: {}, metadata: { openai: { itemId: "2" } } }
      ])
    ]
  ]
  for (const [title, turn] of turns) {
    it.effect(`says the same as one that comes at once: ${title}`, () =>
      Effect.gen(function* () {
        const [atOnce, inParts] = yield* bothWays(turn)
        assert.deepStrictEqual(inParts, atOnce)
      })
    )
  }

  const part = Schema.Union([
    Schema.Struct({ type: Schema.Literals(["text", "reasoning"]), text: Schema.String }),
    Schema.Struct({ type: Schema.Literal("tool-call"), name: Schema.NonEmptyString, params: Schema.Json })
  ])
  it.effect.prop(
    "says the same as one that comes at once, whatever it is",
    [Arbitrary.schema(Schema.Array(part))],
    ([all]) =>
      Effect.gen(function* () {
        const turn = parts(all.map((one, i) => ({ ...one, id: `${i}` }) as Response.PartEncoded))
        const [atOnce, inParts] = yield* bothWays(turn)
        assert.deepStrictEqual(inParts, atOnce)
      })
  )

  it.effect("comes in small parts, each called by its id", () =>
    Effect.gen(function* () {
      const all = yield* Stream.runCollect(LanguageModel.streamText(options))
      assert.deepStrictEqual(
        all.map((one) => ("delta" in one ? one.delta : one.type)),
        [
          "text-start",
          "One ",
          "two.",
          "text-end",
          "tool-params-start",
          '{"x":1}',
          "tool-params-end",
          "tool-call",
          "finish"
        ]
      )
    }).pipe(
      Effect.provide(
        layer([
          parts([
            { type: "text", text: "One two." },
            { type: "tool-call", id: "1", name: "t", params: { x: 1 } }
          ])
        ])
      )
    )
  )

  it.effect("is recorded as any other, and fails as any other", () =>
    Effect.gen(function* () {
      yield* streamed
      const error = yield* Effect.flip(streamed)
      assert.deepInclude(error, { _tag: "AiError" })
      assert.strictEqual((yield* ScriptedModel.requests).length, 2)
    }).pipe(Effect.provide(layer([calls({ t: {} })])))
  )

  it.effect("is what a TestModel says too", () =>
    Effect.gen(function* () {
      const offer = yield* Toolset.toToolkit(Toolset.tool("t", { handler: () => Effect.void }))
      const streamed = LanguageModel.streamText({ ...options, toolkit: yield* offer })
      const all = yield* Stream.runCollect(streamed)
      assert.deepStrictEqual(
        all.flatMap((one) => (one.type === "tool-call" ? [one.name] : [])),
        ["t"]
      )
    }).pipe(Effect.provide(TestModel.layer()))
  )
})
