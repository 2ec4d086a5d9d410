import type { Duration } from "effect"
import { dual } from "effect/Function"
import { bounded, notPositive, positive } from "./bounded.ts"
import { flawed } from "./flawed.ts"
import type { Toolset } from "./model.ts"
import { mapTool } from "./transform.ts"

/**
 * Interrupts a call that takes longer, and asks the model to retry (`reason: "timeout"`).
 *
 * Bounds everything inside it, of any source: decoding and validating, then gates, wrappers and handler; finalizers are
 * awaited. A timeout that a body raises by itself is an
 * ordinary failure. A duration that is not positive is a `ToolsetDefinitionError`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const slow = Toolset.tool("slow", { handler: () => Effect.sleep("1 minute") })
 * const error = Effect.flip(Toolset.call(slow.pipe(Toolset.timeout("10 millis")), "slow", {}))
 * console.log((await Effect.runPromise(error)).message)
 * //> Timed out after 0.01 seconds.
 * ```
 */
export const timeout: {
  (duration: Duration.Input): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(self: Toolset<E, R>, duration: Duration.Input): Toolset<E, R>
} = dual(2, <E, R>(self: Toolset<E, R>, duration: Duration.Input): Toolset<E, R> => {
  const limit = positive(duration)
  if (limit === undefined) return flawed(self, "timeout", notPositive(duration))
  return mapTool<E, R, never>(self, "timeout", (tool) => ({
    ...tool,
    timed: true,
    decode: (args) => bounded(tool.decode(args), limit),
    validate: (args) => bounded(tool.validate(args), limit),
    call: (args) => bounded(tool.call(args), limit)
  }))
})
