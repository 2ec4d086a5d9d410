/** The arguments of a tool: an object with a member for each part of the request. */
import { Effect, type JsonSchema, Predicate, Schema } from "effect"
import { type Slashes, valueProblem } from "../rest/path.ts"
import type { ModelRetry } from "../ToolSignal.ts"
import { invalidArguments } from "../toolset/invalidArguments.ts"
import type { Args } from "../toolset/model.ts"
import { type Codec, effectCodec } from "../toolset/parameters.ts"
import type { Part, PartValues } from "./parts.ts"

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

/** Refuses values that would reach another path; looks at them as they go on the wire. */
export const withSafePath = (
  { codec, partsOf }: Arguments,
  params: Schema.Top,
  slashes: Slashes
): Arguments => {
  const encode: (params: unknown) => Effect.Effect<unknown, Schema.SchemaError, any> =
    Schema.encodeUnknownEffect(params)
  const safe = (args: Args) =>
    Effect.tap(partsOf(args), ({ path_params }) =>
      Effect.gen(function* () {
        const onTheWire = yield* Effect.mapError(encode(path_params), ({ message }) =>
          invalidArguments(message)
        )
        const problems = Object.entries(Predicate.isObject(onTheWire) ? onTheWire : {}).flatMap(
          ([name, value]) => {
            const problem = value === undefined ? undefined : valueProblem(String(value), slashes)
            return problem === undefined ? [] : [`${name} ${problem}`]
          }
        )
        if (problems.length > 0) return yield* invalidArguments(problems.join("\n"))
      })
    )
  return { codec: { ...codec, decode: (raw) => Effect.tap(codec.decode(raw), safe) }, partsOf: safe }
}
