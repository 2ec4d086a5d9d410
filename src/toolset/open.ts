import { Effect, type Scope } from "effect"
import { RunContext } from "../RunContext.ts"
import { ToolsetDefinitionError, type ToolsetError } from "../ToolsetError.ts"
import { callOnce } from "./call.ts"
import { offeredOf } from "./discovery.ts"
import { ownServices, surrounded, under } from "./environment.ts"
import { makeSteps, type Steps } from "./lease.ts"
import { instructionsOf, until } from "./listing.ts"
import type { Listing, Session, Toolset } from "./model.ts"
import { opened } from "./opening.ts"

/**
 * Opens a toolset in the current scope.
 *
 * Each toolset value is opened once, wherever it occurs in the tree, in the order of the tree; what was opened is
 * released in reverse, also on failure and interruption. One that cannot be opened leaves nothing open.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const echo = Toolset.tool("echo", { handler: () => Effect.succeed("hi") })
 * const program = Effect.scoped(Effect.gen(function* () {
 *   const session = yield* Toolset.open(echo)
 *   return [yield* session.call("echo", {}), yield* session.call("echo", {})]
 * }))
 * console.log(Effect.runSync(program))
 * //> [ 'hi', 'hi' ]
 * ```
 */
export const open = <E, R>(
  self: Toolset<E, R>
): Effect.Effect<Session<E>, E | ToolsetError, R | Scope.Scope> =>
  Effect.map(openedForOthers(self), ({ during, listing }) => ({
    tools: Effect.flatMap(RunContext, (run) =>
      during(run)(Effect.map(listing.list(run), (tools) => offeredOf(tools, run)))
    ),
    instructions: Effect.flatMap(RunContext, (run) => during(run)(instructionsOf(listing, run))),
    call: (name, args) => callOnce(listing, name, args, during)
  }))

/** Opened for whoever uses it, wherever and at the same time, while the scope lasts. */
export interface OpenedForOthers<out E> {
  readonly listing: Listing<E>
  /** Around whatever is done in a step. */
  readonly during: Steps["during"]
}

export const openedForOthers = <E, R>(
  self: Toolset<E, R>
): Effect.Effect<OpenedForOthers<E>, E | ToolsetError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const surroundings = under(ownServices(yield* Effect.context<R>()))
    const steps = makeSteps()
    const listing = until(
      surrounded(yield* opened(self, { steps }), surroundings),
      () => scope.state._tag === "Closed",
      () => outlived(self.label)
    )
    return { listing, during: steps.during }
  })

export const outlived = (source: string): ToolsetDefinitionError =>
  new ToolsetDefinitionError({
    source,
    problem: "The scope that it was opened in has closed.",
    hint: "Use it inside that scope."
  })
