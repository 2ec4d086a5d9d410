/** Results at the edge of a tool: encoded to JSON at once, so that a bad one never reaches the history. */
import { Effect, type JsonSchema, Result, Schema, SchemaAST, SchemaIssue } from "effect"
import { ToolReturn } from "../ToolReturn.ts"
import { ToolResultError } from "../ToolsetError.ts"
import { isAlwaysJson } from "./encoded.ts"
import { toJson } from "./json.ts"
import { toJsonSchema } from "./parameters.ts"

export interface ResultCodec {
  readonly jsonSchema: JsonSchema.JsonSchema | undefined
  /** Fails with the place that cannot be encoded. `any`: what the schema needs is in the `R` of the tool. */
  readonly encode: (toolName: string, returned: unknown) => Effect.Effect<ToolReturn, ToolResultError, any>
}

/** Throws what the schema library throws when a schema cannot be printed. */
export const resultCodec = (success: Schema.Constraint | undefined): ResultCodec => {
  const encode = success === undefined ? anyJson : encoder(success)
  return {
    jsonSchema: success === undefined ? undefined : toJsonSchema(success),
    encode: (toolName, returned) =>
      returned instanceof ToolReturn
        ? Effect.mapEager(encode(toolName, returned.value), (value) => new ToolReturn({ ...returned, value }))
        : Effect.mapEager(encode(toolName, returned), (value) => new ToolReturn({ value }))
  }
}

type Encode = (toolName: string, value: unknown) => Effect.Effect<unknown, ToolResultError, any>

const anyJson: Encode = (toolName, value) =>
  Result.match(toJson(value), {
    onSuccess: Effect.succeed,
    onFailure: (notJson) => Effect.fail(new ToolResultError({ toolName, ...notJson }))
  })

const encoder = (success: Schema.Constraint): Encode => {
  const codec = Schema.toCodecJson(success)
  const encode = Schema.encodeUnknownEffect(codec)
  const isJson = isAlwaysJson(SchemaAST.toEncoded(codec.ast))
  return (toolName, value) => {
    const encoded = Effect.mapErrorEager(encode(value), (error) => {
      const [first] = standard(error.issue).issues
      const path = (first?.path ?? []).map((key) => (typeof key === "number" ? key : String(key)))
      return new ToolResultError({ toolName, path, problem: first?.message ?? error.message })
    })
    return isJson ? encoded : Effect.flatMapEager(encoded, (value) => anyJson(toolName, value))
  }
}

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

/** Results that no schema describes. */
export const anyResult: ResultCodec = resultCodec(undefined)
