import { Effect } from "effect"
import { nothing } from "./listing.ts"
import { lightLeaf, type Toolset } from "./model.ts"

/**
 * No tools and no instructions: the identity of `combined`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * console.log(Effect.runSync(Toolset.list(Toolset.empty)))
 * //> []
 * ```
 */
export const empty: Toolset = lightLeaf("empty", Effect.succeed(nothing))
