/** What a run does attempt after attempt, as a process does that is killed and started again. */
import { Cause, Effect, type Exit, Schema } from "effect"
import * as Durable from "effect-toolset/Durable"
import { attempting } from "./attempting.ts"

/** The process dies. */
export const killed = Effect.die("killed")

/** Dies so many times, and then no more. */
export const killing = (times: number) => Effect.suspend(() => (times-- > 0 ? killed : Effect.void))

export class Down extends Schema.TaggedError<Down>()("Down", {}) {}

/** Runs programs as attempts at one run. Those that succeed have not finished, unless they are the last. */
export const attempts = <A, E, R>(
  programs: ReadonlyArray<Effect.Effect<A, E, R>>,
  runId = "r"
): Effect.Effect<ReadonlyArray<Exit.Exit<A, E | Durable.DurableError>>, never, R | Durable.Durable> =>
  Effect.forEach(programs, (program) =>
    Effect.exit(
      // `Any`: what the programs of a test give is JSON.
      attempting(Durable.run(program, { runId, schema: Schema.Any, isFinished: () => false }))
    )
  )

/** Does things, and knows what it did. */
export const doing = () => {
  const done: Array<string> = []
  return {
    done,
    does: <A>(name: string, value: A): Effect.Effect<A> =>
      Effect.sync(() => {
        done.push(name)
        return value
      })
  }
}

/** A step whose name says all. */
export const step = <A, E, R>(
  name: string,
  effect: Effect.Effect<A, E, R>,
  options?: Partial<Durable.StepOptions<A>>
) => Durable.step<A, E, R>({ name, id: null, schema: Schema.Any, ...options }, effect)

export const messageOf = (exit: Exit.Exit<unknown, unknown> | undefined): string => {
  if (exit === undefined || exit._tag === "Success") return "no failure"
  const error = Cause.squash(exit.cause)
  return error instanceof Error ? error.message : String(error)
}
