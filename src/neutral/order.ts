/** Calls that come one by one, and not one after the other: a sequential one runs alone, the others together. */
import { Deferred, Effect } from "effect"
import { identity } from "effect/Function"
import type { Surroundings } from "../toolset/environment.ts"

/** A place in the order is taken where this is called, and kept until the effect around which it is has ended. */
export type Order = (isSequential: boolean) => Surroundings

export const makeOrder = (): Order => {
  let barrier: Effect.Effect<void> = Effect.void
  let since: ReadonlyArray<Effect.Effect<void>> = []
  return (isSequential) => {
    const done = Deferred.makeUnsafe<void>()
    const before = isSequential ? [barrier, ...since] : [barrier]
    if (isSequential) {
      barrier = Deferred.await(done)
      since = []
    } else since = [...since, Deferred.await(done)]
    return (effect) =>
      Effect.forEach(before, identity, { discard: true }).pipe(
        Effect.andThen(effect),
        Effect.ensuring(Deferred.succeed(done, undefined))
      )
  }
}
