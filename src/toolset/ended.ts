/** How a call ended, in one word. */
import { Cause, Effect, Exit } from "effect"
import { isCallSignal } from "./failure.ts"

export type EndedAs =
  | "Returned"
  | "ModelRetry"
  | "ToolFailed"
  | "ApprovalRequired"
  | "CallDeferred"
  | "ToolResultError"
  | "Error"
  | "Defect"
  | "Interrupted"

export const outcomeOf = (exit: Exit.Exit<unknown, unknown>): EndedAs => {
  if (Exit.isSuccess(exit)) return "Returned"
  const error = Cause.findError(exit.cause)
  if (error._tag === "Success") return isCallSignal(error.success) ? error.success._tag : "Error"
  return Cause.hasDies(exit.cause) ? "Defect" : "Interrupted"
}

/** Says how an effect ended, whichever way. */
export const ended = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  say: (exit: Exit.Exit<A, E>) => void
): Effect.Effect<A, E, R> => Effect.onExit(effect, (exit) => Effect.sync(() => say(exit)))
