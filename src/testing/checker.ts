/** effect's own reading of a JSON Schema. */
import { Arbitrary, Effect, JsonSchema, Option, Result, Schema, SchemaRepresentation } from "effect"
import { memoized } from "../toolset/memoized.ts"

export interface Checker {
  readonly accepts: (value: unknown) => boolean
  readonly generate: (seed: number) => Option.Option<unknown>
}

/** Made once per schema; nothing, where effect cannot read it. */
export const checker: (schema: JsonSchema.JsonSchema) => Checker | undefined = memoized((schema) =>
  Result.getOrUndefined(
    Result.try((): Checker => {
      const imported = SchemaRepresentation.fromJsonSchemaDocument(
        JsonSchema.fromSchemaDraft2020_12(schema),
        {
          patterns: "apply"
        }
      ) as Schema.Codec<unknown>
      const decode = Schema.decodeUnknownExit(imported, { onExcessProperty: "error" })
      return {
        accepts: (value) => decode(value)._tag === "Success",
        generate: (seed) => anyOf(imported, seed)
      }
    })
  )
)

/** Some value that satisfies the schema, in effect's own choice. */
export const generated = (schema: JsonSchema.JsonSchema, seed: number): Option.Option<unknown> =>
  Option.flatMap(Option.fromNullishOr(checker(schema)), ({ generate }) => generate(seed))

/** None where there is none, which is found out while asking. */
const anyOf = (schema: Schema.Codec<unknown>, seed: number): Option.Option<unknown> =>
  Option.flatMap(Result.getSuccess(Result.try(() => Arbitrary.schema(schema))), (values) => {
    const exit = Effect.runSyncExit(Arbitrary.sampleEffect(values, { seed: String(seed), size: 0, count: 1 }))
    return exit._tag === "Success" ? Option.fromNullishOr(exit.value[0]) : Option.none()
  })
