/** Results with more to them: content for the model, metadata for the application, another form. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { Prompt, Tool, Toolkit } from "effect/ai"
import {
  Agent,
  CallDeferred,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, resultsIn } from "./answers.ts"

const { calls, layer, text } = ScriptedModel
const prompt = "Go."

const words = (...texts: ReadonlyArray<string>) => texts.map((text) => Prompt.textPart({ text }))
const picture = Prompt.filePart({ data: "aGVsbG8=", mediaType: "image/png", fileName: "chart.png" })
const tool = (name: string, end: Effect.Effect<unknown, ModelRetry | ToolFailed | CallDeferred>) =>
  Toolset.tool(name, { handler: () => end })
const showing = (name: string, ...texts: ReadonlyArray<string>) =>
  tool(name, Effect.succeed(new ToolReturn({ value: name, content: words(...texts) })))

const roles = (prompt: Prompt.Prompt) => prompt.content.map((message) => message.role)
/** What users said, in words; files by their name. */
const shown = (prompt: Prompt.Prompt) =>
  prompt.content.flatMap((message) =>
    message.role === "user"
      ? [message.content.map((part) => (part.type === "text" ? part.text : part.fileName))]
      : []
  )
const lastRequest = Effect.map(ScriptedModel.requests, (requests) => requests.at(-1)!.prompt)

describe("the content of results", () => {
  it.effect("is text and files, after all results of the step, in the order of the calls", () =>
    Effect.gen(function* () {
      const slow = tool(
        "slow",
        Effect.gen(function* () {
          for (let i = 0; i < 5; i++) yield* Effect.yieldNow
          return new ToolReturn({ value: 1, content: [...words("slow"), picture] })
        })
      )
      yield* Agent.run(Agent.make({ toolsets: [slow, showing("fast", "fast")] }), { prompt })
      const seen = yield* lastRequest
      assert.deepStrictEqual(roles(seen), ["user", "assistant", "tool", "user"])
      assert.deepStrictEqual(resultsIn(seen), [
        ["slow", 1],
        ["fast", "fast"]
      ])
      assert.deepStrictEqual(shown(seen), [["Go."], ["slow", "chart.png", "fast"]])
    }).pipe(Effect.provide(layer([calls({ slow: {}, fast: {} }), text("Done.")])))
  )

  it.effect("comes after results that are none, too", () =>
    Effect.gen(function* () {
      const toolsets = [
        tool("retry", Effect.fail(new ModelRetry({ message: "Again." }))),
        showing("show", "look"),
        tool("fail", Effect.fail(new ToolFailed({ message: "No." })))
      ]
      yield* Agent.run(Agent.make({ toolsets }), { prompt })
      const seen = yield* lastRequest
      assert.deepStrictEqual(roles(seen), ["user", "assistant", "tool", "user"])
      assert.strictEqual(answersIn(seen).length, 4)
      assert.deepStrictEqual(shown(seen), [["Go."], ["look"]])
    }).pipe(Effect.provide(layer([calls({ retry: {}, show: {}, nobody: {}, fail: {} }), text("Done.")])))
  )

  it.effect("is kept where an output ends the run, and where it fails", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [showing("show", "look")],
        output: Schema.Struct({ n: Schema.Int })
      })
      const { messages } = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(roles(messages), ["user", "assistant", "tool", "user"])
      const broken = Toolset.tool("break", { sequential: true, handler: () => Effect.fail("boom") })
      const failing = Agent.make({ toolsets: [showing("show", "look"), broken] })
      const ended = yield* Agent.runExit(failing, { prompt })
      assert.deepStrictEqual(ended.exit, Exit.fail("boom"))
      assert.deepStrictEqual(shown(ended.messages), [["Go."], ["look"]])
    }).pipe(
      Effect.provide(layer([calls({ show: {}, final_result: { n: 1 } }), calls({ show: {}, break: {} })]))
    )
  )

  it.effect("comes from elsewhere as well, and before the prompt that comes with it (P125)", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [tool("ask", Effect.fail(new CallDeferred({})))],
        output: [Schema.String, DeferredToolRequests]
      })
      const first = yield* Agent.run(agent, { prompt })
      assert(first.output instanceof DeferredToolRequests)
      const rich = new ToolReturn({ value: "blue", content: [picture], metadata: { by: "somebody" } })
      yield* Agent.run(agent, {
        prompt: "Hurry.",
        history: first.messages,
        deferredResults: DeferredToolResults.from(first.output, { calls: { "1": rich } })
      })
      const seen = yield* lastRequest
      assert.deepStrictEqual(resultsIn(seen), [["ask", "blue"]])
      assert.deepStrictEqual(shown(seen), [["Go."], ["chart.png"], ["Hurry."]])
      assert.deepStrictEqual(answersIn(seen)[0]?.options, {
        "effect-toolset": { metadata: { by: "somebody" } }
      })
    }).pipe(Effect.provide(layer([calls([{ name: "ask", args: {}, id: "1" }]), text("Done.")])))
  )

  it.effect("passes through wrappers, which may add to it", () =>
    Effect.gen(function* () {
      const adding = Toolset.wrapper((call, next) =>
        Effect.map(
          next(call),
          (result) => new ToolReturn({ ...result, content: [...result.content, ...words("more")] })
        )
      )
      const toolset = showing("show", "look").pipe(adding, Toolset.prefixed("x"))
      yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt })
      assert.deepStrictEqual(shown(yield* lastRequest), [["Go."], ["look", "more"]])
    }).pipe(Effect.provide(layer([calls({ x_show: {} }), text("Done.")])))
  )
})

describe("the metadata of a result", () => {
  it.effect("is in nothing that a provider sends: only under a key of ours", () =>
    Effect.gen(function* () {
      const secret = tool("t", Effect.succeed(new ToolReturn({ value: 1, metadata: { token: "s3cret" } })))
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [secret] }), { prompt })
      const seen = yield* lastRequest
      const withoutOurs = JSON.stringify(seen, (key, value: unknown) =>
        key === "effect-toolset" ? undefined : value
      )
      assert.notInclude(withoutOurs, "s3cret")
      const written = JSON.stringify(Schema.encodeSync(Prompt.Prompt)(messages))
      const read = Schema.decodeUnknownSync(Prompt.Prompt)(JSON.parse(written))
      assert.deepStrictEqual(answersIn(read)[0]?.options, {
        "effect-toolset": { metadata: { token: "s3cret" } }
      })
    }).pipe(Effect.provide(layer([calls({ t: {} }), text("Done.")])))
  )
})

describe("the form of a result for the model", () => {
  it.effect("is what an effect/ai tool makes of it (toModelOutput)", () =>
    Effect.gen(function* () {
      const Chart = Tool.make("chart", {
        success: Schema.Struct({ points: Schema.Array(Schema.Finite) }),
        toModelOutput: ({ points }) => [Prompt.textPart({ text: `${points.length} points` }), picture]
      })
      const kit = Toolkit.make(Chart)
      const toolset = Toolset.fromToolkit(kit)
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt }).pipe(
        Effect.provide(kit.toLayer({ chart: () => Effect.succeed({ points: [1, 2] }) }))
      )
      const [answer] = answersIn(messages)
      assert.deepStrictEqual(answer?.result, { points: [1, 2] })
      assert.deepStrictEqual(answer?.modelOutput, [...words("2 points"), picture])
    }).pipe(Effect.provide(layer([calls({ chart: {} }), text("Done.")])))
  )

  it.effect("survives JSON with the history", () =>
    Effect.gen(function* () {
      const rich = new ToolReturn({ value: [1], modelOutput: [...words("one"), picture] })
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [tool("t", Effect.succeed(rich))] }), {
        prompt
      })
      const written = Schema.encodeSync(Prompt.Prompt)(messages)
      const read = Schema.decodeUnknownSync(Prompt.Prompt)(JSON.parse(JSON.stringify(written)))
      assert.deepStrictEqual(answersIn(read), answersIn(messages))
    }).pipe(Effect.provide(layer([calls({ t: {} }), text("Done.")])))
  )
})
