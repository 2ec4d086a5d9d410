import { Effect, Scope } from "effect"
import { type Any, type Error, leaf, type Services, type Toolset, typed } from "./model.ts"

/**
 * A toolset made with a resource: the effect runs when the toolset is opened, and what it acquires is released with the
 * run, after everything that was opened later.
 *
 * ```ts run
 * import { Console, Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const connect = Effect.acquireRelease(Effect.as(Console.log("open"), { rows: 3 }), () => Console.log("close"))
 * const database = Toolset.unwrap(
 *   Effect.map(connect, ({ rows }) => Toolset.tool("count", { handler: () => Effect.succeed(rows) }))
 * )
 * console.log(Effect.runSync(Toolset.call(database, "count", {})))
 * //> open
 * //> close
 * //> 3
 * ```
 */
export const unwrap = <T extends Any, E = never, R = never>(
  make: Effect.Effect<T, E, R>
): Toolset<Error<T> | E, Services<T> | Exclude<R, Scope.Scope>> =>
  leaf("unwrap", (opening) =>
    Effect.flatMap(Scope.provide(make, opening.scope), (toolset) => opening.open(typed(toolset)))
  )
