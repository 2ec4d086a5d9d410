/** Schemas at the edge of a tool: what the model is told, and how what it sends is decoded. */
import { Effect, Exit, type JsonSchema, Predicate, Result, Schema, SchemaAST } from "effect"
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "effect/StandardSchema"
import type { RunContext } from "../RunContext.ts"
import type { ToolCall } from "../ToolCall.ts"
import type { ModelRetry } from "../ToolSignal.ts"
import { excessIn } from "./encoded.ts"
import type { Flaw } from "./flawed.ts"
import { invalidArguments } from "./invalidArguments.ts"
import { whileCalling, whileListing } from "./environment.ts"
import { ownFields } from "./inherited.ts"
import { jsonCodec } from "./jsonCodec.ts"
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
    : P extends undefined
      ? EmptyParams["Type"]
      : never

/** What decoding the arguments needs, and encoding them again for whoever approves. */
export type ParametersServices<P> = P extends Schema.Constraint
  ? P["DecodingServices"] | P["EncodingServices"]
  : never

/** The parameters of a tool that has none: an object without properties. */
export interface EmptyParams extends Schema.$Record<Schema.String, Schema.Never> {}
const EmptyParams: EmptyParams = Schema.Record(Schema.String, Schema.Never)

/** How arguments are described, decoded and encoded. */
export interface Codec {
  readonly jsonSchema: JsonSchema.JsonSchema
  /** `any`: what the schema needs is in the `R` of the tool. */
  readonly decode: (args: unknown) => Effect.Effect<Args, ModelRetry, any>
  readonly encode: ((args: Args) => Effect.Effect<unknown, unknown, any>) | undefined
}

/** The way of arguments into a tool. */
export const decoding =
  ({ decode, encode }: Codec) =>
  (raw: unknown): Effect.Effect<Decoded, CallSignals, RunContext | ToolCall> =>
    whileCalling(
      Effect.mapEager(decode(raw), (value) => ({
        value,
        raw,
        // What only decodes, or fails to encode, stands for itself as it was sent.
        encoded: (other) => {
          const instead = other ?? raw
          return encode === undefined
            ? Effect.succeed(instead)
            : whileListing(Effect.orElseSucceed(encode(other ?? value), () => instead))
        }
      }))
    )

/** Throws what the schema library throws when a schema cannot be printed. */
export const codec = (parameters: Parameters | undefined): Codec =>
  parameters === undefined
    ? effectCodec(EmptyParams)
    : Schema.isSchema(parameters)
      ? effectCodec(parameters)
      : standardCodec(parameters as Exclude<Parameters, Schema.Constraint>)

export const effectCodec = (schema: Schema.Constraint): Codec => {
  const json = jsonCodec(schema)
  const decode = decoder(json)
  const anything = hasNoFields(schema) ? effectCodec(EmptyParams) : undefined
  const own = toJsonSchema(schema)
  const fields = ownFields(own)
  const encode = Schema.encodeUnknownEffect(json)
  return {
    jsonSchema: anything === undefined ? objectRoot(own) : { ...anything.jsonSchema, ...described(own) },
    decode: (args) => {
      const decoding = anything === undefined ? Effect.succeed(args) : anything.decode(args)
      return Effect.flatMapEager(decoding, (args) =>
        Effect.mapErrorEager(decode(fields(args)) as Effect.Effect<Args, Schema.SchemaError>, (error) =>
          invalidArguments(error.message)
        )
      )
    },
    encode: (args) => encode(fields(args))
  }
}

/** Refuses what the schema does not know, and says all that is wrong. */
const decoder = (json: Schema.Constraint) => {
  const strict = Schema.decodeUnknownEffect(json, { errors: "all", onExcessProperty: "error" })
  const hasExcess = excessIn(SchemaAST.toEncoded(json.ast))
  if (hasExcess === undefined) return strict
  // Most arguments are right, and strictness costs more than all the rest.
  const lenient = Schema.decodeUnknownEffect(json)
  return (args: unknown): ReturnType<typeof strict> => {
    const decoded = lenient(args)
    return Exit.isExit(decoded) && Exit.isSuccess(decoded) && !hasExcess(args) ? decoded : strict(args)
  }
}

/** A struct without fields takes anything but null, which is not what somebody means who writes one here. */
const hasNoFields = ({ ast }: Schema.Constraint): boolean => {
  const encoded = SchemaAST.toEncoded(ast)
  return (
    SchemaAST.isObjects(encoded) &&
    encoded.propertySignatures.length === 0 &&
    encoded.indexSignatures.length === 0
  )
}

const described = ({ description }: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  description === undefined ? {} : { description }

const standardCodec = (schema: Exclude<Parameters, Schema.Constraint>): Codec => ({
  jsonSchema: objectRoot(structuredClone(schema["~standard"].jsonSchema.input({ target: "draft-2020-12" }))),
  decode: validatedBy(schema),
  // A Standard Schema only decodes.
  encode: undefined
})

/** Arguments as a Standard Schema decodes them; a root that is no object is its own to refuse. */
export const validatedBy =
  ({ "~standard": { validate } }: StandardSchemaV1) =>
  (args: unknown): Effect.Effect<Args, ModelRetry> =>
    Effect.gen(function* () {
      const answer = validate(args)
      const result = Predicate.isPromiseLike(answer) ? yield* Effect.promise(() => answer) : answer
      if (result.issues === undefined) return result.value as Args
      return yield* invalidArguments(result.issues.map(issueText).join("\n"))
    })

/** A key of a path, which may stand in an object of its own. */
export const keyOf = (key: PropertyKey | StandardSchemaV1.PathSegment): PropertyKey =>
  typeof key === "object" ? key.key : key

const issueText = (issue: StandardSchemaV1.Issue): string => {
  const path = (issue.path ?? []).map(keyOf)
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

/** A copy of a schema that nobody can change: one definition serves all runs. */
export const frozen = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  deepFrozen(structuredClone(schema))

const deepFrozen = <A>(value: A): A => {
  if (!Predicate.isObjectOrArray(value)) return value
  Object.values(value).forEach(deepFrozen)
  return Object.freeze(value)
}

/** What is wrong with parameters that are given as JSON Schema, if anything is. */
export const rootFlaw = (parameters: JsonSchema.JsonSchema): Flaw | undefined =>
  Predicate.isObject(parameters) && parameters.type === "object"
    ? undefined
    : {
        problem: `The root of its parameters is ${JSON.stringify(parameters)}.`,
        hint: `A model sends an object: the root says "type": "object".`
      }

/** Providers want the root to be an object and to say so: a root that is a reference is replaced by what it refers to. */
export const objectRoot = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { $schema: _, ...root } = dereferenced(schema)
  if (root.type === "object") return { type: "object", properties: {}, ...root }
  return root.type === undefined && isOfObjects(root) ? { type: "object", ...root } : root
}

/** Whether a schema is of parts with which an object can be made. */
const isOfObjects = ({ allOf, anyOf, oneOf }: JsonSchema.JsonSchema): boolean =>
  [anyOf, oneOf, allOf].some(Array.isArray) &&
  [anyOf, oneOf].every((parts) => !Array.isArray(parts) || parts.some(mayBeObject)) &&
  (!Array.isArray(allOf) || allOf.every(mayBeObject))

const mayBeObject = (part: unknown): boolean =>
  !Predicate.isReadonlyObject(part) || part.type === undefined || [part.type].flat().includes("object")

/** Through as many references as stand one behind the other; one that leads nowhere stays. */
const dereferenced = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const seen = new Set<unknown>()
  let found = schema
  while (!seen.has(found.$ref)) {
    seen.add(found.$ref)
    found = followed(found)
  }
  return found
}

const followed = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { $defs, $ref, ...rest } = schema
  if (!Predicate.isString($ref) || !Predicate.isObject($defs)) return schema
  const name = decoded($ref.slice("#/$defs/".length)).replaceAll("~1", "/").replaceAll("~0", "~")
  if (!Object.hasOwn($defs, name)) return schema
  const { [name]: target, ...others } = $defs as JsonSchema.Definitions
  const isUsedElsewhere = JSON.stringify([target, others]).includes(JSON.stringify($ref))
  const definitions = isUsedElsewhere ? $defs : others
  return { ...target, ...rest, ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }) }
}

const decoded = (pointer: string): string =>
  Result.getOrElse(
    Result.try(() => decodeURIComponent(pointer)),
    () => pointer
  )
