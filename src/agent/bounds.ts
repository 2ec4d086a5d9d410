/** What a run may use: its own limits, and those of the runs in whose calls it is, as far as they are not used up. */
import { Effect } from "effect"
import type { Usage } from "../Usage.ts"
import type { UsageLimitExceeded } from "./AgentError.ts"
import type { Ledger } from "./ledger.ts"
import * as Limits from "./limits.ts"

export interface Bounds {
  readonly limits: Limits.Limits
  /** What is used of them, by the run and by all inside its calls. */
  readonly ledger: Ledger
  readonly outside: Bounds | undefined
}

/** A limit that is or would be crossed. */
export interface Crossing {
  readonly error: UsageLimitExceeded
  /** The run that the limit is one of. */
  readonly of: Bounds
}

/** What one more request would cross. */
export const beforeRequest = (bounds: Bounds): Crossing | undefined =>
  crossing(bounds, (limits, using, depth) => Limits.beforeRequest(leaving(limits, depth), using))

/** What has been crossed by what was used. */
export const afterResponse = (bounds: Bounds): Crossing | undefined => crossing(bounds, Limits.afterResponse)

/** What so many calls would cross. */
export const beforeCalls = (bounds: Bounds, calls: number): Crossing | undefined =>
  crossing(bounds, (limits, using) => Limits.beforeCalls(limits, using, calls))

/** Whether the next request is the last one, so that it has to be for the answer. */
export const isLastRequest = (bounds: Bounds): boolean => {
  let depth = 0
  for (let at: Bounds | undefined = bounds; at !== undefined; at = at.outside, depth++) {
    if (Limits.isLastRequest(leaving(at.limits, depth), at.ledger.using)) return true
  }
  return false
}

export const asksToAnswer = ({ of }: Crossing): boolean => of.limits.onLimit === "answer"

/** A crossing that ends its run. */
export const ending = (over: Crossing | undefined): Crossing | undefined =>
  over === undefined || asksToAnswer(over) ? undefined : over

/** Ends a run; where only a run outside has come to its limit, and wants to answer, that one goes on. */
export const stopped = (bounds: Bounds, over: Crossing): Effect.Effect<never, UsageLimitExceeded> =>
  Effect.suspend(() => {
    if (over.of !== bounds && asksToAnswer(over)) bounds.ledger.stoppedBy = over.error
    return Effect.fail(over.error)
  })

/** A run that will answer needs a request for it, and so does each one in between. */
const leaving = (limits: Limits.Limits, depth: number): Limits.Limits =>
  depth === 0 || limits.onLimit !== "answer" || limits.requests === undefined
    ? limits
    : { ...limits, requests: Math.max(0, limits.requests - depth) }

/** A limit that ends its run comes before one at which the model is told. */
const crossing = (
  bounds: Bounds,
  check: (limits: Limits.Limits, using: Usage, depth: number) => UsageLimitExceeded | undefined
): Crossing | undefined => {
  let first: Crossing | undefined
  let depth = 0
  for (let at: Bounds | undefined = bounds; at !== undefined; at = at.outside, depth++) {
    const error = check(at.limits, at.ledger.using, depth)
    if (error === undefined) continue
    const found = { error, of: at }
    if (!asksToAnswer(found)) return found
    first ??= found
  }
  return first
}
