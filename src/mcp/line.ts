/** A connection that is made again when it is lost. */
import { Effect, Exit, Ref, Scope, Semaphore } from "effect"
import type { Connection } from "./connection.ts"

export interface Line<out E, out R> {
  /** The connection of the moment. */
  readonly current: Effect.Effect<Connection>
  /** Another one than the one that was lost: closes that, and connects again, unless somebody else did. */
  readonly insteadOf: (lost: Connection) => Effect.Effect<Connection, E, R>
}

/** Connects, and stays so while the scope lasts. */
export const line = Effect.fnUntraced(function* <E, R>(
  connect: Effect.Effect<Connection, E, R>,
  scope: Scope.Scope
): Effect.fn.Return<Line<E, Exclude<R, Scope.Scope>>, E, Exclude<R, Scope.Scope>> {
  /** What is half made leaves nothing; interruptible where `restore` says so. */
  const connected = (restore: typeof Effect.interruptible) =>
    Effect.gen(function* () {
      const own = yield* Scope.fork(scope)
      const connection = yield* restore(Scope.provide(connect, own)).pipe(
        Effect.onExit((exit) => (Exit.isFailure(exit) ? Scope.close(own, exit) : Effect.void))
      )
      return { connection, scope: own }
    })
  const held = yield* Ref.make(yield* Effect.uninterruptibleMask(connected))
  const oneAtATime = yield* Semaphore.make(1)
  return {
    current: Effect.map(Ref.get(held), ({ connection }) => connection),
    insteadOf: (lost) =>
      oneAtATime.withPermits(1)(
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const now = yield* Ref.get(held)
            if (now.connection !== lost) return now.connection
            yield* lost.discard
            yield* Scope.close(now.scope, Exit.void)
            const next = yield* connected(restore)
            yield* Ref.set(held, next)
            return next.connection
          })
        )
      )
  }
})
