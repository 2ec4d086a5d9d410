/** A request to the model as a step: it is found again where the model would be asked the same. */
import { Effect, Schema } from "effect"
import { Prompt } from "effect/ai"
import { DurableError } from "../../durable/DurableError.ts"
import { place } from "../../durable/slot.ts"
import { memoized } from "../../toolset/memoized.ts"
import type { Tool } from "../../toolset/model.ts"
import * as Usage from "../../Usage.ts"
import type { Emit } from "../events.ts"
import type { Ledger } from "../ledger.ts"
import type { Ask, Question } from "../request.ts"
import type { Watch } from "../running.ts"
import { endsTheRun } from "./endsTheRun.ts"
import { Answer } from "./schemas.ts"
import type { Unrepeated } from "./Unrepeated.ts"

export const asking = ({ ask, emit }: Watch, ledger: Ledger, unrepeated: Unrepeated): Ask => {
  const idOf = knownBy(unrepeated)
  return (question) =>
    endsTheRun(
      Effect.gen(function* () {
        const { perform } = yield* place({ name: "model", id: yield* idOf(question), schema: Answer })
        const { replayed, value } = yield* perform(ask(question))
        if (replayed) {
          ledger.spend(Usage.none, value.usage)
          if (emit !== undefined) yield* Effect.forEach(value.messages, told(emit), { discard: true })
        }
        return value
      })
    )
}

/** What a model said before, for whoever watches now. */
const told = (emit: Emit) => (message: Prompt.Message) =>
  message.role !== "assistant"
    ? Effect.void
    : Effect.forEach(
        message.content,
        (part) =>
          part.type === "text" && part.text !== ""
            ? emit({ _tag: "Text", delta: part.text })
            : part.type === "reasoning" && part.text !== ""
              ? emit({ _tag: "Reasoning", delta: part.text })
              : Effect.void,
        { discard: true }
      )

/**
 * What a request is known by: the messages, but for ids, which differ where a response could not be found again, and for
 * what calls gave that run again on every attempt; and the tools, as the model sees them.
 */
const knownBy = (unrepeated: Unrepeated) => {
  const known = new WeakMap<Prompt.Message, ReadonlyArray<string>>()
  return Effect.fnUntraced(function* ({ allowsText, offer, prompt }: Question) {
    const messages: Array<string> = []
    for (const message of prompt.content) {
      const text = known.get(message) ?? (yield* textOf(message, unrepeated))
      known.set(message, text)
      messages.push(...text)
    }
    unrepeated.asked()
    return { messages, tools: offer.tools.map(ofTool), allowsText }
  })
}

const ofTool = ({ definition }: Tool<unknown>): Schema.Json => definitionOf(definition)

const definitionOf = memoized(
  ({ description, name, parameters }: Tool<unknown>["definition"]): Schema.Json => ({
    name,
    description: description ?? null,
    // A JSON Schema is JSON.
    parameters: parameters as Schema.Json
  })
)

/** Nothing, where nothing of it counts. */
const textOf = (
  message: Prompt.Message,
  unrepeated: Unrepeated
): Effect.Effect<ReadonlyArray<string>, DurableError> => {
  const counting = whatCounts(message, unrepeated)
  return counting === undefined
    ? Effect.succeed([])
    : Effect.mapBoth(encode(counting), { onSuccess: (json) => [JSON.stringify(json)], onFailure: notJson })
}

const encode = Schema.encodeEffect(Schema.toCodecJson(Prompt.Message))

const whatCounts = (message: Prompt.Message, unrepeated: Unrepeated): Prompt.Message | undefined => {
  switch (message.role) {
    case "system":
      return Prompt.systemMessage({ content: message.content })
    case "assistant":
      return Prompt.assistantMessage({ content: message.content.map(withoutId) })
    case "tool":
      return Prompt.toolMessage({
        content: message.content.map((part) =>
          unrepeated.hasResult(part) ? nothingCounts(part.name) : withoutId(part)
        )
      })
    case "user": {
      const content = message.content.filter((part) => !unrepeated.hasContent(part))
      return content.length === 0 && message.content.length > 0 ? undefined : Prompt.userMessage({ content })
    }
  }
}

const withoutId = <P extends object>(part: P): P =>
  "id" in part ? { ...part, id: "", options: {} } : { ...part, options: {} }

const nothingCounts = (name: string) =>
  Prompt.toolResultPart({ id: "", name, result: null, isFailure: false, providerExecuted: false })

const notJson = (error: Schema.SchemaError) =>
  new DurableError({
    reason: "NotJson",
    step: "model",
    problem: `The history is not JSON: ${error.message}.`,
    hint: "Give a history that another run has given."
  })
