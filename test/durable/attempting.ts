/** How the attempts of a test are made: one after the other, or as entries of one workflow. */
import { Cause, Context, Deferred, Effect, Exit, Layer, Option, Schema } from "effect"
import { Workflow, WorkflowEngine } from "effect/workflow"

type Attempt = <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const Attempting = Context.Reference<Attempt>("test/Attempting", { defaultValue: () => (program) => program })

/** Runs a program as the next attempt, and ends as it does. */
export const attempting: Attempt = (program) => Effect.flatMap(Attempting, (attempt) => attempt(program))

let workflows = 0

/** In the handler of a workflow that comes to no end: it is entered again for each attempt, as after a failure. */
export const inWorkflow = (engine: Layer.Layer<WorkflowEngine.WorkflowEngine>): Layer.Layer<never> =>
  Layer.effect(
    Attempting,
    Effect.gen(function* () {
      const TestWorkflow = Workflow.make(`Test-${crypto.randomUUID()}-${workflows++}`, {
        payload: { id: Schema.String },
        idempotencyKey: ({ id }) => id
      }).annotate(Workflow.SuspendOnFailure, true)
      let current: Effect.Effect<unknown> = Effect.void
      yield* Layer.build(TestWorkflow.toLayer(() => Effect.suspend(() => current)))
      const engine = yield* WorkflowEngine.WorkflowEngine
      let executionId: string | undefined

      return <A, E, R>(program: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          const outside = yield* Effect.context<R>()
          const done = yield* Deferred.make<A, E>()
          current = Effect.gen(function* () {
            const instance = yield* WorkflowEngine.WorkflowInstance
            return yield* Effect.onExit(program, (exit) =>
              // What waits is entered again, and comes to its end then.
              Exit.isFailure(exit) && instance.suspended && Cause.hasInterruptsOnly(exit.cause)
                ? Effect.void
                : Deferred.done(done, exit)
            )
          }).pipe(
            Effect.andThen(Effect.die("to be entered again")),
            // What the engine provides is inside of what the test does.
            Effect.updateContext((inside: Context.Context<R | WorkflowEngine.WorkflowInstance>) =>
              Context.merge(outside, inside)
            )
          ) as Effect.Effect<never>
          if (executionId === undefined)
            executionId = yield* engine.execute(TestWorkflow, {
              executionId: yield* TestWorkflow.executionId({ id: "1" }),
              payload: { id: "1" },
              discard: true
            })
          else {
            // The attempt before may not have left its handler yet.
            yield* Effect.repeat(engine.poll(TestWorkflow, executionId), { until: Option.isSome })
            yield* engine.resume(TestWorkflow, executionId)
          }
          return yield* Deferred.await(done)
        })
    })
  ).pipe(Layer.provide(engine))
