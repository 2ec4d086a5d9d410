/** What becomes of a tool's own failures. */
import { Predicate } from "effect"
import { isToolSignal, ModelRetry, ToolFailed } from "../ToolSignal.ts"
import { ToolResultError } from "../ToolsetError.ts"
import type { CallSignals } from "./model.ts"

/**
 * `fail` leaves them in `E` and ends the run with them; `recover` tells the model (`ToolFailed`); `retry` asks it to try
 * again (`ModelRetry`).
 */
export type OnError = "fail" | "recover" | "retry"

/** Whether a failure is the library's own way of speaking, and not the toolset's. */
export const isCallSignal = (error: unknown): error is CallSignals =>
  isToolSignal(error) || error instanceof ToolResultError

/** What a failure becomes; signals stay what they are. */
export const policy =
  (mode: "recover" | "retry") =>
  (error: unknown): CallSignals =>
    isCallSignal(error) ? error : signalFor(mode, error)

/** The signal that stands for a failure. */
export const signalFor = (mode: "recover" | "retry", error: unknown): ModelRetry | ToolFailed =>
  mode === "retry"
    ? new ModelRetry({ message: failureText(error), reason: "body" })
    : new ToolFailed({ message: failureText(error) })

/** A failure in words: its message, or its tag and fields. Never a stack. */
export const failureText = (error: unknown): string => {
  if (Predicate.isString(error)) return error
  if (Predicate.hasProperty(error, "message") && Predicate.isString(error.message) && error.message !== "") {
    return error.message
  }
  if (!Predicate.hasProperty(error, "_tag")) return fieldsText(error) ?? String(error)
  const { _tag, ...fields } = Predicate.isObject(error) ? error : { _tag: undefined }
  const text = Object.keys(fields).length === 0 ? undefined : fieldsText(fields)
  return text === undefined ? String(_tag) : `${String(_tag)}: ${text}`
}

const fieldsText = (fields: unknown): string | undefined => {
  try {
    return JSON.stringify(fields)
  } catch {
    return undefined
  }
}
