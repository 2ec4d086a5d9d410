import { JsonSchema, Predicate, Result } from "effect"

/**
 * A schema in draft 2020-12. Most of those from elsewhere are of draft 07, and say so or use its keyword for definitions;
 * what cannot be converted is passed on as it is, and not checked.
 */
export const inCurrentDraft = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const isOld = Predicate.isString(schema.$schema)
    ? schema.$schema.includes("draft-07")
    : "definitions" in schema
  if (!isOld) return schema
  return Result.match(
    Result.try(() => JsonSchema.fromSchemaDraft07(schema)),
    {
      onFailure: () => schema,
      onSuccess: ({ definitions, schema }) =>
        Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions }
    }
  )
}
