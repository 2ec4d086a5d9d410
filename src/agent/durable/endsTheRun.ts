import type { Effect } from "effect"
import type { DurableError } from "../../durable/DurableError.ts"

/** A `DurableError` is nobody's `E`: it ends the run, whose own type has it. */
export const endsTheRun: <A, E, R>(
  effect: Effect.Effect<A, E | DurableError, R>
) => Effect.Effect<A, E, R> = (effect) => effect as Effect.Effect<any, any, any>
