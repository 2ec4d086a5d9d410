/** Arguments in one flat object, for models that do better without parts. */
import { Effect, type JsonSchema, Predicate, Result, Schema } from "effect"
import { invalidArguments } from "../toolset/invalidArguments.ts"
import type { Args } from "../toolset/model.ts"
import { type Codec, objectRoot } from "../toolset/parameters.ts"
import type { Arguments } from "./arguments.ts"
import type { Part } from "./parts.ts"

/** A part and what its fields are called; nothing, where it has no fields of its own and keeps its name. */
interface Spread {
  readonly part: Part
  readonly fields: ClosedObject | undefined
  readonly names: ReadonlyArray<string>
}

/**
 * All parts as one object, or the names that clash. What arrives is decoded part by part, so that errors speak of the
 * fields that the model knows.
 */
export const flat = (
  parts: ReadonlyArray<Part>,
  { codec: whole, partsOf }: Arguments
): Result.Result<Arguments, ReadonlyArray<string>> => {
  const { $defs, properties } = whole.jsonSchema
  const schemas = properties as Record<string, JsonSchema.JsonSchema>
  const spreads = parts.map((part): Spread => {
    const root = objectRoot({ ...schemas[part.name], ...($defs === undefined ? {} : { $defs }) })
    return isClosedObject(root)
      ? { part, fields: root, names: Object.keys(root.properties) }
      : { part, fields: undefined, names: [part.name] }
  })
  const names = spreads.flatMap((spread) => spread.names)
  const clashing = names.filter((name, i) => names.indexOf(name) < i)
  if (clashing.length > 0) return Result.fail(clashing)
  const first = spreads.find(({ fields }) => fields !== undefined)
  if (first === undefined) return Result.succeed({ codec: whole, partsOf })
  const codecs = spreads.map((spread) => ({ spread, ...partCodec(spread.part) }))
  const codec: Codec = {
    jsonSchema: {
      type: "object",
      properties: joined(
        spreads.map(({ fields, part: { name } }) => fields?.properties ?? { [name]: schemas[name] })
      ),
      required: spreads.flatMap(({ fields, part: { absent, name } }) =>
        fields === undefined ? (absent === "refused" ? [name] : []) : (fields.required ?? [])
      ),
      additionalProperties: false,
      ...($defs === undefined ? {} : { $defs })
    },
    decode: Effect.fnUntraced(function* (args) {
      if (!Predicate.isObject(args)) return yield* whole.decode(args)
      // Whatever belongs nowhere is refused with the first part that has fields.
      const strays = Object.keys(args).filter((name) => !names.includes(name))
      const values: Array<object> = []
      const problems: Array<string> = []
      for (const { decode, spread } of codecs) {
        const given = gathered(args, spread, spread === first ? strays : [])
        if (given === undefined && spread.part.absent === "nothing") continue
        const isWhole = spread.fields === undefined && spread.part.absent === "refused"
        const result = yield* Effect.result(decode(isWhole ? given : (given ?? {})))
        if (Result.isSuccess(result)) values.push(scattered(result.success, spread))
        else problems.push(result.failure.message)
      }
      return problems.length === 0 ? joined(values) : yield* invalidArguments(problems.join("\n"))
    }),
    encode: (args) =>
      Effect.flatMap(gatheredParts(args), (parts) =>
        Effect.map(
          Effect.forEach(codecs, ({ encode, spread }) => {
            const value = parts[spread.part.name]
            return value === undefined
              ? Effect.succeed({})
              : Effect.map(encode(value), (json) => scattered(json, spread))
          }),
          joined
        )
      )
  }
  const gatheredParts = (args: Args) =>
    Effect.map(
      Effect.forEach(codecs, ({ make, spread }) => {
        const value = gathered(args, spread, [])
        if (spread.fields === undefined) return Effect.succeed({ [spread.part.name]: value })
        if (value === undefined && spread.part.absent === "nothing") return Effect.succeed({})
        return Effect.map(make(value ?? {}), (value) => ({ [spread.part.name]: value }))
      }),
      joined
    )
  return Result.succeed({
    codec,
    partsOf: (args) => Effect.mapError(gatheredParts(args), ({ message }) => invalidArguments(message))
  })
}

const joined = (parts: ReadonlyArray<object>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(part)))

/** The fields of a part, beside those of the others; a part without fields by its name. */
const scattered = (value: unknown, { fields, part }: Spread): object =>
  fields === undefined || !Predicate.isObject(value) ? { [part.name]: value } : { ...value }

type ClosedObject = JsonSchema.JsonSchema & {
  readonly properties: Readonly<Record<string, unknown>>
  readonly required?: ReadonlyArray<string>
}

const isClosedObject = (schema: JsonSchema.JsonSchema): schema is ClosedObject =>
  schema.type === "object" && Predicate.isObject(schema.properties) && schema.additionalProperties === false

/** What of the arguments belongs to a part; nothing, where none of it is there. */
const gathered = (args: object, { fields, names }: Spread, strays: ReadonlyArray<string>): unknown => {
  const present = Object.entries(args).filter(([name]) => names.includes(name) || strays.includes(name))
  if (present.length === 0) return undefined
  return fields === undefined ? present[0]?.[1] : Object.fromEntries(present)
}

/** `any`: what the schemas need is in the `R` of the toolset. */
const partCodec = ({ schema }: Part) => {
  const json = Schema.toCodecJson(schema)
  const options = { errors: "all", onExcessProperty: "error" } as const
  const decode: (u: unknown) => Effect.Effect<unknown, Schema.SchemaError, any> = Schema.decodeUnknownEffect(
    json,
    options
  )
  const encode: (u: unknown) => Effect.Effect<unknown, Schema.SchemaError, any> =
    Schema.encodeUnknownEffect(json)
  // An instance again, where the part is one of a class.
  const make = (fields: unknown): Effect.Effect<unknown, Schema.SchemaError> =>
    Effect.mapError(schema.makeEffect(fields), (issue) => new Schema.SchemaError(issue))
  return { decode, encode, make }
}
