import { Deferred, Effect, Exit } from "effect"

/**
 * Runs an effect once, for all who ask. What the one who runs it is interrupted in, the next one who waits does again, so
 * that nobody is interrupted with somebody else.
 */
export const once = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  let state: Exit.Exit<A, E> | Deferred.Deferred<void> | undefined
  return Effect.uninterruptibleMask((restore) => {
    const ask: Effect.Effect<A, E, R> = Effect.suspend(() => {
      if (state === undefined) {
        const running = (state = Deferred.makeUnsafe<void>())
        return Effect.flatMap(Effect.exit(restore(effect)), (exit) => {
          state = Exit.hasInterrupts(exit) ? undefined : exit
          Deferred.doneUnsafe(running, Exit.void)
          return exit
        })
      }
      return Exit.isExit(state) ? state : Effect.andThen(restore(Deferred.await(state)), ask)
    })
    return ask
  })
}
