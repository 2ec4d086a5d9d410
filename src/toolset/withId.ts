import { Effect } from "effect"
import { dual } from "effect/Function"
import { mapped } from "./listing.ts"
import { memoized } from "./memoized.ts"
import { type Listing, make, type Toolset } from "./model.ts"

/**
 * Gives a toolset the identity that survives the process: what a durable record is found under, and what an approval is
 * bound to.
 *
 * The id is also the toolset's label in error texts. Changes nothing that a model sees.
 *
 * ```ts run
 * import { Toolset } from "effect-toolset"
 *
 * console.log(Toolset.describe(Toolset.empty.pipe(Toolset.withId("github"), Toolset.prefixed("gh"))))
 * //> prefixed
 * //> └─ github
 * //>    └─ empty
 * ```
 */
export const withId: {
  (id: string): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(self: Toolset<E, R>, id: string): Toolset<E, R>
} = dual(2, <E, R>(self: Toolset<E, R>, id: string): Toolset<E, R> => {
  const named = memoized((listing: Listing<E>) =>
    mapped(listing, (tool) => ({ ...tool, source: id, origin: [id, ...tool.origin] }))
  )
  return make({
    name: id,
    label: id,
    id,
    children: [self],
    build: (opening) => Effect.map(opening.open(self), named),
    over: (replace) => withId(replace(self) as typeof self, id)
  })
})
