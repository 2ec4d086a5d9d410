import { Deferred, Effect, Exit } from "effect"
import { doing, newTask, waiting } from "./waits.ts"

/**
 * Runs an effect once, for all who ask. What the one who runs it is interrupted in, the next one who waits does again, so
 * that nobody is interrupted with somebody else. `forItself`: what it fails with where it comes to wait for itself.
 */
export const once = <A, E, R, E2 = never>(
  effect: Effect.Effect<A, E, R>,
  forItself?: () => E2
): Effect.Effect<A, E | E2, R> => {
  const task = newTask()
  const does = forItself === undefined ? effect : doing(task, effect)
  const waits = (done: Effect.Effect<void>): Effect.Effect<void, E2> =>
    forItself === undefined ? done : waiting(task, done, forItself)
  let state: Exit.Exit<A, E> | Deferred.Deferred<void> | undefined
  return Effect.uninterruptibleMask((restore) => {
    const ask: Effect.Effect<A, E | E2, R> = Effect.suspend(() => {
      if (state === undefined) {
        const running = (state = Deferred.makeUnsafe<void>())
        return Effect.flatMap(Effect.exit(restore(does)), (exit) => {
          state = Exit.hasInterrupts(exit) ? undefined : exit
          Deferred.doneUnsafe(running, Exit.void)
          return exit
        })
      }
      return Exit.isExit(state) ? state : Effect.andThen(restore(waits(Deferred.await(state))), ask)
    })
    return ask
  })
}
