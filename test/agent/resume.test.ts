/** Going on with what was said to the calls that wait. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  CallDeferred,
  DeferredToolResults,
  ModelRetry,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, resultsIn, retry } from "./answers.ts"
import { asking, calling, plain, requestsIn, resumed, x } from "./deferring.ts"

const { text } = ScriptedModel
const prompt = "Go."

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
