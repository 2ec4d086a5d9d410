/** Results at the edge of a tool: encoded to JSON at once, so that a bad one never reaches the history. */
import {
  Effect,
  type JsonSchema,
  MutableRef,
  Predicate,
  Result,
  Schema,
  SchemaAST,
  SchemaIssue
} from "effect"
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "effect/StandardSchema"
import { ToolReturn } from "../ToolReturn.ts"
import { ToolResultError } from "../ToolsetError.ts"
import { isAlwaysJson } from "./encoded.ts"
import { ownFields } from "./inherited.ts"
import { toJson } from "./json.ts"
import { jsonCodec } from "./jsonCodec.ts"
import { keyOf, toJsonSchema } from "./parameters.ts"

/** What `success` takes: an Effect schema, or any Standard Schema that can also print JSON Schema (zod, ArkType, …). */
export type Success = Schema.Constraint | (StandardSchemaV1 & StandardJSONSchemaV1)

/** What the handler gives. */
export type SuccessType<S> = S extends Schema.Constraint
  ? S["Type"]
  : S extends StandardSchemaV1
    ? StandardSchemaV1.InferInput<S>
    : unknown

/** What encoding a result needs. */
export type SuccessServices<S> = S extends Schema.Constraint ? S["EncodingServices"] : never

export interface ResultCodec {
  readonly jsonSchema: JsonSchema.JsonSchema | undefined
  /** Fails with the place that cannot be encoded. `any`: what the schema needs is in the `R` of the tool. */
  readonly encode: (toolName: string, returned: unknown) => Effect.Effect<ToolReturn, ToolResultError, any>
}

/** Throws what the schema library throws when a schema cannot be printed. */
export const resultCodec = (success: Success | undefined): ResultCodec => {
  const { encode, jsonSchema } =
    success === undefined
      ? { encode: anyJson, jsonSchema: undefined }
      : Schema.isSchema(success)
        ? effectEncoder(success)
        : standardEncoder(success as StandardSchemaV1 & StandardJSONSchemaV1)
  return {
    jsonSchema,
    encode: (toolName, returned) =>
      returned instanceof ToolReturn
        ? Effect.mapEager(encode(toolName, returned.value), (value) => new ToolReturn({ ...returned, value }))
        : Effect.mapEager(
            encode(toolName, isInsideOfRef(returned) ? undefined : returned),
            (value) => new ToolReturn({ value })
          )
  }
}

/** What `Ref.set` gives, which its type says is nothing. */
const isInsideOfRef = (value: unknown): boolean =>
  Predicate.isObject(value) && Object.getPrototypeOf(value) === insideOfRef

const insideOfRef: unknown = Object.getPrototypeOf(MutableRef.make(undefined))

type Encode = (toolName: string, value: unknown) => Effect.Effect<unknown, ToolResultError, any>

const anyJson: Encode = (toolName, value) =>
  Result.match(toJson(value), {
    onSuccess: Effect.succeed,
    onFailure: (notJson) => Effect.fail(new ToolResultError({ toolName, ...notJson }))
  })

const effectEncoder = (success: Schema.Constraint) => {
  const jsonSchema = toJsonSchema(success)
  const fields = ownFields(jsonSchema)
  const codec = jsonCodec(success)
  const encode = Schema.encodeUnknownEffect(codec)
  const isJson = isAlwaysJson(SchemaAST.toEncoded(codec.ast))
  const toEncoded: Encode = (toolName, value) => {
    const encoded = Effect.mapErrorEager(encode(fields(value)), (error) => {
      const [first] = standard(error.issue).issues
      const path = (first?.path ?? []).map(keyOf).map(asKey)
      return new ToolResultError({ toolName, path, problem: first?.message ?? error.message })
    })
    return isJson ? encoded : Effect.flatMapEager(encoded, (value) => anyJson(toolName, value))
  }
  return { encode: toEncoded, jsonSchema }
}

/** A Standard Schema has one direction: what it makes of a result is what the model reads. */
const standardEncoder = ({
  "~standard": { jsonSchema, validate }
}: StandardSchemaV1 & StandardJSONSchemaV1) => {
  const { $schema: _, ...shown } = jsonSchema.output({ target: "draft-2020-12" })
  const encode: Encode = (toolName, value) =>
    Effect.gen(function* () {
      const answer = validate(value)
      const result = Predicate.isPromiseLike(answer) ? yield* Effect.promise(() => answer) : answer
      if (result.issues === undefined) return yield* anyJson(toolName, result.value)
      const { message: problem, path = [] } = result.issues[0] ?? { message: "It does not fit its schema." }
      return yield* new ToolResultError({ toolName, path: path.map(keyOf).map(asKey), problem })
    })
  return { encode, jsonSchema: shown }
}

const asKey = (key: PropertyKey): string | number => (typeof key === "number" ? key : String(key))

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

/** Results that no schema describes. */
export const anyResult: ResultCodec = resultCodec(undefined)
