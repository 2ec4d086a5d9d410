import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { LanguageModel, Prompt, Tool } from "effect/ai"
import {
  ModelRetry,
  RunContext,
  ToolCall,
  ToolFailed,
  ToolReturn,
  Toolset,
  type ToolsetError
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { retry } from "../agent/answers.ts"

const { calls, layer, text } = ScriptedModel

const add = Toolset.tool("add", {
  description: "Adds two numbers.",
  parameters: Schema.Struct({ a: Schema.Int, b: Schema.Int }),
  handler: ({ a, b }) => Effect.succeed({ sum: a + b })
})

/** A request with what is offered then. */
const asking = <E>(offer: Effect.Effect<Toolset.ToolkitOf<E>, E | ToolsetError>) =>
  Effect.flatMap(offer, (toolkit) => LanguageModel.generateText({ prompt: "Go.", toolkit }))

/** What `generateText` by itself makes of the calls of a response. */
const resolved = <E>(toolset: Toolset.Toolset<E>, prompt: Prompt.RawInput = "Go.") =>
  Effect.gen(function* () {
    const offer = yield* Toolset.toToolkit(toolset)
    return yield* LanguageModel.generateText({ prompt, toolkit: yield* offer })
  })
const results = <E>(toolset: Toolset.Toolset<E>) =>
  Effect.map(resolved(toolset), ({ toolResults }) =>
    toolResults.map(({ encodedResult, isFailure, name, result }) => {
      assert.deepStrictEqual(encodedResult, result)
      return [name, result, isFailure]
    })
  )
const calling = (name: string, args: unknown) => layer(() => calls([{ name, args, id: "17" }]))

describe("a toolset as a toolkit", () => {
  it.effect("offers its tools as they are", () =>
    Effect.gen(function* () {
      const { tools } = yield* yield* Toolset.toToolkit(Toolset.prefixed(add, "p"))
      assert.deepStrictEqual(Object.keys(tools), ["p_add"])
      const [definition] = yield* Toolset.list(add)
      assert.strictEqual(Tool.getDescription(tools.p_add!), "Adds two numbers.")
      assert.deepStrictEqual(Tool.getJsonSchema(tools.p_add!), definition?.parameters)
    })
  )

  it.effect("gives results", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* results(add), [["add", { sum: 3 }, false]])
    }).pipe(Effect.provide(calling("add", { a: 1, b: 2 })))
  )

  it.effect("asks the model to mend arguments that do not decode", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* results(add), [
        ["add", retry('Invalid arguments: Expected number\n  at ["b"]'), true]
      ])
    }).pipe(Effect.provide(calling("add", { a: 1, b: "2" })))
  )

  it.effect("asks the model to retry", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("t", { handler: () => Effect.fail(new ModelRetry({ message: "Again." })) })
      assert.deepStrictEqual(yield* results(tool), [["t", retry("Again."), true]])
    }).pipe(Effect.provide(calling("t", {})))
  )

  it.effect("says what failed", () =>
    Effect.gen(function* () {
      const failing = (error: ToolFailed) => Toolset.tool("t", { handler: () => Effect.fail(error) })
      const plain = new ToolFailed({ message: "No." })
      assert.deepStrictEqual(yield* results(failing(plain)), [["t", "No.", true]])
      const details = new ToolFailed({ message: "No.", details: { status: 404 } })
      assert.deepStrictEqual(yield* results(failing(details)), [
        ["t", { message: "No.", details: { status: 404 } }, true]
      ])
    }).pipe(Effect.provide(calling("t", {})))
  )

  it.effect("fails with the failures of its tools, as they are", () =>
    Effect.gen(function* () {
      class Broken extends Schema.TaggedError<Broken>()("Broken", { at: Schema.Date }) {}
      const broken = new Broken({ at: new Date(0) })
      const tool = Toolset.tool("t", { handler: () => Effect.fail(broken) })
      const error = yield* Effect.flip(resolved(tool))
      assert.strictEqual(error, broken)
    }).pipe(Effect.provide(calling("t", {})))
  )

  it.effect("refuses with a sentence what waits for somebody", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const asking = Toolset.tool("t", {
        requiresApproval: () => true,
        handler: () => Effect.sync(() => ran.push("t"))
      })
      const elsewhere = Toolset.external([{ name: "t" }])
      assert.deepStrictEqual(yield* results(asking), [
        ["t", "The call waits for an approval. Nobody can be asked here.", true]
      ])
      assert.deepStrictEqual(yield* results(elsewhere), [
        ["t", "The result of the call comes from elsewhere. Nobody can be asked here.", true]
      ])
      assert.deepStrictEqual(ran, [])
    }).pipe(Effect.provide(calling("t", {})))
  )

  it.effect("streams as well", () =>
    Effect.gen(function* () {
      const toolkit = yield* yield* Toolset.toToolkit(add)
      const parts = yield* Stream.runCollect(LanguageModel.streamText({ prompt: "Go.", toolkit }))
      assert.deepStrictEqual(
        parts.flatMap((part) => (part.type === "tool-result" ? [part.result] : [])),
        [{ sum: 3 }]
      )
    }).pipe(Effect.provide(calling("add", { a: 1, b: 2 })))
  )

  it.effect("counts retries from offer to offer, and fails the request when there is one too many", () =>
    Effect.gen(function* () {
      const ask = asking(yield* Toolset.toToolkit(Toolset.withMaxRetries(add, 2)))
      assert.isTrue((yield* ask).toolResults[0]?.isFailure)
      assert.isTrue((yield* ask).toolResults[0]?.isFailure)
      assert.deepInclude(yield* Effect.flip(ask), { _tag: "ToolRetriesExceeded", toolName: "add" })
    }).pipe(Effect.provide(calling("add", {})))
  )

  it.effect("runs sequential tools alone, in the order of the calls", () => {
    const log: Array<string> = []
    const step = (name: string) =>
      Toolset.tool(name, {
        handler: Effect.fnUntraced(function* () {
          log.push(`${name}+`)
          yield* Effect.repeat(Effect.yieldNow, { times: 9 - log.length })
          log.push(`${name}-`)
        })
      })
    return Effect.gen(function* () {
      const offer = yield* Toolset.toToolkit(Toolset.sequential(Toolset.combined(step("a"), step("b"))))
      yield* LanguageModel.generateText({ prompt: "Go.", toolkit: yield* offer, concurrency: "unbounded" })
      assert.deepStrictEqual(log, ["a+", "a-", "b+", "b-"])
    }).pipe(Effect.provide(layer([calls({ a: {}, b: {} })])))
  })

  it.effect("finds what is searched for, and sends files as files", () =>
    Effect.gen(function* () {
      const file = Prompt.filePart({ mediaType: "image/png", data: "iVBORw0KGgo=" })
      const look = Toolset.tool("look", {
        description: "Looks at the sky.",
        handler: () => Effect.succeed(new ToolReturn({ value: "a cloud", modelOutput: [file] }))
      })
      const ask = asking(yield* Toolset.toToolkit(Toolset.searchable(look, { when: () => true })))
      yield* ask
      const { toolResults } = yield* ask
      assert.deepStrictEqual([toolResults[0]?.result, toolResults[0]?.modelOutput], ["a cloud", [file]])
    }).pipe(Effect.provide(layer([calls({ search_tools: { queries: ["sky"] } }), calls({ look: {} })])))
  )

  it.effect("lets its tools know the call and the request", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("t", {
        handler: Effect.fnUntraced(function* () {
          const { attempt, exposedName, id, name } = yield* ToolCall
          return [id, name, exposedName, attempt, (yield* RunContext).step]
        })
      })
      const offer = yield* Toolset.toToolkit(Toolset.prefixed(tool, "p"))
      const ask = asking(offer)
      const [first, second] = [yield* ask, yield* ask]
      assert.deepStrictEqual(first.toolResults[0]?.result, ["17", "t", "p_t", 0, 1])
      assert.deepStrictEqual(second.toolResults[0]?.result, ["17", "t", "p_t", 0, 2])
    }).pipe(Effect.provide(calling("p_t", {})))
  )
})

describe("a tool of kind unapproved", () => {
  const wipe = (ran: Array<unknown>) =>
    Toolset.tool("wipe", {
      parameters: Schema.Struct({ path: Schema.String }),
      requiresApproval: true,
      handler: Effect.fnUntraced(function* ({ path }) {
        ran.push([path, (yield* ToolCall).approved])
        return `wiped ${path}`
      })
    })

  /** Asks, answers the approval, and gives what the model is asked then. */
  const answering = (ran: Array<unknown>, approved: boolean) =>
    Effect.gen(function* () {
      const first = yield* resolved(wipe(ran))
      assert.deepStrictEqual(first.toolResults, [])
      assert.deepStrictEqual(ran, [])
      const request = first.content.find((part) => part.type === "tool-approval-request")!
      assert.strictEqual(request.toolCallId, "1")
      const answer = Prompt.toolMessage({
        content: [Prompt.toolApprovalResponsePart({ approvalId: request.approvalId, approved })]
      })
      const history = Prompt.concat(Prompt.make("Go."), Prompt.fromResponseParts(first.content))
      yield* resolved(wipe(ran), Prompt.fromMessages([...history.content, answer]))
      const { prompt } = (yield* ScriptedModel.requests)[1]!
      return prompt.content.flatMap((message) =>
        message.role === "tool"
          ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.result] : []))
          : []
      )
    }).pipe(
      Effect.provide(layer([calls([{ name: "wipe", args: { path: "/tmp" }, id: "1" }]), text("Done.")]))
    )

  it.effect("is offered with needsApproval, and runs once it has its yes", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      assert.deepStrictEqual(yield* answering(ran, true), ["wiped /tmp"])
      assert.deepStrictEqual(ran, [["/tmp", true]])
    })
  )

  it.effect("does not run when it is denied", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const [result] = yield* answering(ran, false)
      assert.deepInclude(result, { type: "execution-denied" })
      assert.deepStrictEqual(ran, [])
    })
  )
})
