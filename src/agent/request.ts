/** One request to the model: what is offered to it, what it is told, and what it answered. */
import { Effect, Stream } from "effect"
import { AiError, LanguageModel, Prompt, type Response } from "effect/ai"
import { aiTool } from "../interop/aiTool.ts"
import type { Offer } from "../toolset/collect.ts"
import type { Call } from "../toolset/dispatch.ts"
import { memoized } from "../toolset/memoized.ts"
import type { Instruction } from "../toolset/model.ts"
import * as Usage from "../Usage.ts"
import type { Emit } from "./events.ts"
import { repeated } from "./repeated.ts"

/** A response, read. */
export interface Answer {
  /** For the history. */
  readonly messages: ReadonlyArray<Prompt.Message>
  readonly text: string
  /** Those that are for us; the provider runs its own. */
  readonly calls: ReadonlyArray<Call>
  readonly finishReason: string
  readonly usage: Usage.Usage
}

/** What the model is asked. `allowsText`: it may answer without a call. */
export interface Question {
  readonly offer: Offer<unknown>
  readonly prompt: Prompt.Prompt
  readonly allowsText: boolean
}

/** A way to ask the model. It validates nothing of the calls that it makes: that is dispatch's. */
export type Ask = (question: Question) => Effect.Effect<Answer, AiError.AiError, LanguageModel.LanguageModel>

export const ask: Ask = (question) =>
  Effect.flatMap(LanguageModel.generateText(requestOf(question)), (response) => read(response.content))

/** Tells whoever watches what the model writes, while it writes. */
export const askStreaming =
  (emit: Emit): Ask =>
  (question) =>
    Effect.gen(function* () {
      const parts: Array<Response.AnyPart> = []
      yield* Stream.runForEach(LanguageModel.streamText(requestOf(question)), (part) => {
        parts.push(part)
        if (part.type === "text-delta") return emit({ _tag: "Text", delta: part.delta })
        return part.type === "reasoning-delta" ? emit({ _tag: "Reasoning", delta: part.delta }) : Effect.void
      })
      return yield* read(parts)
    })

const requestOf = ({ allowsText, offer, prompt }: Question) =>
  ({
    prompt,
    toolkit: toolkit(offer),
    toolChoice: allowsText ? "auto" : "required",
    disableToolCallResolution: true,
    toolCallValidation: "deferred"
  }) as const

/** The same offer gives the same toolkit: effect/ai keeps what it makes of tools under their identity. */
const toolkit = memoized((offer: Offer<unknown>) => ({
  tools: Object.fromEntries(offer.tools.map((tool) => [tool.definition.name, aiTool(tool.definition)])),
  handle: approvedElsewhere
}))

/** With resolution disabled, effect/ai asks only for calls that it finds approved in the history, by its own parts. */
const approvedElsewhere = (name: PropertyKey) =>
  Effect.fail(
    AiError.make({
      module: "Agent",
      method: "run",
      reason: new AiError.InvalidRequestError({
        description: `The history has an approved call of '${String(name)}' without a result, before its last response.`
      })
    })
  )

/** Puts instructions before a history; the same text gives the same message, by which a provider knows it again. */
export const instructing = (): ((text: string, messages: Prompt.Prompt) => Prompt.Prompt) => {
  let system: Prompt.SystemMessage | undefined
  return (text, messages) => {
    if (text === "") return messages
    if (system?.content !== text) system = Prompt.systemMessage({ content: text })
    return Prompt.fromMessages([system, ...messages.content])
  }
}

/** Static texts before dynamic ones, so that a provider's cache holds; equal texts once; blank ones not at all. */
export const instructionText = (instructions: ReadonlyArray<Instruction>): string => {
  if (instructions.length === 0) return ""
  const texts = [...instructions.filter((one) => !one.dynamic), ...instructions.filter((one) => one.dynamic)]
  return Array.from(new Set(texts.map((one) => one.text.trim())))
    .filter((text) => text !== "")
    .join("\n\n")
}

const read = (given: ReadonlyArray<Response.AnyPart>): Effect.Effect<Answer, AiError.AiError> => {
  const parts = given.some(hasNoParams) ? given.map(withParams) : given
  const calls: Array<Call> = []
  let text = ""
  let finishReason = "unknown"
  let usage: Usage.Usage = { ...Usage.none, requests: 1 }
  for (const part of parts) {
    switch (part.type) {
      case "text":
        text += part.text
        break
      case "text-delta":
        text += part.delta
        break
      case "tool-call":
        if (!part.providerExecuted) calls.push({ id: part.id, name: part.name, args: part.params })
        break
      case "finish":
        finishReason = part.reason
        usage = {
          ...usage,
          inputTokens: part.usage.inputTokens.total ?? 0,
          outputTokens: part.usage.outputTokens.total ?? 0
        }
        break
    }
  }
  const twice = repeated(calls.map((call) => call.id))
  return twice.length === 0
    ? Effect.succeed({ messages: Prompt.fromResponseParts(parts).content, text, calls, finishReason, usage })
    : Effect.fail(sameIds(twice))
}

/** A call without arguments has none, and says so: a history has to be JSON. */
const withParams = (part: Response.AnyPart): Response.AnyPart =>
  hasNoParams(part) ? { ...part, params: {} } : part

const hasNoParams = (part: Response.AnyPart): part is Response.ToolCallPart<string, unknown> =>
  part.type === "tool-call" && part.params === undefined

const sameIds = (ids: ReadonlyArray<string>): AiError.AiError =>
  AiError.make({
    module: "Agent",
    method: "run",
    reason: new AiError.InvalidOutputError({
      description: `The model gave several calls one id: ${ids.map((id) => `'${id}'`).join(", ")}.`
    })
  })
