/** JSON Schemas read by effect's own importer. */
import { Effect, JsonSchema, Result, Schema, SchemaRepresentation } from "effect"
import type { Compile } from "../JsonSchemaValidator.ts"
import { failureText } from "./failure.ts"
import { ownFields } from "./inherited.ts"
import { memoized } from "./memoized.ts"

/** The check of a schema; one that cannot be read checks nothing. */
export const imported: Compile = (schema) =>
  Result.match(decoderOf(schema), {
    onSuccess: (decode) => (value) =>
      Effect.match(decode(value), { onSuccess: () => undefined, onFailure: (error) => error.message }),
    onFailure: (reason) => () =>
      Effect.as(
        Effect.logDebug("A JSON Schema is not checked, since it cannot be imported.", reason),
        undefined
      )
  })

/** Why a validator cannot check a schema, if it cannot. */
export const unreadable = (compile: Compile, schema: JsonSchema.JsonSchema): string | undefined => {
  const check = compile === imported ? decoderOf(schema) : compiled(compile)(schema)
  return Result.isFailure(check) ? failureText(check.failure) : undefined
}

/** The check of a schema by a validator, which is asked for it once; or why there is none. */
export const compiled = memoized((compile: Compile) =>
  memoized((schema: JsonSchema.JsonSchema) => Result.try(() => compile(schema)))
)

/** A decoder, or why there is none. */
export const decoderOf = memoized((schema: JsonSchema.JsonSchema) =>
  Result.try(() => {
    const fields = ownFields(schema)
    const decode = Schema.decodeUnknownEffect(
      // What is imported needs no services, which its type does not say.
      SchemaRepresentation.fromJsonSchemaDocument(JsonSchema.fromSchemaDraft2020_12(schema), {
        patterns: "ignore"
      }) as Schema.Top & { readonly DecodingServices: never },
      { errors: "all", onExcessProperty: "error" }
    )
    return (value: unknown) => decode(fields(value))
  })
)
