/** The outcome of a call, as a framework hands it to the model. */
import { Predicate, type Schema } from "effect"
import { Prompt } from "effect/ai"
import { modelResult, nobodyToAsk, type Outcome } from "../toolset/outcome.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import type { Result } from "./model.ts"

export const resultOf = (outcome: Outcome): Result => {
  switch (outcome._tag) {
    case "ApprovalRequired":
    case "CallDeferred":
      return failed(nobodyToAsk(outcome))
    case "ModelRetry":
    case "ToolFailed":
      return failed(modelResult(outcome))
    case "Returned":
      return { content: jsonOf(outcome.result.value), isError: false, ...partsOf(outcome.result) }
  }
}

export const failed = (content: unknown): Result => ({ content: jsonOf(content), isError: true })

/** Results are encoded already: here they are JSON, or nothing. */
const jsonOf = (value: unknown): Schema.Json => (value ?? null) as Schema.Json

const partsOf = ({ content, modelOutput, value }: ToolReturn): Pick<Result, "parts"> =>
  modelOutput === undefined && content.length === 0
    ? {}
    : { parts: [...(modelOutput ?? [Prompt.textPart({ text: text(value) })]), ...content] }

/** A result as text, for frameworks that know no other: text as it is, anything else as JSON. */
export const textOf = ({ content }: Result): string => text(content)

const text = (value: unknown): string => (Predicate.isString(value) ? value : JSON.stringify(value ?? null))
