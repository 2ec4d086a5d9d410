import { Effect } from "effect"
import { dual } from "effect/Function"
import { warned } from "../secrets/withoutSecrets.ts"
import { isToolsetError, type ToolsetError } from "../ToolsetError.ts"
import { failureText } from "./failure.ts"
import { instructionsOf, oncePerStep, varying } from "./listing.ts"
import { type Listing, make, type Run, type Toolset } from "./model.ts"
import { once } from "./once.ts"
import type { Opening } from "./opening.ts"

/**
 * Another toolset in the place of one that cannot be opened, or, for that step, of one that cannot be listed. What failed
 * is logged as a warning.
 *
 * The other one is opened when it is needed. Calls may still fail with `E`: what a tool does when it is called is for
 * `onError` and `retried`. Interruption, defects and `ToolsetError`s are not failures of this kind. `orElse(empty)` leaves
 * a toolset out that is not there; of one that opens and lists it is the identity.
 *
 * ```ts run
 * import { Effect, Logger } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const server = Toolset.unwrap(Effect.as(Effect.fail("offline" as const), Toolset.empty))
 * const local = Toolset.tool("search", { handler: () => Effect.succeed("from disk") })
 * const tools = server.pipe(Toolset.orElse(local))
 * const program = Toolset.call(tools, "search", {}).pipe(Effect.provide(Logger.layer([])))
 * console.log(Effect.runSync(program))
 * //> from disk
 * ```
 */
export const orElse: {
  <E2, R2>(that: Toolset<E2, R2>): <E, R>(self: Toolset<E, R>) => Toolset<E | E2, R | R2>
  <E, R, E2, R2>(self: Toolset<E, R>, that: Toolset<E2, R2>): Toolset<E | E2, R | R2>
} = dual(2, <E, R, E2, R2>(self: Toolset<E, R>, that: Toolset<E2, R2>): Toolset<E | E2, R | R2> =>
  make<E | E2, R | R2>({
    name: "orElse",
    label: `orElse(${self.label}, ${that.label})`,
    id: self.id,
    children: [self, that],
    build: (opening) => {
      const instead = standing(self, that, opening)
      return Effect.matchEffect(opening.open(self), {
        onFailure: instead,
        onSuccess: (listing): Effect.Effect<Listing<E | E2>> => Effect.succeed(listedOr(listing, instead))
      })
    },
    over: (replace) => orElse(replace(self) as typeof self, replace(that) as typeof that)
  })
)

/** The other toolset, for a failure of the first. */
const standing = <E, R, E2, R2>(self: Toolset<E, R>, that: Toolset<E2, R2>, opening: Opening) => {
  const opened = once(opening.open(that))
  return (error: E | ToolsetError): Effect.Effect<Listing<E2>, E2 | ToolsetError, R2> =>
    isToolsetError(error)
      ? Effect.fail(error)
      : Effect.andThen(warned(`${that.label} stands in for ${self.label}: ${failureText(error)}`), opened)
}

/** Both lists and instructions are those of one toolset, at each step. */
const listedOr = <E, E2, R2>(
  listing: Listing<E>,
  instead: (error: E | ToolsetError) => Effect.Effect<Listing<E2>, E2 | ToolsetError, R2>
): Listing<E | E2> => {
  if (listing.fixed !== undefined && listing.instructions === undefined) return listing
  const given = <F>(from: Listing<F>, run: Run) =>
    Effect.all({ tools: from.list(run), instructions: instructionsOf(from, run) })
  const atStep = oncePerStep((run) =>
    Effect.catch(given<E | E2>(listing, run), (error) =>
      // What the other toolset needs was asked for when this one was opened.
      Effect.flatMap(
        instead(error as E | ToolsetError) as Effect.Effect<Listing<E2>, E2 | ToolsetError>,
        (other) => given<E | E2>(other, run)
      )
    )
  )
  return varying<E | E2>(
    (run) => Effect.map(atStep(run), ({ tools }) => tools),
    (run) => Effect.map(atStep(run), ({ instructions }) => instructions)
  )
}
