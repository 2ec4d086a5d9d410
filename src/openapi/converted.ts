/** One schema of a document as draft 2020-12, down to the references in it. */
import { type JsonSchema, Predicate, Result } from "effect"
import { isPattern, keywords } from "./keywords.ts"
import { below, each, type Fault, faultAt, isFields, items, type Place, pointerOf } from "./place.ts"

/** What `readOnly` and `writeOnly` are about: what the model sends is a request, what it reads a response. */
export type Direction = "request" | "response"

export type Json = JsonSchema.JsonSchema | boolean

/** A schema, the places that it refers to, and what is worth knowing about it. */
export interface Converted {
  readonly schema: Json
  readonly refs: ReadonlySet<string>
  readonly remarks: ReadonlyArray<Fault>
  /** Where it has patterns, as nobody may check them. */
  readonly patterns: ReadonlyArray<Place>
}

/** What does not change on the way down. */
export interface Surroundings {
  readonly direction: Direction
  /** The place that a `$ref` leads to. */
  readonly lookUp: (ref: unknown, from: Place) => Result.Result<Place, Fault>
  /** The name in `$defs` of what a reference leads to. */
  readonly nameOf: (pointer: string) => string
}

export const converted = (place: Place, surroundings: Surroundings): Result.Result<Converted, Fault> => {
  const walk: Walk = { ...surroundings, refs: new Set(), faults: [], remarks: [], patterns: [], nodes: 0 }
  const schema = schemaOf(place, walk, 0)
  return walk.faults[0] === undefined
    ? Result.succeed({ schema, refs: walk.refs, remarks: walk.remarks, patterns: walk.patterns })
    : Result.fail(walk.faults[0])
}

interface Walk extends Surroundings {
  readonly refs: Set<string>
  readonly faults: Array<Fault>
  readonly remarks: Array<Fault>
  readonly patterns: Array<Place>
  nodes: number
}

/** The largest schema of any public document that was looked at has 1,562 nodes. */
const maxNodes = 20_000
const maxDepth = 100

const schemaOf = (place: Place, walk: Walk, depth: number): Json => {
  const schema = place.value
  // One fault is enough, and a schema without end has more than anybody can count.
  if (walk.faults.length > 0) return {}
  if (Predicate.isBoolean(schema)) return schema
  if (schema === undefined || schema === null) return {}
  if (!isFields(schema)) return faulty(walk, "a schema is neither an object nor a boolean", place)
  if (++walk.nodes > maxNodes || depth > maxDepth) return faulty(walk, "the schema is too large", place)

  const inside = (place: Place): Json => schemaOf(place, walk, depth + 1)
  const out: Record<string, unknown> = Object.hasOwn(schema, "$ref")
    ? reference(schema.$ref, place, walk)
    : {}
  for (const key of Object.keys(schema)) {
    const plain = keywords.get(key)
    const found =
      plain === undefined ? nested(key, below(place, key), inside, walk) : plain(schema[key], schema)
    if (found !== undefined) out[key] = found
  }
  if (Predicate.isString(schema.pattern) || isFields(schema.patternProperties)) walk.patterns.push(place)
  const required = requiredOf(place, walk)
  if (required.length > 0) out.required = required
  // What a model sends is matched leniently: the branches of a `oneOf` often overlap, and then nothing would match.
  if (walk.direction === "request" && out.oneOf !== undefined) loosen(out)
  // Providers refuse arrays that say nothing of their items.
  if (out.type === "array" && out.items === undefined && out.prefixItems === undefined) out.items = {}
  if (isFields(schema.discriminator) && out.anyOf === undefined && out.oneOf === undefined) {
    walk.remarks.push(faultAt(place, "a discriminator without oneOf or anyOf: its subtypes are not known"))
  }
  return schema.nullable === true ? orNull(out) : out
}

const faulty = (walk: Walk, reason: string, place: Place): Json => {
  walk.faults.push(faultAt(place, reason))
  return {}
}

const reference = (ref: unknown, from: Place, walk: Walk): Record<string, unknown> =>
  Result.match(walk.lookUp(ref, from), {
    onFailure: (fault) => {
      walk.faults.push(fault)
      return {}
    },
    onSuccess: (target) => {
      const pointer = pointerOf(target)
      walk.refs.add(pointer)
      return { $ref: `#/$defs/${walk.nameOf(pointer)}` }
    }
  })

const schemaKeywords = new Set([
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems"
])
const mapKeywords = new Set(["properties", "patternProperties", "dependentSchemas"])
const listKeywords = new Set(["allOf", "oneOf", "anyOf", "prefixItems"])

/** Keywords with schemas in them; every other one is dropped: those of OpenAPI, extensions, those of other drafts. */
const nested = (key: string, field: Place, inside: (place: Place) => Json, walk: Walk): unknown => {
  if (schemaKeywords.has(key)) {
    return isFields(field.value) || Predicate.isBoolean(field.value) ? inside(field) : undefined
  }
  if (listKeywords.has(key)) {
    const list = items(field)
    return list.length === 0 ? undefined : list.map(inside)
  }
  if (!mapKeywords.has(key) || !isFields(field.value)) return undefined
  const kept = each(field).filter(([name, place]) =>
    key === "properties" ? !isHidden(place, walk) : key !== "patternProperties" || isPattern(name)
  )
  return Object.fromEntries(kept.map(([name, place]) => [name, inside(place)]))
}

/** Whether a property is none of what goes this way. */
const isHidden = (place: Place, { direction, lookUp }: Walk): boolean => {
  const { value } = place
  const keyword = direction === "request" ? "readOnly" : "writeOnly"
  if (!isFields(value)) return false
  if (value[keyword] === true) return true
  if (!Predicate.isString(value.$ref)) return false
  const target = lookUp(value.$ref, place)
  return Result.isSuccess(target) && isFields(target.success.value) && target.success.value[keyword] === true
}

const requiredOf = (place: Place, walk: Walk): ReadonlyArray<string> => {
  const { value } = below(place, "required")
  if (!Array.isArray(value)) return []
  const properties = below(place, "properties")
  const isExpected = (key: unknown): key is string =>
    Predicate.isString(key) && !isHidden(below(properties, key), walk)
  return [...new Set(value.filter(isExpected))]
}

const loosen = (out: Record<string, unknown>): void => {
  const { oneOf } = out
  delete out.oneOf
  if (out.anyOf === undefined) out.anyOf = oneOf
  else out.allOf = [...((out.allOf as ReadonlyArray<unknown> | undefined) ?? []), { anyOf: oneOf }]
}

/** OpenAPI 3.0's `nullable`, wherever it stands: documents of 3.1 have it, and beside `enum`, `$ref` and `allOf`. */
const orNull = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { enum: values, type } = schema
  const open =
    Array.isArray(values) && !values.includes(null) ? { ...schema, enum: [...values, null] } : schema
  if (Predicate.isString(type)) return { ...open, type: type === "null" ? type : [type, "null"] }
  if (Array.isArray(type)) return type.includes("null") ? open : { ...open, type: [...type, "null"] }
  return ["$ref", "allOf", "anyOf", "oneOf"].some((key) => key in open)
    ? { anyOf: [open, { type: "null" }] }
    : open
}
