/** The history of a run: what was asked, answered and called, as `effect/ai` messages. */
import { Predicate, Result, type Schema } from "effect"
import { Prompt } from "effect/ai"
import type { Call } from "../toolset/dispatch.ts"
import { toJson } from "../toolset/json.ts"
import { modelResult, retryText, type Returned } from "../toolset/outcome.ts"
import type { ModelRetry, ToolFailed } from "../ToolSignal.ts"
import { repeated } from "./repeated.ts"

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

/**
 * A history in which the results of each response are one message, right behind it and in the order of its calls, as
 * providers want them: where some calls had to wait, theirs came later.
 */
export const arranged = (history: Prompt.Prompt): Prompt.Prompt => {
  const starts = history.content.flatMap((message, i) => (message.role === "assistant" ? [i] : []))
  const rounds = starts.map((start, n) => history.content.slice(start, starts[n + 1]))
  const together = rounds.map(inOneMessage)
  return together.every((round, n) => round === rounds[n])
    ? history
    : Prompt.fromMessages([...history.content.slice(0, starts[0]), ...together.flat()])
}

/** A response and what came after it, until the next one. */
const inOneMessage = (round: ReadonlyArray<Prompt.Message>): ReadonlyArray<Prompt.Message> => {
  const [response, ...after] = round
  const results = after.filter(hasResults)
  if (response === undefined || results.length === 0 || (results.length === 1 && after[0] === results[0]))
    return round
  const ids = callsOf(response).map((call) => call.id)
  const place = (part: Prompt.ToolMessagePart) => (part.type === "tool-result" ? ids.indexOf(part.id) : -1)
  const content = results.flatMap((message) => message.content).toSorted((a, b) => place(a) - place(b))
  const options = Object.assign({}, ...results.map((message) => message.options))
  return [
    response,
    Prompt.toolMessage({ content, options }),
    ...after.filter((message) => !hasResults(message))
  ]
}

const hasResults = (message: Prompt.Message): message is Prompt.ToolMessage =>
  message.role === "tool" && message.content.some((part) => part.type === "tool-result")

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
  const part = {
    id,
    name,
    result: resultOf(answer),
    isFailure: answer._tag !== "Returned" && answer._tag !== "NotExecuted",
    providerExecuted: false,
    options: note === undefined ? {} : { [optionsKey]: note }
  }
  return Prompt.toolResultPart(modelOutput === undefined ? part : { ...part, modelOutput })
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
  const given = Object.entries(answer.result.metadata)
  if (given.length === 0) return undefined
  const fields = given.flatMap(([key, value]) => {
    const json = toJson(value)
    return Result.isSuccess(json) ? [[key, json.success] as const] : []
  })
  // Unlike an assignment, this makes a field of any name.
  const metadata = Object.fromEntries(fields)
  return Object.keys(metadata).length === 0 ? undefined : { metadata }
}

/** Whether a result asks the model to try again. */
export const asksForRetry = (part: Prompt.ToolResultPart): boolean => {
  const note = part.options[optionsKey]
  return Predicate.hasProperty(note, "outcome") && note.outcome === "ModelRetry"
}

/** A call, and how many of its id came before it. */
export interface Placed extends Call {
  readonly place: number
}

/** Where a history stands. */
export interface Pending {
  /** The calls of the last response that have no answer. */
  readonly calls: ReadonlyArray<Placed>
  /** The ids of all that have one. */
  readonly answered: ReadonlySet<string>
  /** The ids that several calls of the last response have. */
  readonly ambiguous: ReadonlyArray<string>
}

export const pendingIn = (history: Prompt.Prompt): Pending => {
  const last = history.content.findLastIndex((message) => message.role === "assistant")
  // Some models count their calls anew in each response.
  const sinceThen = answeredIn(history.content.slice(last + 1))
  const all = history.content[last] === undefined ? [] : callsOf(history.content[last])
  return {
    calls: all.flatMap((call) =>
      sinceThen.has(call.id) ? [] : [{ ...call, place: placeIn(history, call.id) }]
    ),
    answered: answeredIn(history.content),
    ambiguous: repeated(all.map((call) => call.id))
  }
}

/** The place of a call of the last response among those of its id: how many came before. */
export const placeIn = (history: Prompt.Prompt, id: string): number => {
  const last = history.content.findLastIndex((message) => message.role === "assistant")
  const before = history.content.slice(0, Math.max(last, 0)).flatMap(callsOf)
  return before.filter((call) => call.id === id).length
}

/** The calls of a response that are for us; the provider runs its own. */
const callsOf = (response: Prompt.Message): ReadonlyArray<Call> =>
  response.role === "assistant"
    ? response.content.flatMap((part) =>
        part.type === "tool-call" && !part.providerExecuted
          ? [{ id: part.id, name: part.name, args: part.params }]
          : []
      )
    : []

const answeredIn = (messages: ReadonlyArray<Prompt.Message>): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      message.role === "tool"
        ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.id] : []))
        : []
    )
  )
