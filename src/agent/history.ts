/** The history of a run: what was asked, answered and called, as `effect/ai` messages. */
import { Predicate, Result, type Schema } from "effect"
import { Prompt } from "effect/ai"
import { toJson } from "../toolset/json.ts"
import { modelResult, type Returned } from "../toolset/outcome.ts"
import type { ModelRetry, ToolFailed } from "../ToolSignal.ts"

export const append = (history: Prompt.Prompt, messages: ReadonlyArray<Prompt.Message>): Prompt.Prompt =>
  messages.length === 0 ? history : Prompt.fromMessages([...history.content, ...messages])

/** A call that has its answer. */
export interface Answered {
  readonly id: string
  readonly name: string
  readonly outcome: Returned | ModelRetry | ToolFailed
}

/** The answers of a step: one message with all results, then what else tools had to show. */
export const answers = (answered: ReadonlyArray<Answered>): ReadonlyArray<Prompt.Message> => {
  if (answered.length === 0) return []
  const content = answered.flatMap(({ outcome }) =>
    outcome._tag === "Returned" ? outcome.result.content : []
  )
  return [
    Prompt.toolMessage({ content: answered.map(resultPart) }),
    ...(content.length === 0 ? [] : [Prompt.userMessage({ content })])
  ]
}

const resultPart = ({ id, name, outcome }: Answered): Prompt.ToolResultPart => {
  const modelOutput = outcome._tag === "Returned" ? outcome.result.modelOutput : undefined
  const note = noteOf(outcome)
  return Prompt.toolResultPart({
    id,
    name,
    result: modelResult(outcome),
    isFailure: outcome._tag !== "Returned",
    providerExecuted: false,
    ...(note === undefined ? {} : { options: { [optionsKey]: note } }),
    ...(modelOutput === undefined ? {} : { modelOutput })
  })
}

/** Under this key of its options a result has what is for the application; providers do not read it. */
export const optionsKey = "effect-toolset"

type Note = { readonly [key: string]: Schema.Json }

/** How a call ended that gave no result; the metadata of one that did, as far as it is JSON. */
const noteOf = (outcome: Answered["outcome"]): Note | undefined => {
  if (outcome._tag !== "Returned") return { outcome: outcome._tag }
  const metadata: Record<string, Schema.Json> = {}
  for (const [key, value] of Object.entries(outcome.result.metadata)) {
    const json = toJson(value)
    if (Result.isSuccess(json)) metadata[key] = json.success
  }
  return Object.keys(metadata).length === 0 ? undefined : { metadata }
}

/** Whether a result asks the model to try again. */
export const asksForRetry = (part: Prompt.ToolResultPart): boolean => {
  const note = part.options[optionsKey]
  return Predicate.hasProperty(note, "outcome") && note.outcome === "ModelRetry"
}
