/** Records that a workflow engine keeps: an `Activity` for each step. */
import { Cause, Context, Effect, Exit, Layer, Option, Schema } from "effect"
import { Activity, DurableDeferred, Workflow, WorkflowEngine } from "effect/workflow"
import { Durable, type Memo, type Place } from "./Durable.ts"
import { DurableError } from "./DurableError.ts"

/**
 * Leaves records to the `WorkflowEngine` in whose hands the program is: for runs inside of the handler of a `Workflow`,
 * anywhere else they fail with a `DurableError`. The engine starts a run again after its process has died, on a cluster
 * (`effect/cluster`) on another machine.
 *
 * What an engine keeps of an execution is removed as a whole, by `purge`.
 *
 * ```ts run
 * import { Effect, Layer, Schema } from "effect"
 * import { Workflow, WorkflowEngine } from "effect/workflow"
 * import { Agent, Toolset } from "effect-toolset"
 * import * as Durable from "effect-toolset/Durable"
 * import { TestModel } from "effect-toolset/testing"
 *
 * const charge = Toolset.tool("charge", { handler: () => Effect.succeed("charged") })
 * const agent = Agent.make({ toolsets: [Toolset.withId(charge, "shop")] })
 * const Order = Workflow.make("Order", {
 *   payload: { item: Schema.String },
 *   idempotencyKey: ({ item }) => item,
 *   success: Schema.String
 * })
 * const OrderLive = Order.toLayer(({ item }, runId) =>
 *   Agent.run(agent, { prompt: `${item}, please.`, durable: { runId } }).pipe(
 *     Effect.map(({ output }) => output),
 *     Effect.orDie
 *   )
 * ).pipe(
 *   Layer.provide([Durable.layerWorkflow, TestModel.layer()]),
 *   Layer.provideMerge(WorkflowEngine.layerMemory)
 * )
 * console.log(await Effect.runPromise(Order.execute({ item: "A teapot" }).pipe(Effect.provide(OrderLive))))
 * //> {"charge":"charged"}
 * ```
 */
export const layerWorkflow: Layer.Layer<Durable> = Layer.succeed(
  Durable,
  Durable.of({
    memo: <E, R>(place: Place, live: Effect.Effect<Schema.Json | undefined, E, R>) =>
      Effect.andThen(
        inHandler(place.name),
        Effect.contextWith((outside: Context.Context<R>) => attempt(place, live, outside, firstOf(place), 1))
      ),
    result: (runId) =>
      Effect.flatMap(inHandler(runId), ({ engine, instance }) =>
        Effect.map(
          Effect.provideService(
            engine.deferredResult(resultOf(runId)),
            WorkflowEngine.WorkflowInstance,
            instance
          ),
          (found) => Option.getOrUndefined(Option.flatMap(found, Exit.getSuccess))
        )
      ),
    finish: (runId, result) =>
      Effect.flatMap(
        inHandler(runId),
        ({ engine, instance: { executionId, workflow } }) =>
          engine.deferredDone(resultOf(runId), {
            workflowName: workflow._tag,
            executionId,
            deferredName: resultOf(runId).name,
            exit: Exit.succeed(result)
          })
        // The run has begun there.
      ).pipe(Effect.orDie),
    forget: (runId) => Effect.fail(onlyWhole(runId)),
    around: (run) =>
      Effect.catchCause(run, (cause) =>
        Effect.flatMap(suspendedBy(cause), (instance) =>
          // A part of the run has stopped in a fiber of its own: whoever runs it must not take that for a failure.
          instance === undefined ? Effect.failCause(cause) : Workflow.suspend(instance)
        )
      )
  })
)

/** What a step came to, or that it failed. */
const Recorded = Schema.NullOr(Schema.Struct({ key: Schema.String, outcome: Schema.Json }))

/**
 * An `Activity` is recorded whatever it does. A failure, which is not to be recorded, is therefore recorded as an attempt
 * at it, and another run makes the next one. What was asked otherwise later has another name.
 */
const attempt = <E, R>(
  place: Place,
  live: Effect.Effect<Schema.Json | undefined, E, R>,
  outside: Context.Context<R>,
  name: string,
  number: number
): Effect.Effect<Memo, E, R> =>
  Effect.suspend(() => {
    let ran: Exit.Exit<Schema.Json | undefined, E> | undefined
    const execute = Effect.gen(function* () {
      const own = yield* WorkflowEngine.WorkflowInstance
      const inside = outside.pipe(
        // What waits inside is waited for by the step, and not by what it is in.
        Context.add(WorkflowEngine.WorkflowInstance, own),
        // The attempt at this step is none at the activities inside it.
        Context.add(Activity.CurrentAttempt, Context.get(outside, Activity.CurrentAttempt))
      )
      const exit = yield* Effect.exit(Effect.provideContext(live, inside as Context.Context<R>))
      if (Exit.isFailure(exit) && isSuspension(exit.cause, own)) return yield* Workflow.suspend(own)
      ran = exit
      return Exit.isSuccess(exit) && exit.value !== undefined ? { key: place.key, outcome: exit.value } : null
    })
    const activity = Activity.make({ name, success: Recorded, execute })
    return Effect.flatMap(
      Effect.provideService(activity, Activity.CurrentAttempt, number),
      (recorded): Effect.Effect<Memo, E, R> => {
        if (recorded !== null && recorded.key !== place.key)
          return attempt(place, Effect.andThen(place.differs, live), outside, otherOf(place), 1)
        if (recorded !== null)
          return Effect.succeed({ record: recorded.outcome, replayed: ran === undefined })
        return ran === undefined
          ? attempt(place, live, outside, name, number + 1)
          : Effect.map(ran, (record) => ({ record, replayed: false }))
      }
      // `inHandler` has found the engine.
    ) as Effect.Effect<Memo, E, R>
  })

/** The name of what is asked first in a place. Asked again it gives what that has come to, and whose it is. */
const firstOf = ({ name, path }: Place): string => `${name}#${path}`

/** No other of an execution has it. */
const otherOf = (place: Place): string => `${firstOf(place)}-${place.key}`

/** Unlike what an `Activity` has come to, it may be asked for before it is there. */
const resultOf = (runId: string) => DurableDeferred.make(`result/${runId}`, { success: Schema.Json })

type Instance = WorkflowEngine.WorkflowInstance["Service"]

/** Stopped only to be entered again later. */
const isSuspension = (cause: Cause.Cause<unknown>, instance: Instance): boolean =>
  instance.suspended && Cause.hasInterruptsOnly(cause)

const suspendedBy = (cause: Cause.Cause<unknown>): Effect.Effect<Instance | undefined> =>
  Effect.map(
    Effect.serviceOption(WorkflowEngine.WorkflowInstance),
    Option.match({
      onNone: () => undefined,
      onSome: (instance) => (isSuspension(cause, instance) ? instance : undefined)
    })
  )

const inHandler = (step: string) =>
  Effect.gen(function* () {
    const engine = yield* Effect.serviceOption(WorkflowEngine.WorkflowEngine)
    const instance = yield* Effect.serviceOption(WorkflowEngine.WorkflowInstance)
    return Option.isSome(engine) && Option.isSome(instance)
      ? { engine: engine.value, instance: instance.value }
      : yield* noWorkflow(step)
  })

const noWorkflow = (step: string) =>
  new DurableError({
    reason: "Workflow",
    step,
    problem: "Durable.layerWorkflow keeps the records of workflows, and this runs in none.",
    hint: "Run it inside of the handler of a Workflow (Workflow.toLayer), or provide another layer of Durable."
  })

const onlyWhole = (runId: string) =>
  new DurableError({
    reason: "Workflow",
    step: runId,
    problem: "An engine keeps what an execution has done as a whole, and for as long as it runs.",
    hint: "Remove it when it has ended: Durable.purge(workflow, executionId)."
  })
