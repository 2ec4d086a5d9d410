/** What is the engine's: where a run may be, what goes on after a failure, what waits inside of tools. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Schema } from "effect"
import { Activity, DurableDeferred, WorkflowEngine } from "effect/workflow"
import { Agent, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"
import { doing, Down, step } from "./attempts.ts"
import { asked, withModelAnd } from "./models.ts"
import { onEveryEngine, registered } from "./workflows.ts"

const { calls, text } = ScriptedModel
const withModel = withModelAnd(Durable.layerWorkflow)

describe("Durable.layerWorkflow outside of a workflow", () => {
  it.effect("is a typed error, before anything is opened or asked", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const tool = Toolset.unwrap(Effect.as(does("opened", undefined), Toolset.empty))
      const agent = Agent.make({ toolsets: [Toolset.withId(tool, "x")] })
      const error = yield* Effect.flip(Agent.run(agent, { prompt: "Go.", durable: { runId: "r" } }))
      assert.instanceOf(error, Durable.DurableError)
      assert.deepStrictEqual([error.reason, error.isRetryable], ["Workflow", false])
      assert.include(error.message, "inside of the handler of a Workflow")
      assert.deepStrictEqual([done, yield* asked], [[], 0])
      assert.strictEqual((yield* Effect.flip(Durable.forget("r"))).reason, "Workflow")
    }).pipe(withModel([]))
  )
})

onEveryEngine("a run in a workflow", ({ it, provided }) => {
  it.effect("that fails is kept, and goes on where it was when it is resumed", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const failed = yield* Deferred.make<void>()
      let isDown = true
      const tools = Toolset.combined(
        Toolset.tool("a", { handler: () => does("a", 1) }),
        Toolset.tool("b", {
          handler: () =>
            Effect.andThen(
              does("b", 2),
              Effect.suspend(() => (isDown ? Effect.fail(new Down()) : Effect.succeed(2)))
            )
        })
      )
      const agent = Agent.make({ toolsets: [Toolset.withId(tools, "tools")] })
      const { atRest, ended, executionId, start, workflow } = yield* registered((runId) =>
        Effect.tapError(Agent.run(agent, { prompt: "Go.", durable: { runId } }), () =>
          Deferred.succeed(failed, undefined)
        )
      )
      yield* start
      yield* Deferred.await(failed)
      isDown = false
      yield* atRest
      yield* workflow.resume(executionId)
      const { messages, replayed } = yield* ended
      assert.deepStrictEqual(resultsIn(messages), [
        ["a", 1],
        ["b", 2]
      ])
      assert.deepStrictEqual(done, ["a", "b", "b"])
      assert.deepStrictEqual([replayed.requests, yield* asked], [2, 3])
    }).pipe(provided([calls({ a: {} }), calls({ b: {} }), text("Done.")]))
  )

  it.effect("may wait inside of tools that run at the same time, and nobody takes that for its end", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const gates = ["1", "2"].map((name) => DurableDeferred.make(`gate ${name}`, { success: Schema.String }))
      const tokens: Array<DurableDeferred.Token> = []
      const areWaiting = yield* Deferred.make<void>()
      const waits = (n: 0 | 1) =>
        Toolset.tool(`wait${n}`, {
          handler: Effect.fnUntraced(function* () {
            yield* Durable.step({ name: "begin", id: n, schema: Schema.Null }, does(`begin ${n}`, null))
            const { workflow } = yield* WorkflowEngine.WorkflowInstance
            const { executionId } = yield* WorkflowEngine.WorkflowInstance
            tokens[n] = DurableDeferred.tokenFromExecutionId(gates[n]!, { workflow, executionId })
            if (tokens[0] !== undefined && tokens[1] !== undefined)
              yield* Deferred.succeed(areWaiting, undefined)
            return yield* DurableDeferred.await(gates[n]!)
          })
        })
      const agent = Agent.make({
        toolsets: [Toolset.withId(Toolset.combined(waits(0), waits(1)), "tools")]
      })
      const { ended, start } = yield* registered((runId) =>
        // It cannot fail: were it given the interruption, it would tell it as its end.
        Agent.runExit(agent, { prompt: "Go.", durable: { runId } })
      )
      yield* start
      yield* Deferred.await(areWaiting)
      yield* DurableDeferred.succeed(gates[1]!, { token: tokens[1]!, value: "two" })
      yield* DurableDeferred.succeed(gates[0]!, { token: tokens[0]!, value: "one" })
      const { exit, messages } = yield* ended
      assert.deepStrictEqual(exit, Exit.succeed("Done."))
      assert.deepStrictEqual(resultsIn(messages), [
        ["wait0", "one"],
        ["wait1", "two"]
      ])
      assert.deepStrictEqual(done.toSorted(), ["begin 0", "begin 1"])
      assert.strictEqual(yield* asked, 2)
    }).pipe(provided([calls({ wait0: {}, wait1: {} }), text("Done.")]))
  )

  it.effect("leaves activities of one's own inside of its steps as they are, on every attempt", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const failed = yield* Deferred.make<void>()
      let isDown = true
      const own = Activity.make({ name: "own", success: Schema.Int, execute: does("own", 1) })
      const { atRest, ended, executionId, start, workflow } = yield* registered((runId) =>
        step(
          "outer",
          Effect.tap(own, () => (isDown ? Effect.fail(new Down()) : Effect.void))
        ).pipe(
          Durable.run({ runId, schema: Schema.Any }),
          Effect.tapError(() => Deferred.succeed(failed, undefined))
        )
      )
      yield* start
      yield* Deferred.await(failed)
      isDown = false
      yield* atRest
      yield* workflow.resume(executionId)
      assert.strictEqual(yield* ended, 1)
      assert.deepStrictEqual(done, ["own"])
    }).pipe(provided([]))
  )

  it.effect("asks for nothing that is not durable: its answers could not be waited for", () =>
    Effect.gen(function* () {
      const pay = Toolset.tool("pay", { requiresApproval: true, handler: () => Effect.void })
      const agent = Agent.make({ toolsets: [pay] })
      const { ended, start } = yield* registered(() =>
        Effect.flip(Agent.run(agent, { prompt: "Go.", onDeferred: Durable.awaitAnswers(() => Effect.void) }))
      )
      yield* start
      const error = yield* ended
      assert.instanceOf(error, Durable.DurableError)
      assert.include(error.message, "The run is not durable")
    }).pipe(provided([calls({ pay: {} })]))
  )
})
