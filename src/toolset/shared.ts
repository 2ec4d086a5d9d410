import { Cause, Effect, RcRef, Scope, Semaphore } from "effect"
import { over as servicesOver, surrounded } from "./environment.ts"
import { until } from "./listing.ts"
import { leaf, type Toolset } from "./model.ts"
import { outlived } from "./open.ts"
import { opened } from "./opening.ts"

/**
 * One opened toolset for all runs while the scope lasts: the first run opens it, the last one that uses it closes it. A
 * run that comes while it closes waits for that, and opens it again: so what closes it must not wait for a run.
 *
 * Captures what the toolset needs now, and uses it whoever calls; the run, the call, the span and the log stay those of
 * each run. A dynamic toolset inside is a `ToolsetDefinitionError` when a run opens it: share what it chooses among. So
 * is whatever is done with it after the scope has closed.
 *
 * ```ts run
 * import { Console, Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const connect = Effect.acquireRelease(Console.log("open"), () => Console.log("close"))
 * const tools = Toolset.unwrap(Effect.as(connect, Toolset.tool("ping", { handler: () => Effect.succeed("pong") })))
 * const program = Effect.scoped(Effect.gen(function* () {
 *   const one = yield* Toolset.shared(tools)
 *   yield* Toolset.open(one)
 *   yield* Toolset.call(one, "ping", {})
 *   yield* Toolset.call(one, "ping", {})
 * }))
 * Effect.runSync(program)
 * //> open
 * //> close
 * ```
 */
export const shared = <E, R>(self: Toolset<E, R>): Effect.Effect<Toolset<E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const services = yield* Effect.context<R>()
    // One is open at a time: what it holds may be of a kind that there can be only one of.
    const turn = Semaphore.makeUnsafe(1)
    const taken = Effect.acquireRelease(turn.take(1), () => turn.release(1), { interruptible: true })
    const ref = yield* RcRef.make({ acquire: Effect.andThen(taken, opened(self, { shared: true })) })
    const label = `shared(${self.label})`
    const isOver = () => scope.state._tag === "Closed"
    const over = () => outlived(label)
    return leaf<E, never>(
      label,
      (opening) =>
        Effect.suspend(() => (isOver() ? Effect.fail(over()) : RcRef.get(ref))).pipe(
          Effect.provideService(Scope.Scope, opening.scope),
          // Who waits while the scope closes is interrupted with the opening, and not by anybody of its own.
          Effect.catchCause((cause) =>
            isOver() && Cause.hasInterrupts(cause) ? Effect.fail(over()) : Effect.failCause(cause)
          ),
          Effect.map((listing) => until(surrounded(listing, servicesOver(services)), isOver, over))
        ),
      self.id
    )
  })
