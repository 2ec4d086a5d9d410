/** Schemas at the edge of a tool: what the model is told, and how what it sends is decoded. */
import { Effect, type JsonSchema, Predicate, Schema } from "effect"
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "effect/StandardSchema"
import type { RunContext } from "../RunContext.ts"
import type { ToolCall } from "../ToolCall.ts"
import type { ModelRetry } from "../ToolSignal.ts"
import { invalidArguments } from "./jsonArguments.ts"
import { whileCalling } from "./environment.ts"
import type { Args, CallSignals, Decoded } from "./model.ts"

/**
 * What `parameters` takes: an Effect schema, or any Standard Schema that can also print JSON Schema (zod, ArkType, …).
 * Its root is an object.
 */
export type Parameters =
  | (Schema.Constraint & { readonly Encoded: object })
  | (StandardSchemaV1<object, object> & StandardJSONSchemaV1<object, object>)

/** What the handler takes. */
export type ParametersType<P> = P extends Schema.Constraint
  ? P["Type"]
  : P extends StandardSchemaV1
    ? StandardSchemaV1.InferOutput<P>
    : never

/** What decoding the arguments needs. */
export type ParametersServices<P> = P extends Schema.Constraint ? P["DecodingServices"] : never

/** The parameters of a tool that has none: an object without properties. */
export interface EmptyParams extends Schema.$Record<Schema.String, Schema.Never> {}
const EmptyParams: EmptyParams = Schema.Record(Schema.String, Schema.Never)

/** How arguments are described, decoded and encoded. */
export interface Codec {
  readonly jsonSchema: JsonSchema.JsonSchema
  /** `any`: what the schema needs is in the `R` of the tool. */
  readonly decode: (args: unknown) => Effect.Effect<Args, ModelRetry, any>
  readonly encode: (args: Args) => Effect.Effect<unknown, unknown, any>
}

/** The way of arguments into a tool. */
export const decoding =
  (codec: Codec) =>
  (raw: unknown): Effect.Effect<Decoded, CallSignals, RunContext | ToolCall> =>
    whileCalling(
      Effect.mapEager(codec.decode(raw), (value) => ({
        value,
        raw,
        // What only decodes stands for itself. `whileCalling` does not say of an effect that it cannot fail.
        encoded: () =>
          whileCalling(Effect.orElseSucceed(codec.encode(value), () => raw)) as ReturnType<Decoded["encoded"]>
      }))
    )

/** Throws what the schema library throws when a schema cannot be printed. */
export const codec = (parameters: Parameters | undefined): Codec =>
  parameters === undefined || isEmptyStruct(parameters)
    ? effectCodec(EmptyParams)
    : Schema.isSchema(parameters)
      ? effectCodec(parameters)
      : standardCodec(parameters as Exclude<Parameters, Schema.Constraint>)

/** `Schema.Struct({})` takes anything but null, which is not what somebody means who writes it here. */
const isEmptyStruct = (schema: unknown): boolean =>
  Predicate.hasProperty(schema, "fields") && Object.keys(schema.fields as object).length === 0

export const effectCodec = (schema: Schema.Constraint): Codec => {
  const json = Schema.toCodecJson(schema)
  const decode = Schema.decodeUnknownEffect(json, { errors: "all", onExcessProperty: "error" })
  return {
    jsonSchema: objectRoot(toJsonSchema(schema)),
    decode: (args) =>
      Effect.mapErrorEager(decode(args) as Effect.Effect<Args, Schema.SchemaError>, (error) =>
        invalidArguments(error.message)
      ),
    encode: Schema.encodeUnknownEffect(json)
  }
}

const standardCodec = (schema: Exclude<Parameters, Schema.Constraint>): Codec => {
  const { jsonSchema, validate } = schema["~standard"]
  return {
    jsonSchema: objectRoot(structuredClone(jsonSchema.input({ target: "draft-2020-12" }))),
    decode: (args) =>
      Effect.gen(function* () {
        const answer = validate(args)
        const result = answer instanceof Promise ? yield* Effect.promise(() => answer) : answer
        if (result.issues === undefined) return result.value as Args
        return yield* invalidArguments(result.issues.map(issueText).join("\n"))
      }),
    // A Standard Schema only decodes: what was sent stands for what will run.
    encode: () => Effect.fail("one way")
  }
}

const issueText = (issue: StandardSchemaV1.Issue): string => {
  const path = (issue.path ?? []).map((key) => (Predicate.isObject(key) && "key" in key ? key.key : key))
  return path.length === 0
    ? issue.message
    : `${issue.message}\n  at ${path.map((key) => `["${String(key)}"]`).join("")}`
}

/** The JSON Schema of what the schema's JSON codec takes, closed, with its definitions inside. */
export const toJsonSchema = (schema: Schema.Constraint): JsonSchema.JsonSchema => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return Object.keys(document.definitions).length === 0
    ? document.schema
    : { ...document.schema, $defs: document.definitions }
}

/** Providers want the root to be an object and to say so: a root that is a reference is replaced by what it refers to. */
export const objectRoot = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { $schema: _, ...root } = dereferenced(schema)
  if (root.type === "object") return { type: "object", properties: {}, ...root }
  return root.type === undefined && Array.isArray(root.anyOf) ? { type: "object", ...root } : root
}

const dereferenced = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { $defs, $ref, ...rest } = schema
  if (!Predicate.isString($ref) || !Predicate.isObject($defs)) return schema
  const name = decodeURIComponent($ref.slice("#/$defs/".length)).replaceAll("~1", "/").replaceAll("~0", "~")
  const { [name]: target, ...others } = $defs as JsonSchema.Definitions
  if (target === undefined) return schema
  const isUsedElsewhere = JSON.stringify([target, others]).includes(JSON.stringify($ref))
  const definitions = isUsedElsewhere ? $defs : others
  return { ...target, ...rest, ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }) }
}
