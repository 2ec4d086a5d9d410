import { Effect, type Scope } from "effect"
import { RunContext } from "../RunContext.ts"
import { ToolsetDefinitionError, type ToolsetError } from "../ToolsetError.ts"
import { callOnce } from "./call.ts"
import { offeredOf } from "./discovery.ts"
import { surrounded, under } from "./environment.ts"
import { instructionsOf } from "./listing.ts"
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
  Effect.map(openedForOthers(self), (listing) => ({
    tools: Effect.flatMap(RunContext, (run) =>
      Effect.map(listing.list(run), (tools) => offeredOf(tools, run))
    ),
    instructions: Effect.flatMap(RunContext, (run) => instructionsOf(listing, run)),
    call: (name, args) => callOnce(listing, name, args)
  }))

/** Opened for whoever uses it, wherever, while the scope lasts. */
export const openedForOthers = <E, R>(
  self: Toolset<E, R>
): Effect.Effect<Listing<E>, E | ToolsetError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const surroundings = under(yield* Effect.context<R>())
    const listing = surrounded(yield* opened(self), surroundings)
    return {
      ...listing,
      list: (run) =>
        Effect.suspend(() =>
          scope.state._tag === "Closed" ? Effect.fail(outlived(self.label)) : listing.list(run)
        )
    }
  })

export const outlived = (source: string): ToolsetDefinitionError =>
  new ToolsetDefinitionError({
    source,
    problem: "The scope that it was opened in has closed.",
    hint: "Use it inside that scope."
  })
