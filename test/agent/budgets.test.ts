/** Retries end to end: how often a tool is tried, what its body knows of it, and how the run ends. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  Agent,
  AgentDefinitionError,
  ModelRetry,
  ToolCall,
  ToolRetriesExceeded,
  Toolset,
  ToolsetDefinitionError
} from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { resultsIn, retry } from "./answers.ts"

const prompt = "Go."

/** A tool that asks for a retry at every attempt. */
const stubborn = (options?: { readonly maxRetries?: number | undefined }) => {
  const attempts: Array<Pick<ToolCall["Service"], "attempt" | "lastAttempt" | "maxRetries">> = []
  const toolset = Toolset.tool("t", {
    ...options,
    handler: Effect.fnUntraced(function* () {
      const { attempt, lastAttempt, maxRetries } = yield* ToolCall
      attempts.push({ attempt, lastAttempt, maxRetries })
      return yield* new ModelRetry({ message: `No ${attempt}.` })
    })
  })
  return { attempts, toolset }
}

const calling = (name: string) => ScriptedModel.layer(() => ScriptedModel.calls({ [name]: {} }))

describe("a budget of N retries", () => {
  it.effect("is N + 1 attempts; the body knows which one it is (P56)", () =>
    Effect.gen(function* () {
      const { attempts, toolset } = stubborn()
      const agent = Agent.make({ toolsets: [toolset], retries: 5 })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepStrictEqual(
        attempts,
        [0, 1, 2, 3, 4, 5].map((attempt) => ({ attempt, lastAttempt: attempt === 5, maxRetries: 5 }))
      )
      assert.deepStrictEqual(error, new ToolRetriesExceeded({ toolName: "t", maxRetries: 5, last: "No 5." }))
      assert.strictEqual((yield* ScriptedModel.requests).length, 6)
    }).pipe(Effect.provide(calling("t")))
  )

  it.effect("of none is one attempt (P55)", () =>
    Effect.gen(function* () {
      const { attempts, toolset } = stubborn()
      const agent = Agent.make({ toolsets: [toolset], retries: 0 })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepStrictEqual(attempts, [{ attempt: 0, lastAttempt: true, maxRetries: 0 }])
      assert.deepStrictEqual(error, new ToolRetriesExceeded({ toolName: "t", maxRetries: 0, last: "No 0." }))
    }).pipe(Effect.provide(calling("t")))
  )

  it.effect("lets the last attempt give up gracefully (P57)", () =>
    Effect.gen(function* () {
      const toolset = Toolset.tool("always_fail", {
        handler: Effect.fnUntraced(function* () {
          const { lastAttempt } = yield* ToolCall
          return lastAttempt ? "I guess you never learn" : yield* new ModelRetry({ message: "Again." })
        })
      })
      const { output } = yield* Agent.run(Agent.make({ toolsets: [toolset], retries: 2 }), { prompt })
      assert.strictEqual(output, '{"always_fail":"I guess you never learn"}')
      assert.strictEqual((yield* TestModel.requests).length, 4)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("of one is one retry, and then an answer (P54)", () =>
    Effect.gen(function* () {
      const toolset = Toolset.tool("my_ret", {
        handler: Effect.fnUntraced(function* () {
          const { attempt } = yield* ToolCall
          return attempt > 0 ? String(attempt) : yield* new ModelRetry({ message: "First time, no." })
        })
      })
      const result = yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt })
      assert.strictEqual(result.output, '{"my_ret":"1"}')
      assert.deepStrictEqual(resultsIn(result.messages), [
        ["my_ret", retry("First time, no.")],
        ["my_ret", "1"]
      ])
      assert.deepStrictEqual(
        result.messages.content.map((message) => message.role),
        ["user", "assistant", "tool", "assistant", "tool", "assistant"]
      )
      assert.strictEqual(result.usage.toolCalls, 1)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("says what to do when it is spent", () =>
    Effect.sync(() => {
      const spent = (maxRetries: number) =>
        new ToolRetriesExceeded({ toolName: "t", maxRetries, last: "No." }).message
      const way =
        "It said: No. Raise its budget with the tool's maxRetries, Toolset.withMaxRetries or the agent's retries."
      assert.strictEqual(spent(0), `The tool 't' asked for more than 0 retries. ${way}`)
      assert.strictEqual(spent(1), `The tool 't' asked for more than 1 retry. ${way}`)
      assert.strictEqual(spent(2), `The tool 't' asked for more than 2 retries. ${way}`)
    })
  )

  it.effect("names the tool as the model called it (P32)", () =>
    Effect.gen(function* () {
      const toolset = stubborn().toolset.pipe(Toolset.renamed({ u: "t" }), Toolset.prefixed("p"))
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [toolset] }), { prompt }))
      assert.deepStrictEqual(
        error,
        new ToolRetriesExceeded({ toolName: "p_u", maxRetries: 1, last: "No 1." })
      )
    }).pipe(Effect.provide(calling("p_u")))
  )
})

describe("the budget of a tool", () => {
  const budget = Effect.fnUntraced(
    function* (
      levels: {
        readonly tool?: number
        readonly nearest?: number
        readonly outer?: number
        readonly agent?: number
        readonly run?: number
      },
      expected: number
    ) {
      const { attempts, toolset } = stubborn({ maxRetries: levels.tool })
      const near = levels.nearest === undefined ? toolset : Toolset.withMaxRetries(toolset, levels.nearest)
      const far = levels.outer === undefined ? near : Toolset.withMaxRetries(near, levels.outer)
      const agent = Agent.make({ toolsets: [Toolset.combined(far)], retries: levels.agent })
      const error = yield* Effect.flip(Agent.run(agent, { prompt, retries: levels.run }))
      const last = `No ${expected}.`
      assert.deepStrictEqual(error, new ToolRetriesExceeded({ toolName: "t", maxRetries: expected, last }))
      assert.strictEqual(attempts.length, expected + 1)
    },
    Effect.provide(calling("t"))
  )

  it.effect("is its own before any other (P65)", () => budget({ tool: 3, nearest: 0, agent: 0, run: 0 }, 3))
  it.effect("is its own zero before any other", () => budget({ tool: 0, nearest: 2, agent: 2, run: 2 }, 0))
  it.effect("is that of the nearest toolset before the run's", () =>
    budget({ nearest: 2, outer: 4, agent: 0, run: 0 }, 2)
  )
  it.effect("is the nearest zero before any outer one", () => budget({ nearest: 0, outer: 4, run: 3 }, 0))
  it.effect("is the run's before the agent's", () => budget({ agent: 4, run: 2 }, 2))
  it.effect("is the run's zero before the agent's", () => budget({ agent: 4, run: 0 }, 0))
  it.effect("is the agent's before one (P63)", () => budget({ agent: 3 }, 3))
  it.effect("is one", () => budget({}, 1))
})

describe("a negative budget", () => {
  const hint = "Give a whole number of at least 0."
  const problem = (given: number) => `The number of retries is ${given}.`

  for (const given of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it.effect(`of an agent or a run is an AgentDefinitionError: ${given} (P66)`, () =>
      Effect.gen(function* () {
        const { toolset } = stubborn()
        const expected = new AgentDefinitionError({ problem: problem(given), hint })
        const agents = Agent.make({ toolsets: [toolset], retries: given })
        assert.deepStrictEqual(yield* Effect.flip(Agent.run(agents, { prompt })), expected)
        const runs = Agent.run(Agent.make({ toolsets: [toolset] }), { prompt, retries: given })
        assert.deepStrictEqual(yield* Effect.flip(runs), expected)
        assert.strictEqual(expected.message, `The number of retries is ${given}. ${hint}`)
        assert.deepStrictEqual(yield* ScriptedModel.requests, [])
      }).pipe(Effect.provide(calling("t")))
    )

    it.effect(`of a tool or a toolset is a ToolsetDefinitionError: ${given} (P66)`, () =>
      Effect.gen(function* () {
        const own = Toolset.tool("t", { maxRetries: given, handler: () => Effect.void })
        const outer = Toolset.withMaxRetries(stubborn().toolset, given)
        for (const toolset of [own, outer]) {
          const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [toolset] }), { prompt }))
          assert.instanceOf(error, ToolsetDefinitionError)
          assert.strictEqual(error.problem, problem(given))
          assert.strictEqual(error.hint, hint)
        }
        assert.deepStrictEqual(yield* ScriptedModel.requests, [])
      }).pipe(Effect.provide(calling("t")))
    )
  }
})

describe("validation", () => {
  const typed = (maxRetries: number) =>
    Toolset.tool("t", {
      maxRetries,
      parameters: Schema.Struct({ x: Schema.Int }),
      handler: ({ x }) => Effect.succeed(x)
    })
  const wrong = ScriptedModel.layer(() => ScriptedModel.calls({ t: { x: "one" } }))

  it.effect("costs the budget as the body does (P51)", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [typed(2)] }), { prompt }))
      assert.instanceOf(error, ToolRetriesExceeded)
      assert.deepInclude(error, { toolName: "t", maxRetries: 2 })
      assert.match(error.last, /^Invalid arguments: /)
      assert.strictEqual((yield* ScriptedModel.requests).length, 3)
    }).pipe(Effect.provide(wrong))
  )

  it.effect("ends the run at once without a budget", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [typed(0)] }), { prompt }))
      assert.instanceOf(error, ToolRetriesExceeded)
      assert.strictEqual((yield* ScriptedModel.requests).length, 1)
    }).pipe(Effect.provide(wrong))
  )
})
