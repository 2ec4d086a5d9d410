/** What runs ended with that wait. */
import { assert } from "@effect/vitest"
import { DeferredToolRequests, DeferredToolResults } from "effect-toolset"

export const requestsOf = (output: unknown): DeferredToolRequests => {
  if (output instanceof DeferredToolRequests) return output
  return assert.fail(`It ended with ${JSON.stringify(output)}`)
}

export const approvedBy = (output: unknown) =>
  DeferredToolResults.from(requestsOf(output), { approveAll: true })
