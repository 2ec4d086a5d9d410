import type { Toolset } from "./model.ts"
import { mapDefinition } from "./transform.ts"

/**
 * Shows the model what tools return: the schema of the result, appended to the description of every tool that has one.
 *
 * Twice is once.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const count = Toolset.tool("count", {
 *   description: "Counts.",
 *   success: Schema.Finite,
 *   handler: () => Effect.succeed(3)
 * })
 * console.log(Effect.runSync(Toolset.list(Toolset.withReturns(count)))[0]?.description)
 * //> Counts.
 * //>
 * //> Returns: {"type":"number"}
 * ```
 */
export const withReturns = <E, R>(self: Toolset<E, R>): Toolset<E, R> =>
  mapDefinition(self, "withReturns", (tool) => {
    if (tool.returns === undefined) return tool
    const returns = `Returns: ${JSON.stringify(tool.returns)}`
    if (tool.description === undefined) return { ...tool, description: returns }
    return tool.description.endsWith(returns)
      ? tool
      : { ...tool, description: `${tool.description}\n\n${returns}` }
  })
