import { Effect } from "effect"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import { collect } from "./collect.ts"
import { inRun } from "./inRun.ts"
import type { Toolset } from "./model.ts"
import { opened } from "./opening.ts"

/**
 * What a toolset offers: opens it, lists it once, closes it.
 *
 * Uses the `RunContext` that is there, else one at step 1. Fails where two tools have one name, or a name is none that
 * model providers accept.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const ping = Toolset.tool("ping", { description: "Answers.", handler: () => Effect.succeed("pong") })
 * console.log(Effect.runSync(Toolset.list(ping)).map((tool) => [tool.name, tool.description]))
 * //> [ [ 'ping', 'Answers.' ] ]
 * ```
 */
export const list = <E, R>(
  self: Toolset<E, R>
): Effect.Effect<ReadonlyArray<ToolDefinition>, E | ToolsetError, R> =>
  Effect.scoped(
    Effect.flatMap(opened(self), (listing) =>
      inRun((run) => Effect.map(collect(listing, run), (offer) => offer.tools.map((tool) => tool.definition)))
    )
  )
