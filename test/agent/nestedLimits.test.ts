/** The limits of a run hold for all that runs inside its calls, while it runs. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Schema, Stream } from "effect"
import { LanguageModel, type Response } from "effect/ai"
import { Agent, UsageLimitExceeded, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { often } from "../laws/often.ts"
import { resultsIn } from "./answers.ts"
import { asking, requestsIn, resumed } from "./deferring.ts"
import { prompt } from "./nestedAgents.ts"

const look = Toolset.tool("look", { handler: () => Effect.succeed("seen") })

/** Agents inside agents, the innermost of which looks. */
const at = (depth: number, limits?: Agent.Limits): Toolset.Toolset<Agent.AgentError, any> =>
  depth === 0
    ? look
    : Agent.asTool(Agent.make({ toolsets: [at(depth - 1)], limits }), {
        name: `agent${depth}`,
        parameters: Schema.Struct({}),
        prompt: () => `depth ${depth}`
      })

/** A model that always calls its tools, and answers where there are none to call; each response has 10 + 10 tokens. */
const tireless = (calls = 1, tokens = 10) =>
  ScriptedModel.layer(({ tools }) => {
    const parts: Array<Response.PartEncoded> = tools.flatMap(({ name }) =>
      Array.from({ length: calls }, (_, i) => ({
        type: "tool-call" as const,
        id: `${name}${i}`,
        name,
        params: {}
      }))
    )
    if (parts.length === 0) parts.push({ type: "text", text: "That is all." })
    return ScriptedModel.parts([
      ...parts,
      {
        type: "finish",
        reason: tools.length > 0 ? "tool-calls" : "stop",
        usage: { inputTokens: { total: tokens }, outputTokens: { total: tokens } }
      }
    ])
  })

const ended = (depth: number, limits: Agent.Limits) =>
  Agent.runExit(Agent.make({ toolsets: [at(depth)] }), { prompt, limits })

const limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))
const Bounded = Schema.Struct({
  depth: Schema.Literals([0, 1, 2, 3]),
  calls: Schema.Literals([1, 2, 3]),
  limits: Schema.Union([
    Schema.Struct({ requests: limit }),
    Schema.Struct({ toolCalls: limit }),
    Schema.Struct({ requests: limit, toolCalls: limit })
  ])
})

describe("the limits of a run", () => {
  it.effect.prop(
    "that fails are never crossed, however deep what runs is, and whatever runs at the same time",
    [Bounded],
    ([{ calls, depth, limits }]) =>
      Effect.gen(function* () {
        const { exit, usage } = yield* ended(depth, limits)
        assert.strictEqual(exit._tag, "Failure")
        if ("requests" in limits) assert.isAtMost(usage.requests, limits.requests)
        if ("toolCalls" in limits) assert.isAtMost(usage.toolCalls, limits.toolCalls)
      }).pipe(Effect.provide(tireless(calls))),
    often(60)
  )

  it.effect.prop(
    "that answers are never crossed either, and it answers",
    [Bounded],
    ([{ calls, depth, limits }]) =>
      Effect.gen(function* () {
        const { exit, usage } = yield* ended(depth, { ...limits, onLimit: "answer" })
        assert.strictEqual(exit._tag, "Success", JSON.stringify(exit))
        if ("requests" in limits) assert.isAtMost(usage.requests, limits.requests)
        if ("toolCalls" in limits) assert.isAtMost(usage.toolCalls, limits.toolCalls)
      }).pipe(Effect.provide(tireless(calls))),
    often(60)
  )

  it.effect("stop a run inside where it is, and not when it is through", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [Agent.Limits, readonly [string, number, number]]> = [
        [{ requests: 4 }, ["requests", 4, 5]],
        [{ toolCalls: 3 }, ["tool calls", 3, 4]],
        [{ inputTokens: 45 }, ["input tokens", 45, 50]],
        [{ outputTokens: 45 }, ["output tokens", 45, 50]],
        [{ totalTokens: 75 }, ["tokens", 75, 80]]
      ]
      for (const [limits, expected] of cases) {
        for (const depth of [1, 2]) {
          const program = Agent.run(Agent.make({ toolsets: [at(depth)] }), { prompt, limits })
          const error = yield* Effect.flip(Effect.provide(program, tireless()))
          assert(error instanceof UsageLimitExceeded)
          assert.deepStrictEqual([error.limit, error.allowed, error.wouldBe], expected)
        }
      }
    })
  )

  it.effect("that answers leave a request for the answer of each run: told, not failed", () =>
    Effect.gen(function* () {
      const { output, messages, usage } = yield* Agent.run(Agent.make({ toolsets: [at(1)] }), {
        prompt,
        limits: { requests: 4, onLimit: "answer" }
      })
      // The run, twice the one inside, of which the second is its answer, and the answer.
      assert.deepInclude(usage, { requests: 4, toolCalls: 2 })
      assert.strictEqual(output, "That is all.")
      assert.deepStrictEqual(resultsIn(messages), [["agent1", "That is all."]])
    }).pipe(Effect.provide(tireless()))
  )

  it.effect("that answers say so to the model where nothing is left for a run inside", () =>
    Effect.gen(function* () {
      const { output, messages, usage } = yield* Agent.run(Agent.make({ toolsets: [at(1)] }), {
        prompt,
        limits: { requests: 2, onLimit: "answer" }
      })
      // The last request has no tools, so that the first is the only one with some.
      assert.deepInclude(usage, { requests: 2, toolCalls: 0 })
      assert.strictEqual(output, "That is all.")
      assert.deepStrictEqual(resultsIn(messages), [
        ["agent1", "Not executed: the limit of this run is reached."]
      ])
    }).pipe(Effect.provide(tireless()))
  )

  it.effect("of tokens that answers ask a run inside for its answer, and then the run itself", () =>
    Effect.gen(function* () {
      const { output, usage } = yield* Agent.run(Agent.make({ toolsets: [at(1)] }), {
        prompt,
        limits: { inputTokens: 15, onLimit: "answer" }
      })
      assert.strictEqual(output, "That is all.")
      assert.deepInclude(usage, { requests: 4, toolCalls: 1 })
    }).pipe(Effect.provide(tireless()))
  )

  it.effect("are each agent's own as well: the narrowest holds", () =>
    Effect.gen(function* () {
      const own = at(1, { toolCalls: 2 })
      const error = yield* Effect.flip(
        Agent.run(Agent.make({ toolsets: [own] }), { prompt, limits: { toolCalls: 10 } })
      )
      assert(error instanceof UsageLimitExceeded)
      assert.deepStrictEqual([error.allowed, error.wouldBe], [2, 3])
    }).pipe(Effect.provide(tireless()))
  )

  it.effect("of a run inside are not those of the run outside", () =>
    Effect.gen(function* () {
      const own = at(1, { requests: 2, onLimit: "answer" })
      const { usage } = yield* Agent.run(Agent.make({ toolsets: [own] }), {
        prompt,
        limits: { requests: 7, onLimit: "answer" }
      })
      // Three times the run and twice the one inside, then the answer.
      assert.deepInclude(usage, { requests: 7, toolCalls: 4 })
    }).pipe(Effect.provide(tireless()))
  )

  it.effect("count what waits and goes on", () =>
    Effect.gen(function* () {
      const inner = Agent.asTool(Agent.make({ toolsets: [Toolset.approvalRequired(look)] }), {
        name: "agent1",
        parameters: Schema.Struct({}),
        prompt: () => "Look."
      })
      const agent = asking(inner)
      const first = yield* Agent.run(agent, { prompt })
      assert.lengthOf(requestsIn(first).approvals, 1)
      // The inner agent looks, and goes on looking.
      const second = yield* resumed(agent, first, { approveAll: true })
      assert.deepInclude(second.usage, { requests: 1, toolCalls: 1 })
    }).pipe(Effect.provide(tireless()))
  )

  it.effect("hold while calls of one run use them at the same time, and free what was not used", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      let running = 0
      let most = 0
      const slow = Toolset.tool("slow", {
        handler: () =>
          Effect.gen(function* () {
            most = Math.max(most, ++running)
            if (running === 2) yield* Deferred.succeed(gate, undefined)
            yield* Deferred.await(gate)
            running--
          })
      })
      const inner = Agent.asTool(Agent.make({ toolsets: [slow] }), {
        name: "inner",
        parameters: Schema.Struct({}),
        prompt: () => "Go."
      }).pipe(Toolset.catchTags({ UsageLimitExceeded: "recover" }))
      const { usage } = yield* Agent.run(Agent.make({ toolsets: [inner] }), {
        prompt,
        limits: { toolCalls: 5 }
      }).pipe(
        Effect.provide(
          ScriptedModel.layer(({ prompt, tools }) => {
            const isOuter = tools.some((tool) => tool.name === "inner")
            if (prompt.content.length > 1) return ScriptedModel.text("Done.")
            return ScriptedModel.calls(
              Array.from({ length: isOuter ? 3 : 1 }, () => ({ name: isOuter ? "inner" : "slow", args: {} }))
            )
          })
        )
      )
      // Three run inside, of which two may call, and the third is refused.
      assert.strictEqual(most, 2)
      assert.strictEqual(usage.toolCalls, 4)
    })
  )

  it.effect("hold while several runs inside ask their models at the same time", () =>
    Effect.gen(function* () {
      let asked = 0
      const model = LanguageModel.make({
        generateText: ({ tools }) =>
          tools.length > 0
            ? Effect.succeed([{ id: "1" }, { id: "2" }].map(({ id }) => toolCall(id)))
            : Effect.gen(function* () {
                asked++
                // Until the others have begun.
                for (let i = 0; i < 20; i++) yield* Effect.yieldNow
                return [{ type: "text" as const, text: "Done." }]
              }),
        streamText: () => Stream.empty
      })
      const toolCall = (id: string) => ({ type: "tool-call" as const, id, name: "inner", params: {} })
      const inner = Agent.asTool(Agent.make({}), {
        name: "inner",
        parameters: Schema.Struct({}),
        prompt: () => "Go."
      })
      const { exit, usage } = yield* Agent.runExit(Agent.make({ toolsets: [inner] }), {
        prompt,
        limits: { requests: 2 }
      }).pipe(Effect.provideServiceEffect(LanguageModel.LanguageModel, model))
      assert.strictEqual(exit._tag, "Failure")
      assert.strictEqual(asked, 1)
      assert.isAtMost(usage.requests, 2)
    })
  )
})
