import { Duration, Effect, Option } from "effect"
import { dual } from "effect/Function"
import { ModelRetry } from "../ToolSignal.ts"
import { type Flaw, flawed } from "./flawed.ts"
import type { Toolset } from "./model.ts"
import { mapTool } from "./transform.ts"

/**
 * Interrupts a call that takes longer, and asks the model to retry (`reason: "timeout"`).
 *
 * Bounds everything inside it, of any source; finalizers are awaited. A timeout that a body raises by itself is an
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
    call: (args) => bounded(tool.call(args), limit)
  }))
})

/** What takes longer is interrupted, and fails with the library's own timeout. */
export const bounded = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  limit: Duration.Duration
): Effect.Effect<A, E | ModelRetry, R> =>
  Effect.timeoutOrElse(effect, {
    duration: limit,
    orElse: () => {
      const seconds = Duration.toSeconds(limit)
      const message = `Timed out after ${seconds} ${seconds === 1 ? "second" : "seconds"}.`
      return Effect.fail(new ModelRetry({ message, reason: "timeout" }))
    }
  })

/** A duration that something can be done in. */
export const positive = (input: Duration.Input): Duration.Duration | undefined =>
  Option.getOrUndefined(Option.filter(Duration.fromInput(input), Duration.isPositive))

export const notPositive = (input: Duration.Input): Flaw => ({
  problem: `The timeout is ${Duration.isDuration(input) ? Duration.format(input) : JSON.stringify(input)}.`,
  hint: "Give a positive duration, or none for no timeout."
})
