/** Going on from a history whose last calls wait: with what was said to them, with a prompt, or with nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref, Schema } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  type DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  ToolCall,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, callsIn, resultsIn, retry } from "./answers.ts"
import { asking, inShort, requestsIn, resumed } from "./deferring.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."
const x = Schema.Struct({ x: Schema.Int })

/** A model that makes these calls in one response, each with its own name as id, and then is done. */
const calling = (all: Readonly<Record<string, unknown>>, ...then: ReadonlyArray<ScriptedModel.Turn>) =>
  ScriptedModel.layer([
    calls(Object.entries(all).map(([name, args]) => ({ name, args, id: name }))),
    ...(then.length === 0 ? [text("Done.")] : then)
  ])

const plain = (name: string) => Toolset.tool(name, { handler: () => Effect.succeed(`${name} ran`) })
const gated = (name: string) => Toolset.approvalRequired(plain(name))
const external = (...names: ReadonlyArray<string>) => Toolset.external(names.map((name) => ({ name })))

const roles = (prompt: Prompt.Prompt) => prompt.content.map((message) => message.role)
const ids = (prompt: Prompt.Prompt) => answersIn(prompt).map((part) => part.id)

describe("results", () => {
  it.effect("are what was said: a value, a rich one, a retry, a failure, a denial (P120)", () =>
    Effect.gen(function* () {
      const agent = asking(external("value", "nothing", "rich", "retry", "failure"), gated("denied"))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, {
        approvals: { denied: false },
        calls: {
          value: { a: [1, null] },
          nothing: undefined,
          rich: new ToolReturn({
            value: "a chart",
            content: [Prompt.textPart({ text: "Look:" })],
            metadata: { from: "browser" },
            modelOutput: [Prompt.textPart({ text: "a nice chart" })]
          }),
          retry: new ModelRetry({ message: "Ask later." }),
          failure: new ToolFailed({ message: "No.", details: { status: 404 } })
        }
      })
      assert.strictEqual(second.output, "Done.")
      assert.deepStrictEqual(
        answersIn(second.messages).map(({ isFailure, name, options, result }) => [
          name,
          result,
          isFailure,
          options["effect-toolset"]
        ]),
        [
          ["value", { a: [1, null] }, false, undefined],
          ["nothing", null, false, undefined],
          ["rich", "a chart", false, { metadata: { from: "browser" } }],
          ["retry", retry("Ask later."), true, { outcome: "ModelRetry" }],
          ["failure", { message: "No.", details: { status: 404 } }, true, { outcome: "ToolFailed" }],
          ["denied", "The tool call was denied.", true, { outcome: "Denied" }]
        ]
      )
      const [, , rich] = answersIn(second.messages)
      assert.deepStrictEqual(rich?.modelOutput, [Prompt.textPart({ text: "a nice chart" })])
      assert.deepStrictEqual(roles(second.messages), ["user", "assistant", "tool", "user", "assistant"])
    }).pipe(Effect.provide(calling({ value: {}, nothing: {}, rich: {}, retry: {}, failure: {}, denied: {} })))
  )

  it.effect("cost no retry: a tool without any may be answered with one", () =>
    Effect.gen(function* () {
      const agent = asking(external("e"))
      const first = yield* Agent.run(agent, { prompt })
      const { output } = yield* Agent.run(agent, {
        history: first.messages,
        retries: 0,
        deferredResults: DeferredToolResults.from(requestsIn(first), {
          calls: { e: new ModelRetry({ message: "Again." }) }
        })
      })
      assert.strictEqual(output, "Done.")
    }).pipe(Effect.provide(calling({ e: {} })))
  )

  it.effect("that look like signals are data", () =>
    Effect.gen(function* () {
      const data = [
        { _tag: "ModelRetry", message: "No." },
        { _tag: "Approved", args: {} },
        { _tag: "Denied", reason: "Because." },
        { approve: true }
      ]
      const names = ["a", "b", "c", "d"]
      const agent = asking(external(...names))
      const first = yield* Agent.run(agent, { prompt })
      const { messages } = yield* resumed(agent, first, {
        calls: Object.fromEntries(names.map((name, i) => [name, data[i]]))
      })
      assert.deepStrictEqual(
        answersIn(messages).map((part) => [part.result, part.isFailure]),
        data.map((one) => [one, false])
      )
    }).pipe(Effect.provide(calling({ a: {}, b: {}, c: {}, d: {} })))
  )

  it.effect("of a call that its validator deferred are recorded, and its body never runs (P113)", () =>
    Effect.gen(function* () {
      let ran = 0
      const tool = Toolset.tool("t", {
        parameters: x,
        maxRetries: 0,
        validateArgs: () => Effect.fail(new CallDeferred({ metadata: { queue: "desk" } })),
        handler: () => Effect.sync(() => ran++)
      })
      const first = yield* Agent.run(asking(tool), { prompt })
      assert.deepStrictEqual(requestsIn(first).calls[0]?.metadata, { queue: "desk" })
      const { messages } = yield* resumed(asking(tool), first, { calls: { t: "from the desk" } })
      assert.deepStrictEqual(resultsIn(messages), [["t", "from the desk"]])
      assert.strictEqual(ran, 0)
    }).pipe(Effect.provide(calling({ t: { x: 1 } })))
  )

  it.effect("of a batch of all kinds are with those of the first run, in the order of the calls", () =>
    Effect.gen(function* () {
      const shows = Toolset.tool("shows", {
        handler: () =>
          Effect.succeed(new ToolReturn({ value: 1, content: [Prompt.textPart({ text: "shown" })] }))
      })
      const agent = asking(external("e"), shows, gated("g"), plain("p"))
      const first = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(ids(first.messages), ["shows", "p"])
      const second = yield* resumed(agent, first, {
        approveAll: true,
        calls: { e: new ToolReturn({ value: 2, content: [Prompt.textPart({ text: "shown, too" })] }) }
      })
      // Providers want all results of a response right behind it.
      assert.deepStrictEqual(roles(second.messages), [
        "user",
        "assistant",
        "tool",
        "user",
        "user",
        "assistant"
      ])
      assert.deepStrictEqual(ids(second.messages), ["e", "shows", "g", "p"])
      const [, request] = yield* ScriptedModel.requests
      assert.deepStrictEqual(request?.prompt.content, second.messages.content.slice(0, -1))
      assert.deepStrictEqual(roles(second.newMessages), ["tool", "user", "assistant"])
      assert.deepStrictEqual(ids(second.newMessages), ["e", "g"])
    }).pipe(Effect.provide(calling({ e: {}, shows: {}, g: {}, p: {} })))
  )

  it.effect("go on from new messages that were put behind the old ones, as well", () =>
    Effect.gen(function* () {
      const agent = asking(external("e"), plain("p"))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { calls: { e: 1 } })
      const stored = Prompt.fromMessages([...first.messages.content, ...second.newMessages.content])
      assert.deepStrictEqual(roles(stored), ["user", "assistant", "tool", "tool", "assistant"])
      const third = yield* Agent.run(agent, { history: stored, prompt: "And now?" })
      assert.deepStrictEqual(third.messages.content.slice(0, 4), second.messages.content)
    }).pipe(Effect.provide(calling({ e: {}, p: {} }, text("Done."), text("Done."))))
  )

  it.effect("may come with a prompt, which is behind them (P125)", () =>
    Effect.gen(function* () {
      const agent = asking(external("e"))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* Agent.run(agent, {
        history: first.messages,
        deferredResults: DeferredToolResults.from(requestsIn(first), { calls: { e: 1 } }),
        prompt: "Be quick."
      })
      assert.deepStrictEqual(roles(second.messages), ["user", "assistant", "tool", "user", "assistant"])
      assert.deepStrictEqual(roles(second.newMessages), ["tool", "user", "assistant"])
    }).pipe(Effect.provide(calling({ e: {} })))
  )
})

describe("an approved call", () => {
  /** Asks until it was approved so often. */
  const askingTwice = (seen: Array<unknown>) =>
    Toolset.tool("t", {
      parameters: x,
      handler: Effect.fnUntraced(function* ({ x }) {
        const { approved, metadata } = yield* ToolCall
        seen.push([x, approved, metadata])
        if (!approved) return yield* new ApprovalRequired({ metadata: { level: 1 } })
        if (metadata.level !== 2) return yield* new ApprovalRequired({ metadata: { level: 2 } })
        return `ran with ${x}`
      })
    })

  it.effect("may wait again, with what was changed, and is answered once", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const agent = asking(askingTwice(seen), plain("p"))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approvals: { t: { approve: { x: 100 } } } })
      const [request] = requestsIn(second).approvals
      assert.deepInclude(request, {
        args: { x: 100 },
        rawArgs: { x: 1 },
        changedArgs: { x: 100 },
        metadata: { level: 2 }
      })
      assert.deepStrictEqual(ids(second.messages), ["p"])
      const third = yield* resumed(agent, second, { approveAll: true, metadata: { t: { level: 2 } } })
      assert.strictEqual(third.output, "Done.")
      assert.deepStrictEqual(resultsIn(third.messages), [
        ["t", "ran with 100"],
        ["p", "p ran"]
      ])
      assert.deepStrictEqual(seen, [
        [1, false, {}],
        [100, true, {}],
        [100, true, { level: 2 }]
      ])
      assert.deepStrictEqual(
        callsIn(third.messages).map((call) => call.params),
        [{ x: 1 }, {}]
      )
    }).pipe(Effect.provide(calling({ t: { x: 1 }, p: {} })))
  )

  it.effect("may be changed again, or back", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const agent = asking(askingTwice(seen))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approvals: { t: { approve: { x: 100 } } } })
      const third = yield* resumed(agent, second, { approvals: { t: { approve: { x: 1 } } } })
      assert.deepInclude(requestsIn(third).approvals[0], { args: { x: 1 }, rawArgs: { x: 1 } })
      yield* resumed(agent, third, { approveAll: true, metadata: { t: { level: 2 } } })
      assert.deepStrictEqual(seen, [
        [1, false, {}],
        [100, true, {}],
        [1, true, {}],
        [1, true, { level: 2 }]
      ])
    }).pipe(Effect.provide(calling({ t: { x: 1 } })))
  )

  it.effect("may come to wait for a result", () =>
    Effect.gen(function* () {
      const tool = Toolset.approvalRequired(
        Toolset.tool("t", { parameters: x, handler: () => Effect.fail(new CallDeferred({})) })
      )
      const first = yield* Agent.run(asking(tool), { prompt })
      const second = yield* resumed(asking(tool), first, { approveAll: true })
      assert.deepStrictEqual(inShort(requestsIn(second)), { calls: [["t", "t", { x: 1 }]], approvals: [] })
      const third = yield* resumed(asking(tool), second, { calls: { t: "done elsewhere" } })
      assert.deepStrictEqual(resultsIn(third.messages), [["t", "done elsewhere"]])
    }).pipe(Effect.provide(calling({ t: { x: 1 } })))
  )

  it.effect("that waits again keeps the prompt that came with the results", () =>
    Effect.gen(function* () {
      const agent = asking(askingTwice([]), plain("p"))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* Agent.run(agent, {
        history: first.messages,
        deferredResults: DeferredToolResults.from(requestsIn(first), { approveAll: true }),
        prompt: "Be quick."
      })
      requestsIn(second)
      assert.deepStrictEqual(roles(second.messages), ["user", "assistant", "tool", "user"])
      const third = yield* resumed(agent, second, { approveAll: true, metadata: { t: { level: 2 } } })
      assert.deepStrictEqual(roles(third.messages), ["user", "assistant", "tool", "user", "assistant"])
      assert.deepStrictEqual(ids(third.messages), ["t", "p"])
    }).pipe(Effect.provide(calling({ t: { x: 1 }, p: {} })))
  )

  it.effect("counts as the first attempt of its tool, at step 0", () =>
    Effect.gen(function* () {
      const seen: Array<number> = []
      const tool = Toolset.tool("t", {
        parameters: x,
        requiresApproval: true,
        maxRetries: 3,
        handler: () =>
          Effect.andThen(
            Effect.map(ToolCall, ({ attempt }) => seen.push(attempt)),
            Effect.fail(new ModelRetry({ message: "Again." }))
          )
      })
      const first = yield* Agent.run(asking(tool), { prompt })
      const second = yield* resumed(asking(tool), first, { approveAll: true })
      const third = yield* resumed(asking(tool), second, { approveAll: true })
      assert.strictEqual(third.output, "Done.")
      assert.deepStrictEqual(seen, [0, 0])
    }).pipe(
      Effect.provide(calling({ t: { x: 1 } }, calls([{ name: "t", args: { x: 2 }, id: "2" }]), text("Done.")))
    )
  )
})

describe("a history that ends in calls without answers", () => {
  const open = (all: Readonly<Record<string, unknown>>) =>
    Prompt.fromMessages([
      ...Prompt.make(prompt).content,
      Prompt.assistantMessage({
        content: Object.entries(all).map(([name, params]) =>
          Prompt.toolCallPart({ id: name, name, params, providerExecuted: false })
        )
      })
    ])
  const done = ScriptedModel.layer([text("Done.")])

  it.effect("goes on without results by running them, and asks again: nothing counts as approved", () =>
    Effect.gen(function* () {
      const ran = yield* Ref.make<ReadonlyArray<boolean>>([])
      const looking = Toolset.tool("p", {
        handler: () =>
          Effect.flatMap(ToolCall, ({ approved }) => Ref.update(ran, (all) => [...all, approved]))
      })
      const agent = asking(looking, gated("g"))
      const { messages, output } = yield* Agent.run(agent, { history: open({ p: {}, g: {} }) })
      assert.deepStrictEqual(inShort(requestsIn({ output })).approvals, [["g", "g", {}]])
      assert.deepStrictEqual(yield* Ref.get(ran), [false])
      assert.deepStrictEqual(ids(messages), ["p"])
      // And once more, from there.
      const again = yield* Agent.run(agent, { history: messages })
      assert.deepStrictEqual(requestsIn(again), requestsIn({ output }))
      assert.deepStrictEqual(yield* Ref.get(ran), [false])
    }).pipe(Effect.provide(done))
  )

  it.effect("goes on to the model where they all have run", () =>
    Effect.gen(function* () {
      const { messages, output } = yield* Agent.run(asking(plain("p")), { history: open({ p: "" }) })
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(resultsIn(messages), [["p", "p ran"]])
    }).pipe(Effect.provide(done))
  )

  it.effect("takes no prompt without results (P124)", () =>
    Effect.gen(function* () {
      let ran = 0
      const p = Toolset.tool("p", { handler: () => Effect.sync(() => ran++) })
      const error = yield* Effect.flip(Agent.run(asking(p), { history: open({ p: {}, q: {} }), prompt }))
      assert.deepInclude(error, { _tag: "DeferredResultsMismatch", toolCallIds: ["p", "q"] })
      assert.include(error.message, "give their deferredResults as well ('p', 'q')")
      assert.strictEqual(ran, 0)
    }).pipe(Effect.provide(done))
  )

  it.effect("does not run what the provider has run", () =>
    Effect.gen(function* () {
      const history = Prompt.fromMessages([
        ...Prompt.make(prompt).content,
        Prompt.assistantMessage({
          content: [Prompt.toolCallPart({ id: "1", name: "p", params: {}, providerExecuted: true })]
        })
      ])
      const { messages } = yield* Agent.run(asking(plain("p")), { history, prompt })
      assert.deepStrictEqual(answersIn(messages), [])
    }).pipe(Effect.provide(done))
  )
})

describe("a limit of tool calls", () => {
  type Stopping = Agent.Agent<string | DeferredToolRequests>
  const three = ["a", "b", "c"]
  const stopped = (agent: Stopping) =>
    Agent.run(agent, { prompt }).pipe(Effect.provide(calling({ a: {}, b: {}, c: {} })))
  const again = (agent: Stopping, first: Agent.Result<unknown>, limits: Agent.Limits) =>
    Agent.run(agent, {
      history: first.messages,
      limits,
      deferredResults: DeferredToolResults.from(requestsIn(first), {
        approvals: { a: true, b: true, c: false }
      })
    })

  it.effect("is one of the run that goes on, too: nothing of what was approved runs beyond it", () =>
    Effect.gen(function* () {
      let ran = 0
      const tool = (name: string) => Toolset.tool(name, { handler: () => Effect.sync(() => ++ran) })
      const agent = asking(Toolset.approvalRequired(Toolset.combined(...three.map(tool))))
      const first = yield* stopped(agent)
      const error = yield* Effect.flip(again(agent, first, { toolCalls: 1 }))
      assert.deepInclude(error, { _tag: "UsageLimitExceeded", allowed: 1, wouldBe: 2 })
      assert.strictEqual(ran, 0)
      const second = yield* again(agent, first, { toolCalls: 2 })
      assert.deepStrictEqual([second.output, ran], ["Done.", 2])
    }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
  )

  it.effect("may be told to the model instead", () =>
    Effect.gen(function* () {
      let ran = 0
      const tool = (name: string) => Toolset.tool(name, { handler: () => Effect.sync(() => ++ran) })
      const agent = asking(Toolset.approvalRequired(Toolset.combined(...three.map(tool))))
      const first = yield* stopped(agent)
      const { messages, output } = yield* again(agent, first, { toolCalls: 1, onLimit: "answer" })
      assert.deepStrictEqual([output, ran], ["Done.", 0])
      assert.deepStrictEqual(resultsIn(messages), [
        ["a", "Not executed: the limit of this run is reached."],
        ["b", "Not executed: the limit of this run is reached."],
        ["c", "The tool call was denied."]
      ])
    }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
  )

  it.effect("holds for calls without answers that are run again", () =>
    Effect.gen(function* () {
      let ran = 0
      const a = Toolset.tool("a", { handler: () => Effect.sync(() => ++ran) })
      const history = Prompt.fromMessages([
        ...Prompt.make(prompt).content,
        Prompt.assistantMessage({
          content: [Prompt.toolCallPart({ id: "1", name: "a", params: {}, providerExecuted: false })]
        })
      ])
      const error = yield* Effect.flip(Agent.run(asking(a), { history, limits: { toolCalls: 0 } }))
      assert.deepInclude(error, { _tag: "UsageLimitExceeded", allowed: 0, wouldBe: 1 })
      assert.strictEqual(ran, 0)
    }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
  )
})
