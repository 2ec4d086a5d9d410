/** Workflows of tests: an agent that runs in one, whoever is told what it waits for, and how it ended. */
import { describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Option, Queue, Schema } from "effect"
import { Workflow, WorkflowEngine } from "effect/workflow"
import { Agent } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { onPostgres } from "./cluster/engines.ts"
import { scripted } from "./models.ts"

const engines = {
  "in memory": { engine: WorkflowEngine.layerMemory, it },
  ...(onPostgres === undefined
    ? {}
    : { "on PostgreSQL": { engine: onPostgres, it: { ...it, effect: it.live } as typeof it } })
}

/** `provided`: an engine and a model. */
export const onEveryEngine = (
  title: string,
  tests: (engine: {
    readonly it: typeof it
    readonly provided: (turns: Turns) => ReturnType<typeof provided>
  }) => void
): void =>
  describe.each(Object.entries(engines))(`${title}, %s`, (_, { engine, it }) =>
    tests({ it, provided: (turns) => provided(engine, turns) })
  )

type Turns = Parameters<typeof scripted>[0] | Parameters<typeof ScriptedModel.layer>[0]

const provided = (engine: Layer.Layer<WorkflowEngine.WorkflowEngine>, turns: Turns) =>
  Effect.provide(
    Layer.fresh(
      Layer.mergeAll(
        engine,
        Array.isArray(turns) ? scripted(turns) : ScriptedModel.layer(turns),
        Durable.layerWorkflow
      )
    )
  )

/** Registers a workflow whose handler runs a program, and gives how to start it, and what it came to. */
export const registered = <A, E, R>(
  program: (runId: string) => Effect.Effect<A, E, R>,
  name = `Test-${crypto.randomUUID()}`
) =>
  Effect.gen(function* () {
    const outside = yield* Effect.context<Exclude<R, WorkflowEngine.WorkflowInstance>>()
    const ended = yield* Deferred.make<A, E>()
    const workflow = Workflow.make(name, {
      payload: { id: Schema.String },
      idempotencyKey: ({ id }) => id
    }).annotate(Workflow.SuspendOnFailure, true)
    yield* Layer.build(
      workflow.toLayer((_, runId) =>
        Effect.suspend(() => program(runId)).pipe(
          Effect.tap((value) => Deferred.succeed(ended, value)),
          Effect.asVoid,
          Effect.orDie,
          // What the engine provides is inside of what the test does.
          Effect.updateContext(
            (inside: Context.Context<WorkflowEngine.WorkflowInstance>) =>
              Context.merge(outside, inside) as Context.Context<R>
          )
        )
      ) as Layer.Layer<never, never, WorkflowEngine.WorkflowEngine>
    )
    const executionId = yield* workflow.executionId({ id: "1" })
    const engine = yield* WorkflowEngine.WorkflowEngine
    return {
      workflow,
      executionId,
      start: workflow.execute({ id: "1" }, { discard: true }),
      /** It has left its handler. */
      atRest: Effect.repeat(engine.poll(workflow, executionId), { until: Option.isSome }),
      ended: Deferred.await(ended)
    }
  })

/** An agent that asks whoever reads the inbox. */
export const ordering = <A, E, R>(agent: Agent.Agent<A, E, R>, name?: string) =>
  Effect.gen(function* () {
    const inbox = yield* Queue.unbounded<Durable.Asked>()
    const run = yield* registered(
      (runId) =>
        Agent.run(agent, {
          prompt: "Go.",
          durable: { runId },
          onDeferred: Durable.awaitAnswers((asked) => Queue.offerAll(inbox, asked))
        }),
      name
    )
    return { ...run, inbox }
  })
