import { Effect } from "effect"
import { nothing } from "./listing.ts"
import { leaf, type Toolset } from "./model.ts"

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
export const empty: Toolset = leaf("empty", () => Effect.succeed(nothing))
