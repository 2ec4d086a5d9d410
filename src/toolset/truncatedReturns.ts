/** The schema of a result that may be cut. */
import { type JsonSchema, Predicate } from "effect"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { Limits } from "./cut.ts"

/** A definition whose result schema also allows what `cutValue` makes of a result. */
export const allowingNotes =
  ({ maxBytes, path }: Limits) =>
  (tool: ToolDefinition): ToolDefinition => {
    if (tool.returns === undefined) return tool
    const { $defs, ...root } = tool.returns
    const lists = allowingList(root, path?.split(".") ?? [])
    const returns = maxBytes === undefined ? lists : either(lists, text)
    return { ...tool, returns: $defs === undefined ? returns : { ...returns, $defs } }
  }

const allowingList = (
  schema: JsonSchema.JsonSchema,
  [key, ...keys]: ReadonlyArray<string>
): JsonSchema.JsonSchema => {
  if (key === undefined) return mayBeList(schema) ? either(schema, list(schema)) : schema
  const { properties } = schema
  if (!Predicate.isObject(properties) || !Object.hasOwn(properties, key)) return schema
  const fields = properties as Readonly<Record<string, JsonSchema.JsonSchema>>
  return { ...schema, properties: { ...fields, [key]: allowingList(fields[key]!, keys) } }
}

const mayBeList = ({ type }: JsonSchema.JsonSchema): boolean =>
  type === undefined || type === "array" || (Array.isArray(type) && type.includes("array"))

const either = (one: JsonSchema.JsonSchema, other: JsonSchema.JsonSchema): JsonSchema.JsonSchema => ({
  anyOf: [one, other]
})

const cutObject = (properties: Readonly<Record<string, JsonSchema.JsonSchema>>): JsonSchema.JsonSchema => ({
  type: "object",
  properties: { ...properties, truncated: { const: true } },
  required: [...Object.keys(properties), "truncated"]
})

const list = (items: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  cutObject({
    items: items.type === "array" ? items : { type: "array" },
    total_items: { type: "integer" },
    returned_items: { type: "integer" }
  })

const text: JsonSchema.JsonSchema = cutObject({
  text: { type: "string" },
  total_bytes: { type: "integer" },
  returned_bytes: { type: "integer" }
})
