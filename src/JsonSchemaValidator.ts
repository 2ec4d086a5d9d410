import { Context, type Effect, type JsonSchema } from "effect"
import { imported } from "./toolset/importedSchema.ts"

/** Succeeds with a problem, in words that a model can act on, or with nothing. */
export type Validate = (value: unknown) => Effect.Effect<string | undefined>

/**
 * How arguments are checked against a JSON Schema that no Effect schema stands behind: those of external tools, of
 * schemas changed by `Toolset.prepared`, and of other people's documents and servers.
 *
 * A function from a schema to its check; it is asked once per schema, when that schema is first needed. Default: through
 * effect's own importer, which ignores `pattern` (schemas from elsewhere must not bring regular expressions in) and
 * accepts whatever it cannot read, with a log line at debug level. Replace it with any validator:
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { JsonSchemaValidator, Toolset } from "effect-toolset"
 *
 * const picky: JsonSchemaValidator.Compile = () => () => Effect.succeed("nothing is good enough")
 * const tools = Toolset.external([{ name: "ask", parameters: { type: "object" } }])
 * const error = Toolset.call(tools, "ask", {}).pipe(Effect.flip, Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, picky))
 * console.log(Effect.runSync(error).message)
 * //> Invalid arguments: nothing is good enough
 * ```
 */
export const JsonSchemaValidator = Context.Reference<Compile>("effect-toolset/JsonSchemaValidator", {
  defaultValue: () => imported
})

export type Compile = (schema: JsonSchema.JsonSchema) => Validate
