/** Going on where nothing was said, and how far. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { Prompt } from "effect/ai"
import { Agent, type DeferredToolRequests, DeferredToolResults, ToolCall, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, resultsIn } from "./answers.ts"
import { asking, calling, inShort, plain, requestsIn } from "./deferring.ts"

const { text } = ScriptedModel
const prompt = "Go."
const gated = (name: string) => Toolset.approvalRequired(plain(name))
const ids = (prompt: Prompt.Prompt) => answersIn(prompt).map((part) => part.id)

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
