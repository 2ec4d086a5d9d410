/** The outcome of a call, as an MCP client reads it. */
import { Effect, type JsonSchema, Predicate } from "effect"
import { McpSchema, type Prompt } from "effect/ai"
import { JsonSchemaValidator } from "../JsonSchemaValidator.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import { objectRoot } from "../toolset/parameters.ts"
import { isDeferral, modelResult, nobodyToAsk, type Outcome } from "../toolset/outcome.ts"

/**
 * A result as text, and as structured content where it is an object; files as such. What was announced is kept: a result
 * that does not fit the announced schema is a failed one, since clients refuse others.
 */
export const answer = (
  outcome: Outcome,
  schema: JsonSchema.JsonSchema | undefined
): Effect.Effect<McpSchema.CallToolResult> =>
  Effect.gen(function* () {
    if (isDeferral(outcome)) return failed(nobodyToAsk(outcome))
    if (outcome._tag !== "Returned") return failed(textOf(modelResult(outcome)))
    const { value } = outcome.result
    if (schema !== undefined) {
      const problem = yield* (yield* JsonSchemaValidator)(schema)(value)
      if (problem !== undefined) {
        yield* Effect.logWarning("A result does not fit the schema that its tool announces.", problem)
        return failed("The tool gave a result that does not fit its own description.")
      }
    }
    return new McpSchema.CallToolResult({
      content: blocksOf(outcome.result),
      isError: false,
      ...(Predicate.isReadonlyObject(value) ? { structuredContent: value } : {})
    })
  })

/** The schema of results that a client is told: an object's, and none other. */
export const announced = ({ returns }: ToolDefinition): JsonSchema.JsonSchema | undefined => {
  if (returns === undefined) return undefined
  const root = objectRoot(returns)
  // A root of parts is said to be an object where it is that of parameters; results may be anything.
  return root.type === "object" && [root.anyOf, root.oneOf, root.allOf].every((parts) => parts === undefined)
    ? root
    : undefined
}

export const failed = (text: string): McpSchema.CallToolResult =>
  new McpSchema.CallToolResult({ content: [{ type: "text", text }], isError: true })

type Block = McpSchema.ContentBlock

const blocksOf = ({ modelOutput, value }: ToolReturn): ReadonlyArray<Block> =>
  modelOutput?.map(blockOf) ?? [{ type: "text", text: textOf(value) }]

const blockOf = (part: Prompt.ToolModelOutputPart): Block => {
  if (part.type === "text") return { type: "text", text: part.text }
  const { data, fileName, mediaType } = part
  if (data instanceof URL) {
    return { type: "resource_link", uri: data.href, name: fileName ?? data.href, mimeType: mediaType }
  }
  const bytes = Predicate.isString(data) ? Uint8Array.from(atob(data), (char) => char.charCodeAt(0)) : data
  if (mediaType.startsWith("image/")) return { type: "image", data: bytes, mimeType: mediaType }
  if (mediaType.startsWith("audio/")) return { type: "audio", data: bytes, mimeType: mediaType }
  return {
    type: "resource",
    resource: { uri: `file:///${fileName ?? "file"}`, mimeType: mediaType, blob: bytes }
  }
}

const textOf = (value: unknown): string => (Predicate.isString(value) ? value : JSON.stringify(value ?? null))
