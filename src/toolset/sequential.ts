import type { Toolset } from "./model.ts"
import { mapDefinition } from "./transform.ts"

/**
 * Makes every tool a barrier: it runs alone, after the calls before it in the step and before those after it.
 *
 * Twice is once.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tool = Toolset.tool("move", { handler: () => Effect.succeed(1) })
 * console.log(Effect.runSync(Toolset.list(Toolset.sequential(tool)))[0]?.sequential)
 * //> true
 * ```
 */
export const sequential = <E, R>(self: Toolset<E, R>): Toolset<E, R> =>
  mapDefinition(self, "sequential", (tool) => (tool.sequential ? tool : { ...tool, sequential: true }))
