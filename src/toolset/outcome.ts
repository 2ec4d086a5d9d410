/** How a call ended, and what the model reads of it. */
import type { ToolReturn } from "../ToolReturn.ts"
import type { ApprovalRequired, CallDeferred, ModelRetry, ToolFailed, ToolSignal } from "../ToolSignal.ts"

export type Outcome = Returned | ToolSignal

export interface Returned {
  readonly _tag: "Returned"
  readonly result: ToolReturn
}

export const returned = (result: ToolReturn): Returned => ({ _tag: "Returned", result })

/** Whether the call waits for somebody, and has no answer yet. */
export const isDeferral = (outcome: Outcome): outcome is ApprovalRequired | CallDeferred =>
  outcome._tag === "ApprovalRequired" || outcome._tag === "CallDeferred"

/** What the model reads when it is asked to try again. */
export const retryText = (message: string): string => `${message}\n\nFix the errors and try again.`

/** What the model reads in the place of a result. */
export const modelResult = (outcome: Returned | ModelRetry | ToolFailed): unknown => {
  switch (outcome._tag) {
    case "Returned":
      return outcome.result.value
    case "ModelRetry":
      return retryText(outcome.message)
    case "ToolFailed":
      return outcome.details === undefined
        ? outcome.message
        : { message: outcome.message, details: outcome.details }
  }
}

/** What the model reads of a call that waits for somebody, where nobody can be asked. */
export const nobodyToAsk = (outcome: ApprovalRequired | CallDeferred): string =>
  `${outcome.message} Nobody can be asked here.`
