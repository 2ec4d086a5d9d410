/** What stands before the handlers of a toolkit, and what is around them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Schema, Tracer } from "effect"
import { type Prompt, Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import {
  Agent,
  ApprovalRequired,
  DeferralNotAllowed,
  ModelRetry,
  ToolCall,
  Toolset,
  ToolsetDefinitionError
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn, retry } from "../agent/answers.ts"

const { calls, text } = ScriptedModel

const call = (approved: boolean): ToolCall["Service"] => ({
  id: "the call",
  name: "t",
  exposedName: "t",
  attempt: 0,
  maxRetries: 1,
  lastAttempt: false,
  approved,
  metadata: {},
  progress: () => Effect.void
})

const Params = Schema.Struct({ n: Schema.NumberFromString })
/** A toolkit of one tool, that says what it got. */
const gated = (needsApproval: Tool.NeedsApproval<typeof Params>) => {
  const t = Tool.make("t", { parameters: Params, success: Schema.Number, needsApproval })
  const kit = Toolkit.make(t)
  return Toolset.fromToolkit(kit).pipe(Toolset.provide(kit.toLayer({ t: ({ n }) => Effect.succeed(n) })))
}
const calling = (toolset: Toolset.Toolset<any>, n: string, approved: boolean) =>
  Effect.provideService(Toolset.call(toolset, "t", { n }), ToolCall, call(approved))

describe("needsApproval", () => {
  it.effect("makes the tool one that waits for a yes", () =>
    Effect.gen(function* () {
      const toolset = gated(true)
      assert.strictEqual((yield* Toolset.list(toolset))[0]?.kind, "unapproved")
      assert.instanceOf(yield* Effect.flip(calling(toolset, "1", false)), ApprovalRequired)
      assert.strictEqual(yield* calling(toolset, "1", true), 1)
    })
  )

  it.effect("that is false makes it a tool as any other", () =>
    Effect.gen(function* () {
      const toolset = gated(false)
      assert.strictEqual((yield* Toolset.list(toolset))[0]?.kind, "function")
      assert.strictEqual(yield* calling(toolset, "1", false), 1)
    })
  )

  for (const [title, isLarge] of [
    ["a function", (n: number) => n > 10],
    ["a function of an Effect", (n: number) => Effect.succeed(n > 10)]
  ] as const) {
    it.effect(`may be ${title} of decoded arguments`, () =>
      Effect.gen(function* () {
        const toolset = gated(({ n }) => isLarge(n))
        assert.strictEqual((yield* Toolset.list(toolset))[0]?.kind, "function")
        assert.strictEqual(yield* calling(toolset, "10", false), 10)
        assert.instanceOf(yield* Effect.flip(calling(toolset, "11", false)), ApprovalRequired)
        assert.strictEqual(yield* calling(toolset, "11", true), 11)
      })
    )
  }

  it.effect("is not asked about a call that has its yes, nor about bad arguments", () =>
    Effect.gen(function* () {
      const toolset = gated(() => Effect.die("asked"))
      assert.strictEqual(yield* calling(toolset, "1", true), 1)
      const error = yield* Effect.flip(Toolset.call(toolset, "t", { n: 1 }))
      assert.instanceOf(error, ModelRetry)
    })
  )

  it.effect("knows the call and the history", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const roles = (messages: ReadonlyArray<Prompt.Message>) => messages.map((message) => message.role)
      const toolset = gated((_, { messages, toolCallId }) => {
        seen.push(toolCallId, roles(messages))
        return true
      })
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [toolset] }), { prompt: "Go." }))
      assert.deepStrictEqual(error, new DeferralNotAllowed({ toolNames: ["t"] }))
      assert.deepStrictEqual(seen, ["17", ["user", "assistant"]])
    }).pipe(Effect.provide(ScriptedModel.layer([calls([{ name: "t", args: { n: "1" }, id: "17" }])])))
  )
})

describe("a dynamic tool", () => {
  const raw = {
    type: "object",
    properties: { n: { type: "integer", minimum: 3 }, tag: { type: "string" } },
    required: ["n"],
    additionalProperties: false
  }

  it.effect("has its JSON Schema enforced", () =>
    Effect.gen(function* () {
      const kit = Toolkit.make(Tool.dynamic("t", { description: "Says what it got.", parameters: raw }))
      const toolset = Toolset.fromToolkit(kit).pipe(
        Toolset.provide(kit.toLayer({ t: (args) => Effect.succeed({ got: args }) }))
      )
      const [definition] = yield* Toolset.list(toolset)
      assert.deepStrictEqual(definition?.parameters, raw)
      assert.strictEqual(definition?.description, "Says what it got.")
      assert.deepStrictEqual(yield* Toolset.call(toolset, "t", { n: 3, tag: "a" }), {
        got: { n: 3, tag: "a" }
      })
      for (const args of [{ n: 2 }, { n: "3" }, {}, { n: 3, x: 1 }, [], "3"]) {
        const error = yield* Effect.flip(Toolset.call(toolset, "t", args))
        assert.deepInclude(error, { _tag: "ModelRetry", reason: "arguments" })
      }
    })
  )

  it.effect("may have a schema of effect", () =>
    Effect.gen(function* () {
      const kit = Toolkit.make(Tool.dynamic("t", { parameters: Params, success: Schema.Number }))
      const toolset = Toolset.fromToolkit(kit).pipe(
        Toolset.provide(kit.toLayer({ t: ({ n }) => Effect.succeed(n + 1) }))
      )
      assert.strictEqual(yield* Toolset.call(toolset, "t", { n: "3" }), 4)
      assert.instanceOf(yield* Effect.flip(Toolset.call(toolset, "t", { n: 3 })), ModelRetry)
    })
  )
})

describe("a tool that its provider runs", () => {
  it.effect("is refused when the toolset is opened", () =>
    Effect.gen(function* () {
      const WebSearch = Tool.providerDefined({
        id: "openai.web_search",
        customName: "web_search",
        providerName: "web_search"
      })
      const kit = Toolkit.make(WebSearch(undefined))
      const error = yield* Effect.flip(Toolset.list(Toolset.fromToolkit(kit)))
      assert.instanceOf(error, ToolsetDefinitionError)
      assert.deepInclude(error, {
        source: "toolkit(web_search)",
        problem: "The tool is run by the model's provider.",
        hint: "Leave it out of the toolkit; give it to the model itself."
      })
    })
  )
})

describe("the spans around a handler", () => {
  /** The spans of a call of a toolkit with this handler. */
  const spansOf = (handler: Effect.Effect<string>, n: string) =>
    Effect.gen(function* () {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const kit = Toolkit.make(Tool.make("t", { parameters: Params, success: Schema.String }))
      const toolset = Toolset.fromToolkit(kit).pipe(Toolset.provide(kit.toLayer({ t: () => handler })))
      yield* Toolset.call(toolset, "t", { n }).pipe(
        Effect.withSpan("the caller's"),
        Effect.provideService(Tracer.Tracer, tracer)
      )
      return (name: string) => spans.find((span) => span.name === name)!
    })

  it.effect("do not get the arguments of the call", () =>
    Effect.gen(function* () {
      const secret = "1234567"
      const named = yield* spansOf(Effect.withSpan(Effect.succeed("done"), "inside"), secret)
      for (const name of ["the caller's", "execute_tool t", "inside"]) {
        assert.notInclude(JSON.stringify(Array.from(named(name).attributes)), secret)
      }
    })
  )

  it.effect("get what the handler says of itself", () =>
    Effect.gen(function* () {
      const handler = Effect.gen(function* () {
        yield* Effect.annotateCurrentSpan("rows", 3)
        const span = yield* Effect.orDie(Effect.currentSpan)
        span.event("read", 0n)
        return "done"
      })
      const call = (yield* spansOf(handler, "1"))("execute_tool t")
      assert.strictEqual(call.attributes.get("rows"), 3)
      assert.deepStrictEqual(
        call.events.map(([name]) => name),
        ["read"]
      )
    })
  )

  it.effect("are the parents of those in it", () =>
    Effect.gen(function* () {
      const named = yield* spansOf(Effect.withSpan(Effect.succeed("done"), "inside"), "1")
      const around = Option.getOrUndefined(named("inside").parent)
      assert.strictEqual(around?.spanId, named("execute_tool t").spanId)
      assert.strictEqual(around?.traceId, named("execute_tool t").traceId)
    })
  )

  it.effect("may be none", () =>
    Effect.gen(function* () {
      const kit = Toolkit.make(Tool.make("t", { success: Schema.String }))
      const toolset = Toolset.fromToolkit(kit).pipe(
        Toolset.provide(kit.toLayer({ t: () => Effect.succeed("done") }))
      )
      assert.strictEqual(yield* Toolset.call(toolset, "t", {}), "done")
    })
  )
})

describe("a handler that takes too long", () => {
  it.effect("is interrupted, and its finalizers awaited", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const kit = Toolkit.make(Tool.make("t"))
      const slow = () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => log.push("interrupted")))
      const toolset = Toolset.fromToolkit(kit).pipe(
        Toolset.provide(kit.toLayer({ t: slow })),
        Toolset.timeout("1 second")
      )
      const fiber = yield* Effect.forkChild(Agent.run(Agent.make({ toolsets: [toolset] }), { prompt: "Go." }))
      yield* TestClock.adjust("1 second")
      const { messages } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(resultsIn(messages), [["t", retry("Timed out after 1 second.")]])
      assert.deepStrictEqual(log, ["interrupted"])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ t: {} }), text("Done.")])))
  )
})
