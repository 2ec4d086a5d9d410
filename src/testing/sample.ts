/**
 * A value for a JSON Schema: the plainest one that satisfies it, the same one every time.
 *
 * `seed` moves it: strings and numbers by so many, choices to the next branch.
 */
import {
  Arbitrary,
  Effect,
  JsonSchema,
  Option,
  Predicate,
  Result,
  Schema,
  SchemaRepresentation
} from "effect"
import { plainString } from "./plainString.ts"

type Json = JsonSchema.JsonSchema

/** A value that satisfies the schema, or none where no such value was found. */
export const sample = (schema: Json, seed: number): Option.Option<unknown> => {
  const plain = make({ definitions: definitionsOf(schema), depth: 0 }, schema, seed)
  const check = checker(schema)
  if (check === undefined || check.accepts(plain)) return Option.some(plain)
  return Option.filter(check.generate(seed), check.accepts)
}

/** The schema without its reference and with the parts of its `allOf` in it. */
const resolved = (place: Place, schema: Json): Json => {
  const { $ref, allOf, ...rest } = schema
  const target = Predicate.isString($ref) ? place.definitions[$ref] : undefined
  const parts = [target, ...(Array.isArray(allOf) ? allOf : [])].filter(Predicate.isObject)
  return parts.reduce<Json>((all, part) => merged(all, resolved(place, part as Json)), rest)
}

const definitionsOf = (schema: Json): Place["definitions"] => ({
  "#": schema,
  ...Object.fromEntries(
    Object.entries(record(schema.$defs)).map(([name, definition]) => [`#/$defs/${name}`, definition])
  )
})

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) ? (value as Readonly<Record<string, unknown>>) : {}

/** Both at once: the tighter bound, all properties, all that is required; else the later word. */
const merged = (a: Json, b: Json): Json => {
  const out: Record<string, unknown> = { ...a, ...b }
  for (const key of ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]) {
    if (Predicate.isNumber(a[key]) && Predicate.isNumber(b[key])) out[key] = Math.max(a[key], b[key])
  }
  for (const key of ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]) {
    if (Predicate.isNumber(a[key]) && Predicate.isNumber(b[key])) out[key] = Math.min(a[key], b[key])
  }
  if (a.properties !== undefined && b.properties !== undefined) {
    out.properties = { ...record(a.properties), ...record(b.properties) }
  }
  if (Array.isArray(a.required) && Array.isArray(b.required)) {
    out.required = Array.from(new Set([...a.required, ...b.required]))
  }
  return out
}

/** How far below the root references are followed before the shortest way out is taken. */
const deepest = 6

interface Place {
  readonly definitions: Readonly<Record<string, unknown>>
  readonly depth: number
}

const make = (place: Place, given: Json | boolean, seed: number): unknown => {
  if (typeof given === "boolean") return plainString(seed)
  const schema = resolved(place, given)
  const inside = { ...place, depth: place.depth + 1 }
  const pick = <A>(items: ReadonlyArray<A>): A | undefined => items[seed % items.length]
  if ("const" in schema) return schema.const
  for (const key of ["enum", "examples"]) {
    if (Array.isArray(schema[key]) && schema[key].length > 0) return pick(schema[key])
  }
  for (const key of ["anyOf", "oneOf"]) {
    const branches = schema[key]
    if (!Array.isArray(branches) || branches.length === 0) continue
    const { [key]: _, ...rest } = schema
    const branch = place.depth > deepest ? shortest(branches) : pick(branches)
    return make(inside, merged(rest, resolved(place, branch as Json)), seed)
  }
  switch (typeOf(schema, pick)) {
    case "object":
      return object(inside, schema, seed)
    case "array":
      return array(inside, schema, seed)
    case "string":
      return string(schema, seed)
    case "integer":
      return number(schema, seed, 1)
    case "number":
      return number(schema, seed, undefined)
    case "boolean":
      return seed % 2 === 1
    case "null":
      return null
    default:
      return plainString(seed)
  }
}

const typeOf = (schema: Json, pick: <A>(items: ReadonlyArray<A>) => A | undefined): unknown => {
  if (Array.isArray(schema.type)) return pick(schema.type as ReadonlyArray<unknown>)
  if (schema.type !== undefined) return schema.type
  if ("properties" in schema || "required" in schema) return "object"
  return "items" in schema || "prefixItems" in schema ? "array" : undefined
}

const object = (place: Place, schema: Json, seed: number): unknown => {
  const properties = record(schema.properties)
  const out: Record<string, unknown> = {}
  const required = Array.isArray(schema.required) ? (schema.required as ReadonlyArray<string>) : []
  const inOrder = [...Object.keys(properties).filter((key) => required.includes(key)), ...required]
  for (const key of inOrder)
    if (!(key in out)) out[key] = make(place, (properties[key] ?? true) as Json, seed)
  const rest = schema.additionalProperties
  const least = Predicate.isNumber(schema.minProperties) ? schema.minProperties : 0
  if (rest !== undefined && rest !== false && !(place.depth > deepest && Object.keys(out).length >= least)) {
    do out[freeKey(out, properties)] = make(place, rest as Json | boolean, seed)
    while (Object.keys(out).length < least)
  }
  for (const key of Object.keys(properties)) {
    if (Object.keys(out).length >= least) break
    if (!(key in out)) out[key] = make(place, properties[key] as Json, seed)
  }
  return out
}

const freeKey = (out: object, properties: object): string => {
  let key = "additionalProperty"
  while (key in out || key in properties) key += "_"
  return key
}

const array = (place: Place, schema: Json, seed: number): unknown => {
  const most = Predicate.isNumber(schema.maxItems) ? schema.maxItems : Infinity
  const least = Predicate.isNumber(schema.minItems) ? schema.minItems : 0
  const prefix = Array.isArray(schema.prefixItems) ? (schema.prefixItems as ReadonlyArray<Json>) : []
  const items = (schema.items ?? true) as Json | boolean
  const seedAt = (i: number) => (schema.uniqueItems === true ? seed + i : seed)
  const out = prefix.slice(0, most).map((item, i) => make(place, item, seedAt(i)))
  const hasItems = schema.items !== undefined && items !== false && place.depth <= deepest
  const wanted = Math.max(least, Math.min(most, out.length + (hasItems ? 1 : 0)))
  while (out.length < wanted) out.push(make(place, items, seedAt(out.length)))
  return out
}

const string = (schema: Json, seed: number): string => {
  const most = Predicate.isNumber(schema.maxLength) ? schema.maxLength : Infinity
  const least = Predicate.isNumber(schema.minLength) ? schema.minLength : 0
  const format = formats[String(schema.format)]
  if (format !== undefined) return format(seed)
  const one = plainString(seed)
  return (
    least > 0 ? one.repeat(Math.ceil(least / one.length)).slice(0, Math.max(least, one.length)) : one
  ).slice(0, most)
}

/** Bounds that only say that an integer is exact are none. */
const number = (schema: Json, seed: number, step: 1 | undefined): number => {
  const bounds = numberBounds(schema, step ?? 1)
  const low = bounds.low > Number.MIN_SAFE_INTEGER ? bounds.low : undefined
  const high = bounds.high < Number.MAX_SAFE_INTEGER ? bounds.high : undefined
  if (low !== undefined && high !== undefined && low > high) return bounds.middle
  const value =
    low !== undefined && high !== undefined
      ? low + (seed % (Math.floor(high - low) + 1))
      : low !== undefined
        ? low + seed
        : high !== undefined
          ? high - seed
          : seed
  const multiple = schema.multipleOf
  if (!Predicate.isNumber(multiple) || multiple <= 0) return value
  const next = Math.ceil(value / multiple) * multiple
  return next > (high ?? Infinity) ? Math.floor(value / multiple) * multiple : next
}

const numberBounds = (schema: Json, step: number) => {
  const given = (key: string, otherwise: number): number => {
    const value = schema[key]
    return Predicate.isNumber(value) ? value : otherwise
  }
  const above = given("exclusiveMinimum", -Infinity)
  const below = given("exclusiveMaximum", Infinity)
  const least = given("minimum", -Infinity)
  const most = given("maximum", Infinity)
  return {
    low: Math.max(least, above + step),
    high: Math.min(most, below - step),
    middle: (Math.max(least, above) + Math.min(most, below)) / 2
  }
}

const date = (seed: number): string => new Date(Date.UTC(2024, 0, 1 + seed)).toISOString()

const formats: Readonly<Record<string, ((seed: number) => string) | undefined>> = {
  date: (seed) => date(seed).slice(0, 10),
  "date-time": date,
  time: () => "00:00:00Z",
  email: (seed) => `${plainString(seed % 26)}@example.com`,
  uuid: (seed) => `00000000-0000-4000-8000-${String(seed).padStart(12, "0")}`,
  uri: (seed) => `https://example.com/${seed}`,
  hostname: () => "example.com",
  ipv4: (seed) => `192.0.2.${seed % 256}`,
  ipv6: (seed) => `2001:db8::${(seed % 65_536).toString(16)}`
}

/** The branch from which the way to the end refers to nothing, if there is one. */
const shortest = (branches: ReadonlyArray<unknown>): unknown =>
  branches.find((branch) => !JSON.stringify(branch).includes('"$ref"')) ?? branches[0]

interface Checker {
  readonly accepts: (value: unknown) => boolean
  readonly generate: (seed: number) => Option.Option<unknown>
}

/** effect's own reading of the schema, where it can read it. */
const checker = (schema: Json): Checker | undefined =>
  Result.getOrUndefined(
    Result.try(() => {
      const imported = SchemaRepresentation.fromJsonSchemaDocument(
        JsonSchema.fromSchemaDraft2020_12(schema),
        {
          patterns: "apply"
        }
      )
      const decode = Schema.decodeUnknownExit(imported as Schema.Top & { readonly DecodingServices: never }, {
        onExcessProperty: "error"
      })
      const arbitrary = Arbitrary.schema(imported as never)
      return {
        accepts: (value) => decode(value)._tag === "Success",
        generate: (seed) => {
          const exit = Effect.runSyncExit(
            Arbitrary.sampleEffect(arbitrary, { seed: String(seed), size: 0, count: 1 })
          )
          return exit._tag === "Success" ? Option.fromNullishOr(exit.value[0]) : Option.none()
        }
      }
    })
  )
