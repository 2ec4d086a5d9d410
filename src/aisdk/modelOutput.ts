/** A result as models of the AI SDK read it. */
import type { Tool } from "ai"
import type { Part, Result } from "../neutral/model.ts"

export type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>

export const modelOutput = ({ content, isError, parts }: Result): ModelOutput => {
  if (parts !== undefined) return { type: "content", value: parts.map(contentPart) }
  return typeof content === "string"
    ? { type: isError ? "error-text" : "text", value: content }
    : { type: isError ? "error-json" : "json", value: content as never }
}

type ContentPart = Extract<ModelOutput, { type: "content" }>["value"][number]

const contentPart = (part: Part): ContentPart => {
  if (part.type === "text") return { type: "text", text: part.text }
  const { data, fileName, mediaType } = part
  return {
    type: "file",
    data: data instanceof URL ? { type: "url", url: data } : { type: "data", data },
    mediaType,
    ...(fileName === undefined ? {} : { filename: fileName })
  }
}
