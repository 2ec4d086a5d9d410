/** The arguments of a tool: an object with a member for each part of the request. */
import { Effect, Predicate, Schema } from "effect"
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
export const nested = (parts: ReadonlyArray<Part>): Arguments => ({
  codec: effectCodec(Schema.Struct(Object.fromEntries(parts.map((part) => [part.name, field(part)])))),
  partsOf: Effect.succeed
})

const field = ({ absent, schema }: Part): Schema.Top => {
  switch (absent) {
    case "refused":
      return schema
    case "nothing":
      return Schema.optionalKey(schema)
    case "empty":
      // It has no required field, so that an empty object is one of its values.
      return Schema.withDecodingDefaultKey(Effect.succeed({}))(schema as never)
  }
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
