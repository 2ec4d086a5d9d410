/** Lists that are too long for a model. */
import { Effect, type JsonSchema, Predicate, type Schema } from "effect"
import { ToolFailed } from "../ToolSignal.ts"
import { envelope } from "../toolset/cut.ts"
import type { Flaw } from "../toolset/flawed.ts"
import type { Endpoint } from "./failure.ts"

/**
 * - `maxItems`: the longest list that a result may be; what is no list is not touched.
 * - `onTruncate`: `note` (default) returns the first items and says so; `raise` fails and asks for a narrower query.
 */
export interface Truncation {
  readonly maxItems?: number | undefined
  readonly onTruncate?: "note" | "raise" | undefined
}

export const truncated = (
  value: Schema.Json,
  { maxItems, onTruncate }: Truncation,
  { method, path }: Endpoint
): Effect.Effect<Schema.Json, ToolFailed> => {
  if (maxItems === undefined || !Array.isArray(value) || value.length <= maxItems) {
    return Effect.succeed(value)
  }
  if (onTruncate === "raise") {
    const message = `${method} ${path} returned ${value.length} items, more than the ${maxItems} that fit. Narrow the query.`
    return Effect.fail(new ToolFailed({ message }))
  }
  return Effect.succeed(envelope(value, maxItems))
}

/** The schema of a result that may be truncated: a list, or the envelope of one. */
export const truncatedSchema = (
  schema: JsonSchema.JsonSchema,
  { maxItems, onTruncate }: Truncation
): JsonSchema.JsonSchema => {
  if (maxItems === undefined || onTruncate === "raise" || !mayBeList(schema)) return schema
  const { $defs, ...list } = schema
  const envelope: JsonSchema.JsonSchema = {
    type: "object",
    properties: {
      items: Predicate.isObject(list.items) ? { type: "array", items: list.items } : { type: "array" },
      truncated: { const: true },
      total_items: { type: "integer" },
      returned_items: { type: "integer" }
    },
    required: ["items", "truncated", "total_items", "returned_items"],
    additionalProperties: false
  }
  return { anyOf: [list, envelope], ...($defs === undefined ? {} : { $defs }) }
}

const mayBeList = ({
  $defs,
  $ref,
  anyOf,
  const: constant,
  enum: values,
  type
}: JsonSchema.JsonSchema): boolean => {
  if (constant !== undefined || values !== undefined) return false
  if (type !== undefined) return [type].flat().includes("array")
  const inside = (schema: unknown): boolean =>
    !Predicate.isObject(schema) || mayBeList({ ...(schema as JsonSchema.JsonSchema), $defs })
  if (Array.isArray(anyOf)) return anyOf.some(inside)
  if (!Predicate.isString($ref) || !Predicate.isObject($defs)) return true
  // A definition that refers to another is rare, and then the envelope is shown for nothing.
  const target = ($defs as JsonSchema.Definitions)[$ref.slice("#/$defs/".length)]
  return target === undefined || target.$ref !== undefined || inside(target)
}

export const truncationFlaw = ({ maxItems }: Truncation): Flaw | undefined =>
  maxItems === undefined || (Number.isInteger(maxItems) && maxItems >= 0)
    ? undefined
    : { problem: `Its \`maxItems\` is ${maxItems}.`, hint: "Give a whole number of at least 0." }
