import { dual } from "effect/Function"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { Toolset } from "./model.ts"
import { mapDefinition } from "./transform.ts"

/**
 * Merges into every tool's metadata, shallowly; these keys win over those that are there.
 *
 * `withMetadata({})` is the identity; of two, the last one added wins.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tool = Toolset.tool("a", { metadata: { team: "x", n: 1 }, handler: () => Effect.succeed(1) })
 * console.log(Effect.runSync(Toolset.list(tool.pipe(Toolset.withMetadata({ team: "y" }))))[0]?.metadata)
 * //> { team: 'y', n: 1 }
 * ```
 */
export const withMetadata: {
  (
    metadata:
      | Readonly<Record<string, unknown>>
      | ((tool: ToolDefinition) => Readonly<Record<string, unknown>>)
  ): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(
    self: Toolset<E, R>,
    metadata:
      | Readonly<Record<string, unknown>>
      | ((tool: ToolDefinition) => Readonly<Record<string, unknown>>)
  ): Toolset<E, R>
} = dual(
  2,
  <E, R>(
    self: Toolset<E, R>,
    metadata:
      | Readonly<Record<string, unknown>>
      | ((tool: ToolDefinition) => Readonly<Record<string, unknown>>)
  ): Toolset<E, R> =>
    mapDefinition(self, "withMetadata", (tool) => ({
      ...tool,
      metadata: { ...tool.metadata, ...(typeof metadata === "function" ? metadata(tool) : metadata) }
    }))
)
