/** What happens in a run, for whoever watches it. */
import type { Effect } from "effect"
import type { DeferredToolRequests } from "../Deferred.ts"
import { type Answered, resultOf } from "./history.ts"
import type { Result } from "./run.ts"

/**
 * - `Text`, `Reasoning`: as the model writes.
 * - `ToolCall`: a call that was looked up, decoded and validated; `valid` says whether that went well.
 * - `ToolProgress`: what the call reports by `ToolCall.progress`.
 * - `ToolResult`: how it ended, as the model reads it.
 * - `Deferred`: what waits for somebody, before any `onDeferred` answers it.
 * - `Done`: the result of the run; the last event.
 */
export type Event<A> =
  | { readonly _tag: "Text"; readonly delta: string }
  | { readonly _tag: "Reasoning"; readonly delta: string }
  | {
      readonly _tag: "ToolCall"
      readonly id: string
      readonly toolName: string
      readonly args: unknown
      readonly valid: boolean
    }
  | { readonly _tag: "ToolProgress"; readonly id: string; readonly toolName: string; readonly value: unknown }
  | {
      readonly _tag: "ToolResult"
      readonly id: string
      readonly toolName: string
      readonly outcome: "success" | "failed" | "retry" | "denied"
      readonly value: unknown
    }
  | { readonly _tag: "Deferred"; readonly requests: DeferredToolRequests }
  | { readonly _tag: "Done"; readonly result: Result<A> }

/** Tells whoever watches; nobody does, where nothing is given. */
export type Emit = (event: Event<never>) => Effect.Effect<void>

/** How a call was answered. */
export const answerEvent = ({ answer, call }: Answered): Event<never> => ({
  _tag: "ToolResult",
  id: call.id,
  toolName: call.name,
  outcome: outcomes[answer._tag],
  value: resultOf(answer)
})

const outcomes = {
  Returned: "success",
  ModelRetry: "retry",
  ToolFailed: "failed",
  Denied: "denied",
  Interrupted: "failed",
  NotExecuted: "failed"
} as const
