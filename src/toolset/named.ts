import type { ToolDefinition } from "../ToolDefinition.ts"

/**
 * The tools of these names, as a predicate, wherever one is taken: `filtered`, `approvalRequired`, `searchable`, …
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tools = Toolset.combined(
 *   Toolset.tool("read", { handler: () => Effect.succeed(1) }),
 *   Toolset.tool("write", { handler: () => Effect.succeed(2) })
 * )
 * const careful = tools.pipe(Toolset.approvalRequired(Toolset.named("write")))
 * console.log(Effect.runSync(Toolset.call(careful, "read", {})))
 * //> 1
 * console.log(Effect.runSync(Effect.flip(Toolset.call(careful, "write", {})))._tag)
 * //> ApprovalRequired
 * ```
 */
export const named = (...names: ReadonlyArray<string>): ((tool: ToolDefinition) => boolean) => {
  const wanted = new Set(names)
  return (tool) => wanted.has(tool.name)
}
