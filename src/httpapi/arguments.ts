/** The arguments of a tool: an object with a member for each part of the request. */
import { Effect, type JsonSchema, Predicate, Schema } from "effect"
import { headerProblem } from "../rest/headers.ts"
import { type Slashes, valueProblem } from "../rest/path.ts"
import type { ModelRetry } from "../ToolSignal.ts"
import { invalidArguments } from "../toolset/invalidArguments.ts"
import type { Args } from "../toolset/model.ts"
import { type Codec, effectCodec } from "../toolset/parameters.ts"
import type { Part, Parts, PartValues } from "./parts.ts"

/** `any`: what the schemas need is in the `R` of the toolset. */
export interface Arguments {
  readonly codec: Codec
  /** What decoded arguments, which a wrapper may have changed, make of the parts of the request. */
  readonly partsOf: (args: Args) => Effect.Effect<PartValues, ModelRetry, any>
}

/** Throws what the schema library throws when a schema cannot be printed. */
export const nested = (parts: ReadonlyArray<Part>): Arguments => {
  const fields = parts.map(
    ({ absent, name, schema }) => [name, absent === "nothing" ? Schema.optionalKey(schema) : schema] as const
  )
  const codec = effectCodec(Schema.Struct(Object.fromEntries(fields)))
  const empty = Object.fromEntries(
    parts.filter(({ absent }) => absent === "empty").map(({ name }) => [name, {}])
  )
  return {
    codec: {
      ...codec,
      jsonSchema: withoutRequired(codec.jsonSchema, Object.keys(empty)),
      decode: (raw) => codec.decode(isRecord(raw) ? { ...empty, ...raw } : raw)
    },
    partsOf: Effect.succeed
  }
}

const isRecord = (raw: unknown): raw is object => Predicate.isObject(raw) && !Array.isArray(raw)

const withoutRequired = (
  { required, ...schema }: JsonSchema.JsonSchema,
  optional: ReadonlyArray<string>
): JsonSchema.JsonSchema => {
  const left = Array.isArray(required) ? required.filter((name) => !optional.includes(name)) : []
  return left.length === 0 ? schema : { ...schema, required: left }
}

/** Where what the model writes stands on the wire for itself, and not in a body. */
export interface Wire {
  readonly params: Schema.Top | undefined
  /** The names without which there is no path, also where their schemas may do without a value. */
  readonly required: ReadonlyArray<string>
  /** Nothing, where the model is not asked for any. */
  readonly headers: Schema.Top | undefined
  readonly given: Parts["given"]
  readonly slashes: Slashes
}

/** Refuses values that would make another request; looks at them as they go on the wire. */
export const withSafeRequest = ({ codec, partsOf }: Arguments, wire: Wire): Arguments => {
  const { given = {}, headers, params, required, slashes } = wire
  const isGiven = new Set(Object.keys(given).map((name) => name.toLowerCase()))
  const paramsProblems = problemsIn(params, required, (_name, text) => valueProblem(text, slashes))
  const headersProblems = problemsIn(headers, [], (name, text) =>
    isGiven.has(name.toLowerCase()) ? undefined : headerProblem(name, text)
  )
  const safe = (args: Args) =>
    Effect.tap(partsOf(args), (parts) =>
      Effect.gen(function* () {
        const problems = [
          ...(yield* paramsProblems(parts.path_params)),
          ...(yield* headersProblems({
            ...given,
            ...(Predicate.isObject(parts.headers) ? parts.headers : {})
          }))
        ]
        if (problems.length > 0) return yield* invalidArguments(problems.join("\n"))
      })
    )
  return { codec: { ...codec, decode: (raw) => Effect.tap(codec.decode(raw), safe) }, partsOf: safe }
}

/** What is wrong with the values of a part. */
const problemsIn = (
  schema: Schema.Top | undefined,
  required: ReadonlyArray<string>,
  problemOf: (name: string, text: string) => string | undefined
): ((part: unknown) => Effect.Effect<ReadonlyArray<string>, ModelRetry, any>) => {
  if (schema === undefined) return () => Effect.succeed([])
  const encode: (part: unknown) => Effect.Effect<unknown, Schema.SchemaError, any> =
    Schema.encodeUnknownEffect(schema)
  return (part) =>
    Effect.map(
      Effect.mapError(encode(part), ({ message }) => invalidArguments(message)),
      (onTheWire) => {
        const values = Object.entries(Predicate.isObject(onTheWire) ? onTheWire : {}).filter(
          ([, value]) => value !== undefined
        )
        const present = new Set(values.map(([name]) => name))
        return [
          ...required.filter((name) => !present.has(name)).map((name) => `${name} must not be left out.`),
          ...values.flatMap(([name, value]) => {
            const problem = problemOf(name, String(value))
            return problem === undefined ? [] : [`${name} ${problem}`]
          })
        ]
      }
    )
}
