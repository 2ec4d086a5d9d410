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
    const before = Effect.forEach(isSequential ? [barrier, ...since] : [barrier], identity, { discard: true })
    // One that is interrupted while it waits is done before those that it waits for.
    const after = Effect.andThen(before, Deferred.await(done))
    if (isSequential) {
      barrier = after
      since = []
    } else since = [...since, after]
    return (effect) => Effect.ensuring(Effect.andThen(before, effect), Deferred.succeed(done, undefined))
  }
}
