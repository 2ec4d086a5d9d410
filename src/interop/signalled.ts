import { Effect, Exit } from "effect"

/** Runs with an `AbortSignal` that is aborted where this does not come to a result: interrupted above all. */
export const signalled = <A, E, R>(
  use: (signal: AbortSignal) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new AbortController()),
    (controller) => use(controller.signal),
    (controller, exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.sync(() => controller.abort()))
  )
