/** One request to the model: what is offered to it, what it is told, and what it answered. */
import { Effect } from "effect"
import { type AiError, LanguageModel, Prompt, type Response } from "effect/ai"
import { aiTool } from "../interop/aiTool.ts"
import type { Usage } from "../Usage.ts"
import type { Offer } from "../toolset/collect.ts"
import type { Call } from "../toolset/dispatch.ts"
import { memoized } from "../toolset/memoized.ts"
import type { Instruction } from "../toolset/model.ts"

/** A response, read. */
export interface Answer {
  readonly parts: ReadonlyArray<Response.AnyPart>
  readonly text: string
  /** Those that are for us; the provider runs its own. */
  readonly calls: ReadonlyArray<Call>
  readonly finishReason: string
  readonly usage: Usage
}

/** Asks the model. It validates nothing of the calls that it makes: that is dispatch's. */
export const ask = (
  offer: Offer<unknown>,
  prompt: Prompt.Prompt
): Effect.Effect<Answer, AiError.AiError, LanguageModel.LanguageModel> =>
  Effect.map(
    LanguageModel.generateText({
      prompt,
      toolkit: toolkit(offer),
      disableToolCallResolution: true,
      toolCallValidation: "deferred"
    }),
    (response) => read(response.content)
  )

/** The same offer gives the same toolkit: effect/ai keeps what it makes of tools under their identity. */
const toolkit = memoized((offer: Offer<unknown>) => ({
  tools: Object.fromEntries(offer.tools.map((tool) => [tool.definition.name, aiTool(tool.definition)])),
  // With resolution disabled nobody asks it.
  handle: () => Effect.never
}))

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
  const texts = [...instructions.filter((one) => !one.dynamic), ...instructions.filter((one) => one.dynamic)]
  return Array.from(new Set(texts.map((one) => one.text.trim())))
    .filter((text) => text !== "")
    .join("\n\n")
}

const read = (parts: ReadonlyArray<Response.AnyPart>): Answer => {
  const calls: Array<Call> = []
  let text = ""
  let finishReason = "unknown"
  let usage: Usage = { requests: 1, toolCalls: 0, inputTokens: 0, outputTokens: 0 }
  for (const part of parts) {
    switch (part.type) {
      case "text":
        text += part.text
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
  return { parts, text, calls, finishReason, usage }
}
