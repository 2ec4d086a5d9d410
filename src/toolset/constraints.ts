/** What a JSON Schema demands, apart from what it says about it. */
import { type JsonSchema, Predicate } from "effect"

/** The same schema without the keywords that only describe. */
export const constraintsOf = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  bare(schema) as JsonSchema.JsonSchema

const describing = new Set([
  "title",
  "description",
  "examples",
  "default",
  "$comment",
  "deprecated",
  "readOnly",
  "writeOnly"
])

/** Keywords of which each field is a schema under any name. */
const ofSchemas = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])

/** Keywords that hold values, and no schemas. */
const ofValues = new Set(["enum", "const", "required", "type"])

const bare = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(bare)
  if (!Predicate.isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([keyword]) => !describing.has(keyword))
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      ofValues.has(keyword)
        ? value
        : ofSchemas.has(keyword) && Predicate.isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, bare(schema)]))
          : bare(value)
    ])
  )
}

/** The regular expressions in a schema. */
export const patternsIn = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(patternsIn)
  if (!Predicate.isObject(schema)) return []
  return Object.entries(schema).flatMap(([keyword, value]) => [
    ...(keyword === "pattern" && Predicate.isString(value) ? [value] : []),
    ...(keyword === "patternProperties" && Predicate.isObject(value) ? Object.keys(value) : []),
    ...(ofValues.has(keyword) ? [] : patternsIn(value))
  ])
}
