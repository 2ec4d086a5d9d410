/** Something in a scope that others use: let go, it closes when the last use has ended. */
import { Effect, Exit, Scope } from "effect"
import type { Surroundings } from "./environment.ts"

export interface Lease {
  /** Keeps it open while the effect runs. */
  readonly using: Surroundings
  /** Closes it, now or when nobody uses it any more. */
  readonly letGo: Effect.Effect<void>
}

export const lease = (scope: Scope.Closeable): Lease => {
  let uses = 0
  let isLetGo = false
  const closeIfUnused = Effect.suspend(() =>
    isLetGo && uses === 0 ? Scope.close(scope, Exit.void) : Effect.void
  )
  return {
    using: (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => uses++),
        () => effect,
        () => Effect.suspend(() => (uses--, closeIfUnused))
      ),
    letGo: Effect.suspend(() => ((isLetGo = true), closeIfUnused))
  }
}
