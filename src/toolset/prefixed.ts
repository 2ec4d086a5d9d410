import { Predicate } from "effect"
import { dual } from "effect/Function"
import type { Toolset } from "./model.ts"
import { mapDefinition } from "./transform.ts"

/**
 * Puts `prefix` and `_` before every name.
 *
 * `x` then `y` is `y_x`; `prefixed("")` is the identity; at a call nothing changes but `ToolCall.exposedName`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const search = Toolset.tool("search", { handler: () => Effect.succeed([]) })
 * console.log(Effect.runSync(Toolset.list(search.pipe(Toolset.prefixed("github"))))[0]?.name)
 * //> github_search
 * ```
 */
export const prefixed: {
  (prefix: string): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(self: Toolset<E, R>, prefix: string): Toolset<E, R>
} = dual(2, <E, R>(self: Toolset<E, R>, prefix: string): Toolset<E, R> =>
  prefix === ""
    ? self
    : mapDefinition(self, "prefixed", (tool) =>
        // What is no name does not become one.
        Predicate.isString(tool.name) ? { ...tool, name: `${prefix}_${tool.name}` } : tool
      )
)
