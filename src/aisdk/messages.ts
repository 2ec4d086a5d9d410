/** The history of a run, as tools of the AI SDK are given it. */
import type { AssistantModelMessage, ModelMessage, ToolResultPart, UserModelMessage } from "ai"
import { Predicate } from "effect"
import type { Prompt } from "effect/ai"

/** What the model was sent, without the system's messages, up to the answer that holds the call. */
export const messagesBefore = (callId: string, history: Prompt.Prompt): Array<ModelMessage> => {
  const answer = history.content.findIndex(
    (message) =>
      message.role === "assistant" &&
      message.content.some((part) => part.type === "tool-call" && part.id === callId)
  )
  return history.content.slice(0, answer === -1 ? undefined : answer).flatMap(messageOf)
}

const messageOf = (message: Prompt.Message): ReadonlyArray<ModelMessage> => {
  switch (message.role) {
    case "system":
      return []
    case "user":
      return [{ role: "user", content: message.content.map(userPart) }]
    case "assistant":
      return [{ role: "assistant", content: message.content.flatMap(assistantPart) }]
    case "tool":
      return [
        {
          role: "tool",
          content: message.content.flatMap((part) => (part.type === "tool-result" ? [resultPart(part)] : []))
        }
      ]
  }
}

const userPart = (part: Prompt.UserMessagePart): Exclude<UserModelMessage["content"], string>[number] =>
  part.type === "text" ? { type: "text", text: part.text } : filePart(part)

const assistantPart = (
  part: Prompt.AssistantMessagePart
): Exclude<AssistantModelMessage["content"], string> => {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ type: part.type, text: part.text }]
    case "file":
      return [filePart(part)]
    case "tool-call":
      return [
        {
          type: "tool-call",
          toolCallId: part.id,
          toolName: part.name,
          input: part.params,
          providerExecuted: part.providerExecuted
        }
      ]
    case "tool-result":
      return [resultPart(part)]
    case "tool-approval-request":
      return []
  }
}

const filePart = ({ data, fileName, mediaType }: Prompt.FilePart) => ({
  type: "file" as const,
  data,
  mediaType,
  ...(fileName === undefined ? {} : { filename: fileName })
})

const resultPart = ({ id, isFailure, name, result }: Prompt.ToolResultPart): ToolResultPart => ({
  type: "tool-result",
  toolCallId: id,
  toolName: name,
  output: Predicate.isString(result)
    ? { type: isFailure ? "error-text" : "text", value: result }
    : // Results in a history are JSON.
      { type: isFailure ? "error-json" : "json", value: (result ?? null) as Json }
})

type Json = Extract<ToolResultPart["output"], { readonly type: "json" }>["value"]
