/** The history of a run: what was asked, answered and called, as `effect/ai` messages. */
import { Predicate, Result, type Schema } from "effect"
import { Prompt } from "effect/ai"
import type { Call } from "../toolset/dispatch.ts"
import { toJson } from "../toolset/json.ts"
import { modelResult, retryText, type Returned } from "../toolset/outcome.ts"
import type { ModelRetry, ToolFailed } from "../ToolSignal.ts"

/** What a call is answered with: how it ended, or why it did not begin. */
export type Answer =
  | Returned
  | ModelRetry
  | ToolFailed
  | { readonly _tag: "Denied"; readonly reason: string }
  | { readonly _tag: "Interrupted"; readonly reason: string }
  | { readonly _tag: "NotExecuted"; readonly reason: string }

/** A call that has its answer. */
export interface Answered {
  readonly call: Call
  readonly answer: Answer
}

/** Under this key of its options a part has what is for the application; providers do not read it. */
const optionsKey = "effect-toolset"

/** A history with messages behind it. */
export const append = (history: Prompt.Prompt, messages: ReadonlyArray<Prompt.Message>): Prompt.Prompt =>
  messages.length === 0 ? history : Prompt.fromMessages([...history.content, ...messages])

/** The answers of a step: one message with all results, then what else tools had to show. */
export const answers = (answered: ReadonlyArray<Answered>): ReadonlyArray<Prompt.Message> => {
  if (answered.length === 0) return []
  const content = answered.flatMap(({ answer }) => (answer._tag === "Returned" ? answer.result.content : []))
  return [
    Prompt.toolMessage({ content: answered.map(resultPart) }),
    ...(content.length === 0 ? [] : [Prompt.userMessage({ content })])
  ]
}

/** What the loop tells the model that is no answer to a call. */
export const toldToModel = (text: string): Prompt.UserMessage =>
  Prompt.userMessage({ content: [Prompt.textPart({ text })], options: { [optionsKey]: { from: "loop" } } })

/** Whether the loop said it, and not somebody who uses the agent. */
export const isOfLoop = (message: Prompt.UserMessage): boolean => {
  const note = message.options[optionsKey]
  return Predicate.hasProperty(note, "from") && note.from === "loop"
}

/** What the model is told of an answer in text that will not do. */
export const retryMessage = (message: string): Prompt.UserMessage => toldToModel(retryText(message))

const resultPart = ({ answer, call: { id, name } }: Answered): Prompt.ToolResultPart => {
  const modelOutput = answer._tag === "Returned" ? answer.result.modelOutput : undefined
  const note = noteOf(answer)
  return Prompt.toolResultPart({
    id,
    name,
    result: resultOf(answer),
    isFailure: answer._tag !== "Returned" && answer._tag !== "NotExecuted",
    providerExecuted: false,
    ...(note === undefined ? {} : { options: { [optionsKey]: note } }),
    ...(modelOutput === undefined ? {} : { modelOutput })
  })
}

/** What the model reads of an answer. */
export const resultOf = (answer: Answer): unknown => {
  switch (answer._tag) {
    case "Denied":
    case "Interrupted":
    case "NotExecuted":
      return answer.reason
    default:
      return modelResult(answer)
  }
}

type Note = { readonly [key: string]: Schema.Json }

/** How a call ended that gave no result; the metadata of one that did, as far as it is JSON. */
const noteOf = (answer: Answer): Note | undefined => {
  if (answer._tag !== "Returned") return { outcome: answer._tag }
  const metadata: Record<string, Schema.Json> = {}
  for (const [key, value] of Object.entries(answer.result.metadata)) {
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

/** The calls of the last response that have no answer, and the ids of all that have one. */
export const pendingIn = (
  history: Prompt.Prompt
): { readonly calls: ReadonlyArray<Call>; readonly answered: ReadonlySet<string> } => {
  const last = history.content.findLastIndex((message) => message.role === "assistant")
  // Some models count their calls anew in each response.
  const sinceThen = answeredIn(history.content.slice(last + 1))
  const calls: Array<Call> = []
  for (const part of history.content[last]?.content ?? []) {
    if (typeof part === "string" || part.type !== "tool-call" || part.providerExecuted) continue
    if (!sinceThen.has(part.id)) calls.push({ id: part.id, name: part.name, args: part.params })
  }
  return { calls, answered: answeredIn(history.content) }
}

const answeredIn = (messages: ReadonlyArray<Prompt.Message>): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      message.role === "tool"
        ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.id] : []))
        : []
    )
  )
