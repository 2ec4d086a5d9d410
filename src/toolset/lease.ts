/** What steps use: let go, it closes when no step that uses it is under way any more. */
import { Effect, Exit, Scope } from "effect"
import type { Surroundings } from "./environment.ts"
import type { Run } from "./model.ts"

/** Something in a scope that steps use. */
export interface Lease {
  readonly isClosed: () => boolean
  readonly usedBy: (step: Run) => void
  /** Closes it, now or when the last step that uses it has ended. */
  readonly letGo: Effect.Effect<void>
}

/** All of them, whatever becomes of one. */
const each = (effects: ReadonlyArray<Effect.Effect<void>>): Effect.Effect<void> =>
  effects.length === 0 ? Effect.void : Effect.flatMap(Effect.forEach(effects, Effect.exit), Exit.asVoidAll)

/** The steps that are under way, where several may be at the same time. */
export interface Steps {
  /** Has a step under way while the effect runs. */
  readonly during: (step: Run) => Surroundings
  readonly lease: (scope: Scope.Closeable) => Lease
  /** Something else has taken its place in a step; the rest of the tree may come to use it in that step. */
  readonly supersede: (step: Run, lease: Lease) => void
  /** Lets go of what was superseded in a step. */
  readonly settle: (step: Run) => Effect.Effect<void>
}

export const makeSteps = (): Steps => {
  const underWay = new Map<Run, number>()
  const waiting = new Set<Effect.Effect<void>>()
  const superseded = new WeakMap<Run, ReadonlyArray<Lease>>()

  const begin = (step: Run) => Effect.sync(() => underWay.set(step, (underWay.get(step) ?? 0) + 1))
  const end = (step: Run) =>
    Effect.suspend(() => {
      const left = underWay.get(step)! - 1
      if (left > 0) underWay.set(step, left)
      else underWay.delete(step)
      return each(Array.from(waiting))
    })

  const lease = (scope: Scope.Closeable): Lease => {
    const users = new WeakSet<Run>()
    const isUsed = () => Array.from(underWay.keys()).some((step) => users.has(step))
    const close: Effect.Effect<void> = Effect.suspend(() => {
      if (isUsed()) return Effect.void
      waiting.delete(close)
      return Scope.close(scope, Exit.void)
    })
    return {
      isClosed: () => scope.state._tag === "Closed",
      usedBy: (step) => void users.add(step),
      letGo: Effect.suspend(() => (waiting.add(close), close))
    }
  }

  return {
    during: (step) => (effect) =>
      Effect.acquireUseRelease(
        begin(step),
        () => effect,
        () => end(step)
      ),
    lease,
    supersede: (step, lease) => void superseded.set(step, [...(superseded.get(step) ?? []), lease]),
    settle: (step) =>
      Effect.suspend(() => {
        const leases = superseded.get(step) ?? []
        superseded.delete(step)
        return each(leases.map(({ letGo }) => letGo))
      })
  }
}
