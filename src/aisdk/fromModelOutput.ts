/** What `toModelOutput` of a tool says, as its result. */
import type { Tool } from "ai"
import { Effect, Predicate, type Schema } from "effect"
import { Prompt } from "effect/ai"
import { fileOf, resultOf } from "../interop/parts.ts"
import { readable } from "../interop/readable.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { ToolFailed } from "../ToolSignal.ts"

export type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>

/** The model sees what it says, and nothing else; what the tool itself gave is metadata. */
export const returned = (said: ModelOutput, output: unknown): Effect.Effect<ToolReturn, ToolFailed> => {
  switch (said.type) {
    case "text":
    case "json":
      return Effect.succeed(new ToolReturn({ value: said.value, metadata: { output } }))
    case "content":
      return Effect.succeed(new ToolReturn({ ...resultOf(said.value.map(partOf)), metadata: { output } }))
    case "error-text":
      return Effect.fail(new ToolFailed({ message: readable(said.value) || "The tool failed." }))
    case "error-json":
      return Effect.fail(new ToolFailed({ message: "The tool failed.", details: said.value as Schema.Json }))
    case "execution-denied":
      return Effect.fail(new ToolFailed({ message: said.reason ?? "The call was not approved." }))
  }
}

type Content = Extract<ModelOutput, { readonly type: "content" }>["value"][number]

/** What only the model's provider could make something of is named. */
const partOf = (content: Content): Prompt.ToolModelOutputPart =>
  (content.type === "text" ? Prompt.textPart({ text: content.text }) : filePart(content)) ??
  Prompt.textPart({ text: JSON.stringify({ type: content.type }) })

const filePart = (
  content: Exclude<Content, { readonly type: "text" }>
): Prompt.ToolModelOutputPart | undefined => {
  switch (content.type) {
    case "file": {
      const { data, filename: fileName, mediaType } = content
      if (data.type === "text") return Prompt.textPart({ text: data.text })
      return fileOf("file", { ...(Predicate.isReadonlyObject(data) ? data : {}), mediaType, fileName })
    }
    case "file-data":
    case "image-data":
      return fileOf(kindOf(content), {
        data: content.data,
        mediaType: content.mediaType,
        fileName: "filename" in content ? content.filename : undefined
      })
    case "file-url":
    case "image-url":
      return fileOf(kindOf(content), {
        url: content.url,
        mediaType: "mediaType" in content ? content.mediaType : undefined
      })
    default:
      return undefined
  }
}

const kindOf = ({ type }: Content): string => type.slice(0, type.indexOf("-"))
