/** The result of a tool, as a model reads it. */
import { Predicate, Result, type Schema } from "effect"
import { type McpSchema, Prompt } from "effect/ai"
import { ToolReturn } from "../ToolReturn.ts"

/**
 * Structured content is the result where there is any; else the content is: text as it is or as the JSON that it holds,
 * one block alone or several in a list. Images, audio and other files go to the model as files, and are named in the
 * result.
 */
export const returned = (result: McpSchema.CallToolResult): ToolReturn<Schema.Json> => {
  const { content, structuredContent } = result
  const values = content.map(valueOf)
  const value =
    structuredContent !== undefined
      ? unwrapped(structuredContent as Schema.Json)
      : values.length === 1
        ? values[0]!
        : values.length === 0
          ? null
          : values
  const parts = content.map(partOf)
  const hasFiles = parts.some((part) => part.type === "file")
  const meta = metaOf(result._meta)
  return new ToolReturn({
    value,
    modelOutput: !hasFiles
      ? undefined
      : parts.every((part) => part.type === "file") && structuredContent !== undefined
        ? [Prompt.textPart({ text: JSON.stringify(value) }), ...parts]
        : parts,
    metadata: meta === undefined ? {} : { meta }
  })
}

/** What a failed result says, in words. */
export const saidBy = ({ content, structuredContent }: McpSchema.CallToolResult): string => {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")
  if (text.trim() !== "") return text
  return structuredContent === undefined ? "The tool failed." : JSON.stringify(structuredContent)
}

/** A schema of results for what `returned` makes of them. */
export const unwrappedSchema = (schema: McpSchema.ToolOutputJson): McpSchema.ToolOutputJson => {
  const { $defs, properties } = schema
  if (!Predicate.isReadonlyObject(properties) || Object.keys(properties).join() !== "result") return schema
  const { result } = properties
  return Predicate.isReadonlyObject(result)
    ? { ...result, ...($defs === undefined ? {} : { $defs }) }
    : schema
}

/** Servers wrap what is no object in one whose only field is `result`. */
const unwrapped = (value: Schema.Json): Schema.Json =>
  Predicate.isReadonlyObject(value) && Object.keys(value).join() === "result"
    ? (value.result as Schema.Json)
    : value

type Block = McpSchema.ContentBlock

const valueOf = (block: Block): Schema.Json => {
  switch (block.type) {
    case "text":
      return jsonIn(block.text)
    case "image":
    case "audio":
      return { type: block.type, mimeType: block.mimeType, bytes: block.data.length }
    case "resource": {
      const { mimeType, uri } = block.resource
      if ("text" in block.resource) return jsonIn(block.resource.text)
      return { type: "resource", uri, mimeType: mimeType ?? anyBytes, bytes: block.resource.blob.length }
    }
    case "resource_link": {
      const { description, mimeType, name, uri } = block
      return {
        type: "resource_link",
        uri,
        name,
        ...(description === undefined ? {} : { description }),
        ...(mimeType === undefined ? {} : { mimeType })
      }
    }
  }
}

const partOf = (block: Block): Prompt.ToolModelOutputPart => {
  switch (block.type) {
    case "text":
      return Prompt.textPart({ text: block.text })
    case "image":
    case "audio":
      return Prompt.filePart({ mediaType: block.mimeType, data: block.data })
    case "resource": {
      const { resource } = block
      if ("text" in resource) return Prompt.textPart({ text: resource.text })
      const fileName = resource.uri.slice(resource.uri.lastIndexOf("/") + 1)
      return Prompt.filePart({ mediaType: resource.mimeType ?? anyBytes, fileName, data: resource.blob })
    }
    case "resource_link":
      return Prompt.textPart({ text: JSON.stringify(valueOf(block)) })
  }
}

const anyBytes = "application/octet-stream"

const jsonIn = (text: string): Schema.Json =>
  /^\s*[[{]/.test(text)
    ? Result.getOrElse(
        Result.try((): Schema.Json => JSON.parse(text)),
        () => text
      )
    : text

/** What the server says beside the result, but for its name, which the newest revision adds to every one. */
const metaOf = (meta: Readonly<Record<string, unknown>> | undefined) => {
  const { "io.modelcontextprotocol/serverInfo": _, ...rest } = meta ?? {}
  return Object.keys(rest).length === 0 ? undefined : rest
}
