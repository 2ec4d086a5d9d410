import { Effect, Option, type Scope } from "effect"
import { outsideOfRuns, RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolSignal } from "../ToolSignal.ts"
import { ToolNotFound, type ToolResultError, type ToolsetError } from "../ToolsetError.ts"
import { collect } from "./collect.ts"
import { surrounded, under } from "./environment.ts"
import { admit, type Circumstances } from "./dispatch.ts"
import type { Listing, Run, Session, Toolset } from "./model.ts"
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
  Effect.gen(function* () {
    const services = yield* Effect.context<R>()
    const listing = surrounded(yield* opened(self, { shared: false }), under(services))
    return {
      tools: Effect.flatMap(RunContext, listing.list),
      instructions: Effect.flatMap(RunContext, listing.instructions),
      call: (name, args) => callOnce(listing, name, args)
    }
  })

/** The agent's pipeline for one call, once: its signal is a failure here. */
export const callOnce = <E>(
  listing: Listing<E>,
  name: string,
  args: unknown
): Effect.Effect<unknown, E | ToolSignal | ToolResultError | ToolNotFound | ToolsetError> =>
  inRun((run) =>
    Effect.gen(function* () {
      const offer = yield* collect(listing, run)
      if (!offer.byName.has(name)) {
        const availableTools = offer.tools.map((tool) => tool.definition.name)
        return yield* new ToolNotFound({ toolName: name, availableTools })
      }
      const around = Option.getOrUndefined(yield* Effect.serviceOption(ToolCall))
      const admission = yield* admit(offer, { id: around?.id ?? "direct", name, args }, around ?? first)
      const outcome = yield* admission.perform
      return outcome._tag === "Returned" ? outcome.result.value : yield* Effect.fail(outcome)
    })
  )

/** The definitions of a listing. */
export const definitions = <E>(
  listing: Listing<E>
): Effect.Effect<ReadonlyArray<ToolDefinition>, E | ToolsetError> =>
  inRun((run) => Effect.map(collect(listing, run), (offer) => offer.tools.map((tool) => tool.definition)))

/** In the run that is there, or in one of its own. */
const inRun = <A, E>(f: (run: Run) => Effect.Effect<A, E, RunContext>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.serviceOption(RunContext), (current) => {
    const run = Option.getOrElse(current, outsideOfRuns)
    return Effect.provideService(f(run), RunContext, run)
  })

const first: Circumstances = {
  attempt: 0,
  maxRetries: 1,
  approved: false,
  metadata: {},
  progress: () => Effect.void
}
