/** A result as the AI SDK keeps it, and as its models read it. */
import type { Tool } from "ai"
import type { Part, Result } from "../neutral/model.ts"

export type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>

/** What a tool gives. It may have been JSON when `toModelOutput` gets it, as in the messages of an interface. */
export interface Output extends Omit<Result, "parts"> {
  readonly parts?: ReadonlyArray<ContentPart> | undefined
}

export const outputOf = ({ parts, ...result }: Result): Output =>
  parts === undefined ? result : { ...result, parts: parts.map(contentPart) }

export const modelOutput = ({ content, isError, parts }: Output): ModelOutput => {
  if (parts !== undefined) return { type: "content", value: parts.map(withUrl) }
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

/** A URL is a text in JSON. */
const withUrl = (part: ContentPart): ContentPart =>
  part.type === "file" && part.data.type === "url"
    ? { ...part, data: { type: "url", url: new URL(part.data.url) } }
    : part
