/** Tools of other libraries that threw: in words, and by the policy of their toolset. */
import { Predicate, Result } from "effect"
import { ModelRetry, ToolFailed } from "../ToolSignal.ts"
import { failureText, type OnError } from "../toolset/failure.ts"
import { readable } from "./readable.ts"

/** What was thrown, in words that a model may read. Anything can be thrown, also what cannot be asked for its message. */
export const saidBy = (cause: unknown): string =>
  Result.getOrElse(
    Result.try(() => readable(wordsOf(cause))),
    () => ""
  ) || "The tool failed."

const wordsOf = (cause: unknown): string => {
  if (Predicate.isNullish(cause)) return ""
  return cause instanceof Error && cause.message.trim() === "" ? cause.name : failureText(cause)
}

/** `retry` asks the model to try again, `recover` tells it, `fail` leaves an error in `E`. */
export const threw = <E>(
  mode: OnError,
  cause: unknown,
  error: (problem: string) => E
): ModelRetry | ToolFailed | E => {
  const problem = saidBy(cause)
  switch (mode) {
    case "retry":
      return new ModelRetry({ message: problem, reason: "body" })
    case "recover":
      return new ToolFailed({ message: problem })
    case "fail":
      return error(problem)
  }
}
