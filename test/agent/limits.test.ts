/** What a run may use, and how it ends where that is not enough. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Prompt, type Response } from "effect/ai"
import {
  Agent,
  AgentDefinitionError,
  ModelRetry,
  ToolFailed,
  Toolset,
  UsageLimitExceeded
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const { calls, output, parts, text } = ScriptedModel
const prompt = "Go."

/** An agent with a tool that writes down that it was validated and ran. */
const logged = (options?: { readonly limits?: Agent.Limits; readonly endStrategy?: Agent.EndStrategy }) => {
  const log: Array<string> = []
  const tool = (name: string, answer: Effect.Effect<string, ModelRetry | ToolFailed>) =>
    Toolset.tool(name, {
      validateArgs: () => Effect.sync(() => void log.push(`validate ${name}`)),
      handler: () => Effect.suspend(() => (log.push(name), answer))
    })
  const toolsets = [
    tool("t", Effect.succeed("ran")),
    tool("retry", Effect.fail(new ModelRetry({ message: "Again." }))),
    tool("fail", Effect.fail(new ToolFailed({ message: "No." })))
  ]
  return { log, agent: Agent.make({ toolsets, retries: 9, ...options }), toolsets }
}
const times = (n: number, name = "t") => calls(Array.from({ length: n }, () => ({ name, args: {} })))

describe("a limit of requests", () => {
  it.effect("ends the run before the request that would cross it", () =>
    Effect.gen(function* () {
      const { agent, log } = logged({ limits: { requests: 2 } })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepStrictEqual(error, new UsageLimitExceeded({ limit: "requests", allowed: 2, wouldBe: 3 }))
      assert.deepStrictEqual(log, ["validate t", "t", "validate t", "t"])
      assert.strictEqual((yield* ScriptedModel.requests).length, 2)
    }).pipe(Effect.provide(ScriptedModel.layer(() => times(1))))
  )

  it.effect("is enough for a run that needs no more", () =>
    Effect.gen(function* () {
      const { agent } = logged({ limits: { requests: 2 } })
      assert.strictEqual((yield* Agent.run(agent, { prompt })).output, "Done.")
    }).pipe(Effect.provide(ScriptedModel.layer([times(1), text("Done.")])))
  )

  it.effect("of none asks nothing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(logged().agent, { prompt, limits: { requests: 0 } }))
      assert.deepInclude(error, { limit: "requests", allowed: 0, wouldBe: 1 })
      assert.deepStrictEqual(yield* ScriptedModel.requests, [])
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )
})

describe("a limit of tool calls", () => {
  it.effect("is reserved for a whole response, before any of it is validated (P96)", () =>
    Effect.gen(function* () {
      for (const [allowed, made] of [
        [0, 1],
        [2, 3]
      ] as const) {
        const { agent, log } = logged({ limits: { toolCalls: allowed } })
        const run = Agent.run(agent, { prompt }).pipe(Effect.provide(ScriptedModel.layer([times(made)])))
        const expected = new UsageLimitExceeded({ limit: "tool calls", allowed, wouldBe: made })
        assert.deepStrictEqual(yield* Effect.flip(run), expected)
        assert.deepStrictEqual(log, [])
      }
    })
  )

  it.effect("counts what came before, and what succeeded alone (P98)", () =>
    Effect.gen(function* () {
      const { agent } = logged({ limits: { toolCalls: 3 } })
      const result = yield* Agent.run(agent, { prompt })
      assert.strictEqual(result.usage.toolCalls, 3)
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepInclude(error, { limit: "tool calls", allowed: 3, wouldBe: 4 })
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          times(2, "retry"),
          times(2, "fail"),
          times(2),
          times(1, "retry"),
          times(1),
          text("Done."),
          times(2),
          times(2)
        ])
      )
    )
  )

  it.effect("counts unknown names, but not what the provider runs", () =>
    Effect.gen(function* () {
      const search = (id: string): Response.PartEncoded => ({
        type: "tool-call",
        id,
        name: "search",
        params: {},
        providerExecuted: true
      })
      const { agent } = logged({ limits: { toolCalls: 0 } })
      const provided = yield* Effect.provide(
        Agent.run(agent, { prompt }),
        ScriptedModel.layer([parts([search("1"), search("2"), { type: "text", text: "Found." }])])
      )
      assert.strictEqual(provided.output, "Found.")
      const unknown = Effect.provide(Agent.run(agent, { prompt }), ScriptedModel.layer([times(1, "nobody")]))
      assert.deepInclude(yield* Effect.flip(unknown), { limit: "tool calls", wouldBe: 1 })
    })
  )

  for (const endStrategy of ["graceful", "early", "exhaustive"] as const) {
    it.effect(`does not count outputs: ${endStrategy} (P99)`, () =>
      Effect.gen(function* () {
        const { toolsets } = logged()
        const agent = Agent.make({
          toolsets,
          endStrategy,
          limits: { toolCalls: 0 },
          output: Schema.Struct({ n: Schema.Int })
        })
        const result = yield* Agent.run(agent, { prompt })
        assert.deepStrictEqual(result.output, { n: 2 })
      }).pipe(Effect.provide(ScriptedModel.layer([output({ n: "x" }), output({ n: 2 })])))
    )
  }

  it.effect("does not count what the strategy `early` skips, and counts what it does not", () =>
    Effect.gen(function* () {
      const { log, toolsets } = logged()
      const agent = Agent.make({
        toolsets,
        endStrategy: "early",
        limits: { toolCalls: 0 },
        output: Schema.Struct({ n: Schema.Int })
      })
      const run = (n: unknown) =>
        Agent.run(agent, { prompt }).pipe(
          Effect.provide(ScriptedModel.layer([calls({ t: {}, final_result: { n } })]))
        )
      assert.deepStrictEqual((yield* run(1)).output, { n: 1 })
      assert.deepInclude(yield* Effect.flip(run("x")), { limit: "tool calls", allowed: 0, wouldBe: 1 })
      assert.deepStrictEqual(log, [])
    })
  )

  it.effect("holds for calls in which a history ends", () =>
    Effect.gen(function* () {
      const { agent, log } = logged({ limits: { toolCalls: 1 } })
      const history = Prompt.fromMessages([
        Prompt.assistantMessage({
          content: ["1", "2"].map((id) =>
            Prompt.toolCallPart({ id, name: "t", params: {}, providerExecuted: false })
          )
        })
      ])
      const error = yield* Effect.flip(Agent.run(agent, { history }))
      assert.deepInclude(error, { limit: "tool calls", allowed: 1, wouldBe: 2 })
      assert.deepStrictEqual(log, [])
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )
})

describe("a limit of tokens", () => {
  const using = (input: number, output: number) =>
    parts([
      { type: "tool-call", id: "1", name: "t", params: {} },
      {
        type: "finish",
        reason: "tool-calls",
        usage: { inputTokens: { total: input }, outputTokens: { total: output } }
      }
    ])
  for (const [limits, limit, allowed, wouldBe] of [
    [{ inputTokens: 9 }, "input tokens", 9, 10],
    [{ outputTokens: 3 }, "output tokens", 3, 4],
    [{ totalTokens: 13 }, "tokens", 13, 14]
  ] as const) {
    it.effect(`ends the run after the response that has crossed it, whose calls do not run: ${limit}`, () =>
      Effect.gen(function* () {
        const { agent, log } = logged({ limits })
        const error = yield* Effect.flip(Agent.run(agent, { prompt }))
        assert.deepStrictEqual(error, new UsageLimitExceeded({ limit, allowed, wouldBe }))
        assert.deepStrictEqual(log, ["validate t", "t"])
      }).pipe(Effect.provide(ScriptedModel.layer([using(5, 2), using(5, 2)])))
    )
  }

  it.effect("may be reached", () =>
    Effect.gen(function* () {
      const { agent } = logged({ limits: { inputTokens: 6, outputTokens: 3, totalTokens: 9 } })
      assert.strictEqual((yield* Agent.run(agent, { prompt })).output, "Done.")
    }).pipe(Effect.provide(ScriptedModel.layer([using(5, 2), text("Done.")])))
  )
})

describe("limits", () => {
  it.effect("of a run go each before the agent's; what it does not say stays", () =>
    Effect.gen(function* () {
      const limits = { requests: 1, toolCalls: 0 }
      const allowed = (runs: Agent.Limits) =>
        Effect.map(Effect.flip(Agent.run(logged({ limits }).agent, { prompt, limits: runs })), (error) =>
          error instanceof UsageLimitExceeded ? [error.limit, error.allowed] : error
        )
      assert.deepStrictEqual(yield* allowed({ toolCalls: 5 }), ["requests", 1])
      assert.deepStrictEqual(yield* allowed({ requests: undefined, toolCalls: undefined }), ["tool calls", 0])
      assert.deepStrictEqual(yield* allowed({ requests: 0 }), ["requests", 0])
    }).pipe(Effect.provide(ScriptedModel.layer(() => times(1))))
  )

  it("say which one, how much, and what to do", () => {
    assert.strictEqual(
      new UsageLimitExceeded({ limit: "tool calls", allowed: 6, wouldBe: 8 }).message,
      "The limit of 6 tool calls would be exceeded (8). " +
        "Raise it, or say with onLimit what happens when it is reached."
    )
  })

  for (const name of ["requests", "toolCalls", "inputTokens", "outputTokens", "totalTokens"] as const) {
    for (const given of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      it.effect(`are whole numbers: ${name}, ${given}`, () =>
        Effect.gen(function* () {
          const expected = new AgentDefinitionError({
            problem: `The limit \`${name}\` is ${given}.`,
            hint: "Give a whole number of at least 0, or none for no limit."
          })
          const limits = { [name]: given }
          assert.deepStrictEqual(
            yield* Effect.flip(Agent.run(logged({ limits }).agent, { prompt })),
            expected
          )
          assert.deepStrictEqual(yield* Effect.flip(Agent.run(logged().agent, { prompt, limits })), expected)
          assert.deepStrictEqual(yield* ScriptedModel.requests, [])
        }).pipe(Effect.provide(ScriptedModel.layer([])))
      )
    }
  }
})

describe("a concurrency", () => {
  for (const concurrency of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it.effect(`is a whole number of at least 1: ${concurrency}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Agent.run(logged().agent, { prompt, concurrency }))
        assert.deepStrictEqual(
          error,
          new AgentDefinitionError({
            problem: `The concurrency is ${concurrency}.`,
            hint: 'Give a whole number of at least 1, or "unbounded".'
          })
        )
        assert.deepStrictEqual(yield* ScriptedModel.requests, [])
      }).pipe(Effect.provide(ScriptedModel.layer([])))
    )
  }
})
