/** Time limits. */
import { Duration, Effect, Exit, Option } from "effect"
import { ModelRetry } from "../ToolSignal.ts"
import type { Flaw } from "./flawed.ts"

/** What takes longer is interrupted, and fails with the library's own timeout. */
export const bounded = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  limit: Duration.Duration
): Effect.Effect<A, E | ModelRetry, R> =>
  Exit.isExit(effect)
    ? effect
    : Effect.timeoutOrElse(effect, { duration: limit, orElse: () => timedOut(limit) })

const timedOut = (limit: Duration.Duration): Effect.Effect<never, ModelRetry> => {
  const seconds = Duration.toSeconds(limit)
  const message = `Timed out after ${seconds} ${seconds === 1 ? "second" : "seconds"}.`
  return Effect.fail(new ModelRetry({ message, reason: "timeout" }))
}

/** A duration that something can be done in. */
export const positive = (input: Duration.Input): Duration.Duration | undefined =>
  Option.getOrUndefined(Option.filter(Duration.fromInput(input), Duration.isPositive))

export const notPositive = (input: Duration.Input): Flaw => ({
  problem: `The timeout is ${inWords(input)}.`,
  hint: "Give a positive duration, or none for no timeout."
})

const inWords = (input: Duration.Input): string => {
  if (Duration.isDuration(input)) return Duration.format(input)
  return typeof input === "number" || typeof input === "bigint" ? String(input) : JSON.stringify(input)
}
