import { dual } from "effect/Function"
import { type Flaw, flawed } from "./flawed.ts"
import type { Toolset } from "./model.ts"
import { mapDefinition } from "./transform.ts"

/**
 * Retries for every tool that says nothing of its own; the nearest one holds.
 *
 * `n` retries are `n + 1` attempts. What is not a whole number of at least 0 is a `ToolsetDefinitionError`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tool = Toolset.tool("flaky", { handler: () => Effect.succeed(1) })
 * console.log(Effect.runSync(Toolset.list(tool.pipe(Toolset.withMaxRetries(3))))[0]?.maxRetries)
 * //> 3
 * ```
 */
export const withMaxRetries: {
  (maxRetries: number): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(self: Toolset<E, R>, maxRetries: number): Toolset<E, R>
} = dual(2, <E, R>(self: Toolset<E, R>, maxRetries: number): Toolset<E, R> => {
  const flaw = retriesFlaw(maxRetries)
  if (flaw !== undefined) return flawed(self, "withMaxRetries", flaw)
  return mapDefinition(self, "withMaxRetries", (tool) =>
    tool.maxRetries === undefined ? { ...tool, maxRetries } : tool
  )
})

export const retriesFlaw = (maxRetries: number): Flaw | undefined =>
  Number.isInteger(maxRetries) && maxRetries >= 0
    ? undefined
    : { problem: `The number of retries is ${maxRetries}.`, hint: "Give a whole number of at least 0." }
