/** What a run may use. */
import type { Flaw } from "../toolset/flawed.ts"
import type { Usage } from "../Usage.ts"
import { UsageLimitExceeded } from "./AgentError.ts"

/** Also for runs inside calls, while they run. */
export interface Limits {
  readonly requests?: number | undefined
  /**
   * Calls of functions that succeeded: retries and `ToolFailed` do not count, and those of outputs are free. Reserved
   * before any of a response begins.
   */
  readonly toolCalls?: number | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly totalTokens?: number | undefined
  /**
   * `answer` tells the model, takes no more calls and asks for the final answer, for which runs inside calls leave a
   * request. Default: `fail`.
   */
  readonly onLimit?: "fail" | "answer" | undefined
}

const counted = ["requests", "toolCalls", "inputTokens", "outputTokens", "totalTokens"] as const

/** What is wrong with limits, if anything is. */
export const limitsFlaw = (limits: Limits): Flaw | undefined => {
  for (const name of counted) {
    const limit = limits[name]
    if (limit === undefined || (Number.isInteger(limit) && limit >= 0)) continue
    return {
      problem: `The limit \`${name}\` is ${limit}.`,
      hint: "Give a whole number of at least 0, or none for no limit."
    }
  }
  return undefined
}

type Bound = readonly [limit: string, allowed: number | undefined, wouldBe: number]

/** What one more request would cross. */
export const beforeRequest = (limits: Limits, usage: Usage): UsageLimitExceeded | undefined =>
  crossed([["requests", limits.requests, usage.requests + 1]])

/** What a response has crossed. */
export const afterResponse = (limits: Limits, usage: Usage): UsageLimitExceeded | undefined =>
  crossed([
    ["input tokens", limits.inputTokens, usage.inputTokens],
    ["output tokens", limits.outputTokens, usage.outputTokens],
    ["tokens", limits.totalTokens, usage.inputTokens + usage.outputTokens]
  ])

/** What so many calls would cross. */
export const beforeCalls = (limits: Limits, usage: Usage, calls: number): UsageLimitExceeded | undefined =>
  calls === 0 ? undefined : crossed([["tool calls", limits.toolCalls, usage.toolCalls + calls]])

/** Whether the next request is the last one, so that it has to be for the answer. */
export const isLastRequest = (limits: Limits, usage: Usage): boolean =>
  limits.onLimit === "answer" && limits.requests !== undefined && usage.requests + 1 >= limits.requests

const crossed = (bounds: ReadonlyArray<Bound>): UsageLimitExceeded | undefined => {
  for (const [limit, allowed, wouldBe] of bounds) {
    if (allowed !== undefined && wouldBe > allowed) return new UsageLimitExceeded({ limit, allowed, wouldBe })
  }
  return undefined
}
