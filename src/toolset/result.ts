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
import { ToolCall } from "../ToolCall.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { ToolResultError } from "../ToolsetError.ts"
import { isAlwaysJson } from "./encoded.ts"
import { ownFields } from "./inherited.ts"
import { type NotJson, toJson } from "./json.ts"
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
  /**
   * In a call: fails with its name, and with the place that cannot be encoded. `any`: what the schema needs is in the `R`
   * of the tool.
   */
  readonly encode: (returned: unknown) => Effect.Effect<ToolReturn, ToolResultError, any>
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
    encode: (returned) =>
      returned instanceof ToolReturn
        ? Effect.mapEager(named(encode(returned.value)), (value) => new ToolReturn({ ...returned, value }))
        : Effect.mapEager(
            named(encode(isInsideOfRef(returned) ? undefined : returned)),
            (value) => new ToolReturn({ value })
          )
  }
}

/** What `Ref.set` gives, which its type says is nothing. */
const isInsideOfRef = (value: unknown): boolean =>
  Predicate.isObject(value) && Object.getPrototypeOf(value) === insideOfRef

const insideOfRef: unknown = Object.getPrototypeOf(MutableRef.make(undefined))

type Encode = (value: unknown) => Effect.Effect<unknown, NotJson, any>

/** The tool is named as it was called: several may be declared by one name. */
const named = <A>(encoded: Effect.Effect<A, NotJson, any>): Effect.Effect<A, ToolResultError, any> =>
  Effect.catchEager(encoded, (notJson) =>
    Effect.flatMap(ToolCall, ({ exposedName }) =>
      Effect.fail(new ToolResultError({ toolName: exposedName, ...notJson }))
    )
  )

const anyJson: Encode = (value) => Effect.fromResult(toJson(value))

const effectEncoder = (success: Schema.Constraint) => {
  const jsonSchema = toJsonSchema(success)
  const fields = ownFields(jsonSchema)
  const codec = jsonCodec(success)
  const encode = Schema.encodeUnknownEffect(codec)
  const isJson = isAlwaysJson(SchemaAST.toEncoded(codec.ast))
  const toEncoded: Encode = (value) => {
    const encoded = Effect.mapErrorEager(encode(fields(value)), (error) => {
      const [first] = standard(error.issue).issues
      const path = (first?.path ?? []).map(keyOf).map(asKey)
      return exactly(value, { path, problem: first?.message ?? error.message })
    })
    return isJson ? encoded : Effect.flatMapEager(encoded, anyJson)
  }
  return { encode: toEncoded, jsonSchema }
}

/** A schema of any JSON says that a value is none, and not where in it. */
const exactly = (value: unknown, notJson: NotJson): NotJson => {
  const { path, problem } = notJson
  if (problem !== "Expected JSON value") return notJson
  let at = value
  for (const key of path) {
    // Where the schema says it otherwise, the path leads nowhere in the value.
    if (!Predicate.isObjectOrArray(at) || !Object.hasOwn(at, key)) return notJson
    at = Reflect.get(at, key)
  }
  return Result.match(toJson(at), {
    onFailure: (inside) => ({ path: [...path, ...inside.path], problem: inside.problem }),
    onSuccess: () => notJson
  })
}

/** A Standard Schema has one direction: what it makes of a result is what the model reads. */
const standardEncoder = ({
  "~standard": { jsonSchema, validate }
}: StandardSchemaV1 & StandardJSONSchemaV1) => {
  const { $schema: _, ...shown } = jsonSchema.output({ target: "draft-2020-12" })
  const encode: Encode = (value) =>
    Effect.gen(function* () {
      const answer = validate(value)
      const result = Predicate.isPromiseLike(answer) ? yield* Effect.promise(() => answer) : answer
      if (result.issues === undefined) return yield* anyJson(result.value)
      const { message: problem, path = [] } = result.issues[0] ?? { message: "It does not fit its schema." }
      return yield* Effect.fail({ path: path.map(keyOf).map(asKey), problem })
    })
  return { encode, jsonSchema: shown }
}

const asKey = (key: PropertyKey): string | number => (typeof key === "number" ? key : String(key))

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

/** Results that no schema describes. */
export const anyResult: ResultCodec = resultCodec(undefined)
