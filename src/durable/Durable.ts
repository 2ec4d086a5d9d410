import { Context, type Effect, type Schema } from "effect"
import type { DurableError } from "./DurableError.ts"

/** Where a step stands: the same on every attempt in which the same was asked before it, and by it. */
export interface Place {
  readonly runId: string
  /** Its number, behind those of the steps that it is in: sorted paths are the order of the run. */
  readonly path: string
  /** Digest of everything that was asked up to it. */
  readonly key: string
  /** For people who read records. */
  readonly name: string
  /** Says, once in an attempt, that something else was recorded here: for a store that finds that, before it runs `live`. */
  readonly differs: Effect.Effect<void>
}

/** What a step came to. */
export interface Memo {
  /** Nothing, where it ran and nothing is to be recorded. */
  readonly record: Schema.Json | undefined
  readonly replayed: boolean
}

/**
 * Where durable runs keep their records.
 *
 * - `memo`: gives the record of a place, or runs `live` and records what it gives, unless that is nothing.
 * - `result`: that of a run that has ended. `finish` records it, and then removes the records of the run's steps.
 * - `forget`: removes everything of a run.
 * - `around`: what is done about each run as a whole, where something is.
 */
export class Durable extends Context.Service<
  Durable,
  {
    readonly memo: <E, R>(
      place: Place,
      live: Effect.Effect<Schema.Json | undefined, E, R>
    ) => Effect.Effect<Memo, E | DurableError, R>
    readonly result: (runId: string) => Effect.Effect<Schema.Json | undefined, DurableError>
    readonly finish: (runId: string, result: Schema.Json) => Effect.Effect<void>
    readonly forget: (runId: string) => Effect.Effect<void, DurableError>
    readonly around?: <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("effect-toolset/Durable") {}
