/** What a history says about calls. */
import type { Prompt } from "effect/ai"

/** The calls of the model, in order. */
export const callsIn = (prompt: Prompt.Prompt): ReadonlyArray<Prompt.ToolCallPart> =>
  prompt.content.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part) => part.type === "tool-call") : []
  )

/** The answers that calls got, in order. */
export const answersIn = (prompt: Prompt.Prompt): ReadonlyArray<Prompt.ToolResultPart> =>
  prompt.content.flatMap((message) =>
    message.role === "tool" ? message.content.filter((part) => part.type === "tool-result") : []
  )

/** What the model read for each call: the name of its tool, and the result. */
export const resultsIn = (prompt: Prompt.Prompt): ReadonlyArray<readonly [string, unknown]> =>
  answersIn(prompt).map(({ name, result }) => [name, result] as const)

/** What the model reads when it is asked to try again. */
export const retry = (message: string): string => `${message}\n\nFix the errors and try again.`
