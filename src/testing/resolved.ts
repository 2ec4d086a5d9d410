/** JSON Schema without its references: what a place in a document says, all of it in one schema. */
import { type JsonSchema, Predicate } from "effect"

export type Json = JsonSchema.JsonSchema

export const record = (value: unknown): Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) ? (value as Readonly<Record<string, unknown>>) : {}

export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/**
 * The schema without its reference and with the parts of its `allOf` in it; `undefined` where nothing satisfies it: a part
 * is `false`, or a reference leads back to itself.
 */
export const resolved = (
  document: Json,
  given: unknown,
  through: ReadonlyArray<string> = []
): Json | undefined => {
  if (given === false) return undefined
  const { $ref, allOf, ...rest } = record(given)
  let all: Json = rest
  const add = (part: unknown, through: ReadonlyArray<string>): boolean => {
    const next = resolved(document, part, through)
    if (next !== undefined) all = merged(all, next)
    return next !== undefined
  }
  if (Predicate.isString($ref)) {
    if (through.includes($ref) || !add(target(document, $ref), [...through, $ref])) return undefined
  }
  return list(allOf).every((part) => add(part, through)) ? all : undefined
}

/** What a pointer into the document points to. */
export const target = (document: Json, pointer: string): unknown => {
  if (!/^#(\/|$)/.test(pointer)) return undefined
  const keys = pointer.split("/").slice(1)
  return keys.reduce<unknown>(
    (place, key) => record(place)[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")],
    document
  )
}

/** Both at once: the tighter bound, all properties, all that is required; else the later word. */
const merged = (a: Json, b: Json): Json => {
  const out: Record<string, unknown> = { ...a, ...b }
  const tighter = (keys: ReadonlyArray<string>, choose: (a: number, b: number) => number) => {
    for (const key of keys) {
      if (Predicate.isNumber(a[key]) && Predicate.isNumber(b[key])) out[key] = choose(a[key], b[key])
    }
  }
  tighter(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"], Math.max)
  tighter(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"], Math.min)
  if (a.properties !== undefined && b.properties !== undefined) {
    out.properties = ofBoth(record(a.properties), record(b.properties))
  }
  if (Array.isArray(a.required) && Array.isArray(b.required)) {
    out.required = Array.from(new Set([...a.required, ...b.required]))
  }
  return out
}

const ofBoth = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>) => {
  const out = { ...a, ...b }
  for (const key of Object.keys(a)) if (key in b) out[key] = { allOf: [a[key], b[key]] }
  return out
}
