import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { IdGenerator, type Prompt } from "effect/ai"
import { Agent, ModelRetry, RunContext, ToolCall, Toolset } from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { resultsIn, retry } from "./answers.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

describe("what is known about a run", () => {
  /** A tool that says what it knows. */
  const knowing = (log: Array<unknown>) =>
    Toolset.tool("t", {
      handler: Effect.fnUntraced(function* () {
        const { messages, retries, runId, step, usage } = yield* RunContext
        const { attempt, exposedName, id, name } = yield* ToolCall
        log.push({ runId, step, usage, roles: rolesOf(messages), retries: Array.from(retries) })
        log.push({ id, name, exposedName, attempt })
        if (step === 2) return yield* new ModelRetry({ message: "Again." })
        return step
      })
    })
  const rolesOf = (messages: Prompt.Prompt) => messages.content.map((message) => message.role).join(" ")

  it.effect("in a call: the step, what has been used, the history up to the call", () =>
    Effect.gen(function* () {
      const log: Array<unknown> = []
      const agent = Agent.make({ toolsets: [Toolset.prefixed(knowing(log), "p")], instructions: "Be brief." })
      const { messages, runId } = yield* Agent.run(agent, { prompt })
      const used = (requests: number, toolCalls: number) => ({
        requests,
        toolCalls,
        inputTokens: requests,
        outputTokens: requests
      })
      const call = { name: "t", exposedName: "p_t" }
      assert.deepStrictEqual(log, [
        { runId, step: 1, usage: used(1, 0), roles: "user assistant", retries: [] },
        { ...call, id: "call_0_0", attempt: 0 },
        { runId, step: 2, usage: used(2, 1), roles: "user assistant tool assistant", retries: [] },
        { ...call, id: "call_1_0", attempt: 0 },
        {
          runId,
          step: 3,
          usage: used(3, 1),
          roles: "user assistant tool assistant tool assistant",
          retries: [["p_t", 1]]
        },
        { ...call, id: "call_2_0", attempt: 1 }
      ])
      assert.deepStrictEqual(resultsIn(messages), [
        ["p_t", 1],
        ["p_t", retry("Again.")],
        ["p_t", 3]
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([calls({ p_t: {} }), calls({ p_t: {} }), calls({ p_t: {} }), text("Done.")])
      )
    )
  )

  it.effect("while listing: the history as it is sent, and retries by the names that the model uses", () =>
    Effect.gen(function* () {
      const log: Array<unknown> = []
      const failing = Toolset.tool("t", { handler: () => Effect.fail(new ModelRetry({ message: "No." })) })
      const toolset = Toolset.filtered(Toolset.prefixed(failing, "p"), (tool, run) => {
        log.push([run.step, run.usage.requests, rolesOf(run.messages), run.retries.get(tool.name)])
        return (run.retries.get(tool.name) ?? 0) < 1
      })
      yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt })
      assert.deepStrictEqual(log, [
        [1, 0, "user", undefined],
        [2, 1, "user assistant tool", 1]
      ])
      assert.deepStrictEqual(
        (yield* ScriptedModel.requests).map((request) => request.tools.length),
        [1, 0]
      )
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ p_t: {} }), text("Done.")])))
  )

  it.effect("has an id of its own for each run", () =>
    Effect.gen(function* () {
      const agent = Agent.make({})
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* Agent.run(agent, { prompt })
      assert.notStrictEqual(first.runId, second.runId)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("has an id from the IdGenerator that there is", () =>
    Effect.gen(function* () {
      const count = yield* Ref.make(0)
      const generateId = () =>
        Effect.map(
          Ref.updateAndGet(count, (n) => n + 1),
          (n) => `run ${n}`
        )
      const { runId } = yield* Effect.provideService(
        Agent.run(Agent.make({}), { prompt }),
        IdGenerator.IdGenerator,
        { generateId }
      )
      assert.strictEqual(runId, "run 1")
    }).pipe(Effect.provide(TestModel.layer()))
  )
})
