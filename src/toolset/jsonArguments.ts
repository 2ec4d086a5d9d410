/** Arguments that only a JSON Schema describes. */
import { Effect, type JsonSchema, Result } from "effect"
import { JsonSchemaValidator } from "../JsonSchemaValidator.ts"
import type { ModelRetry } from "../ToolSignal.ts"
import { compiled } from "./importedSchema.ts"
import { invalidArguments } from "./invalidArguments.ts"
import type { Args, Decoded } from "./model.ts"

/**
 * Takes arguments that satisfy the schema as they are, and asks the model to mend others. A schema is compiled once, when
 * it is first needed. Its root is an object.
 */
export const satisfying =
  (schema: JsonSchema.JsonSchema) =>
  (args: unknown): Effect.Effect<Decoded, ModelRetry> =>
    Effect.gen(function* () {
      const problem = yield* problemWith(args, schema)
      if (problem !== undefined) return yield* invalidArguments(problem)
      return { value: args as Args, raw: args, encoded: (other) => Effect.succeed(other ?? args) }
    })

/** What is wrong with a value by a schema, in words, or nothing. */
export const problemWith = (
  value: unknown,
  schema: JsonSchema.JsonSchema
): Effect.Effect<string | undefined> =>
  Effect.flatMap(JsonSchemaValidator, (compile) => Result.getOrThrow(compiled(compile)(schema))(value))
