/** The outcome of a call, as a framework hands it to the model. */
import { Predicate, type Schema } from "effect"
import { Prompt } from "effect/ai"
import { Base64 } from "effect/encoding"
import { dataIn } from "../interop/parts.ts"
import { modelResult, nobodyToAsk, type Outcome } from "../toolset/outcome.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import type { Part, Result } from "./model.ts"

/** A result with files as the tool gave them. */
interface Given extends Omit<Result, "parts"> {
  readonly parts?: ReadonlyArray<Prompt.ToolModelOutputPart>
}

export const resultOf = (outcome: Outcome): Given => {
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

export const failed = (content: unknown): Omit<Result, "parts"> => ({
  content: jsonOf(content),
  isError: true
})

/** Results are encoded already: here they are JSON, or nothing. */
const jsonOf = (value: unknown): Schema.Json => (value ?? null) as Schema.Json

const partsOf = ({ content, modelOutput, value }: ToolReturn): Pick<Given, "parts"> =>
  modelOutput === undefined && content.length === 0
    ? {}
    : { parts: [...(modelOutput ?? [Prompt.textPart({ text: text(value) })]), ...content] }

/** A result that may become JSON and be read again. */
export const kept = ({ parts, ...result }: Given): Result =>
  parts === undefined ? result : { ...result, parts: parts.map(keptPart) }

const keptPart = (part: Prompt.ToolModelOutputPart): Part => {
  if (part.type === "text") return part
  const { data } = part
  return {
    ...part,
    data: data instanceof Uint8Array ? Base64.encode(data) : (dataIn(data)?.data ?? data)
  }
}

/** A result as text, for frameworks that know no other: text as it is, anything else as JSON. */
export const textOf = ({ content }: Result): string => text(content)

const text = (value: unknown): string => (Predicate.isString(value) ? value : JSON.stringify(value ?? null))
