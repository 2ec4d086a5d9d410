/**
 * The keywords of a schema whose value holds no schema, and what they become in draft 2020-12: OpenAPI 3.0 and 3.1 alike,
 * since documents mix them. What is malformed is dropped.
 */
import { Predicate, Result } from "effect"
import type { Fields } from "./place.ts"

/** What a keyword becomes; nothing, where it is dropped. */
type Keyword = (value: unknown, schema: Fields) => unknown

const text: Keyword = (value) => (Predicate.isString(value) ? value : undefined)
const flag: Keyword = (value) => (Predicate.isBoolean(value) ? value : undefined)
const finite: Keyword = (value) => (Number.isFinite(value) ? value : undefined)
const count: Keyword = (value) => (Number.isInteger(value) && (value as number) >= 0 ? value : undefined)
const data: Keyword = (value) => (isSmallJson(value) ? value : undefined)

const inclusive =
  (exclusive: string): Keyword =>
  (value, schema) =>
    schema[exclusive] === true ? undefined : finite(value, schema)

/** In OpenAPI 3.0 a boolean that says something of its neighbour. */
const exclusive =
  (bound: string): Keyword =>
  (value, schema) =>
    finite(value === true ? schema[bound] : value, schema)

const types = new Set<unknown>(["string", "number", "integer", "boolean", "array", "object", "null"])

const type: Keyword = (value) => {
  if (!Array.isArray(value)) return types.has(value) ? value : undefined
  const known = value.filter((name) => types.has(name))
  return known.length === 0 ? undefined : [...new Set(known)]
}

const values: Keyword = (value) =>
  Array.isArray(value) && value.length > 0 && isSmallJson(value)
    ? [...new Map(value.map((item) => [JSON.stringify(item), item])).values()]
    : undefined

/** Documents bring patterns of other dialects. */
export const isPattern = (source: unknown): source is string =>
  Predicate.isString(source) && Result.isSuccess(Result.try(() => new RegExp(source, "u")))

export const keywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    type,
    enum: values,
    const: data,
    default: data,
    title: text,
    description: text,
    format: text,
    contentEncoding: text,
    contentMediaType: text,
    pattern: (value: unknown) => (isPattern(value) ? value : undefined),
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minProperties: count,
    maxProperties: count,
    minContains: count,
    maxContains: count,
    minimum: inclusive("exclusiveMinimum"),
    maximum: inclusive("exclusiveMaximum"),
    exclusiveMinimum: exclusive("minimum"),
    exclusiveMaximum: exclusive("maximum"),
    multipleOf: (value: unknown) => (Number.isFinite(value) && (value as number) > 0 ? value : undefined),
    uniqueItems: flag,
    deprecated: flag
  })
)

const maxNodes = 2_000
const maxDepth = 50

/** A list that has holes has more than its entries. */
const itemsOf = (value: object): ReadonlyArray<unknown> =>
  Array.isArray(value) ? Array.from(value) : Object.values(value)

/** Aliases of YAML make a value of a few bytes that has millions of nodes, or one that contains itself. */
const isSmallJson = (value: unknown): boolean => {
  let nodes = 0
  const isJson = (value: unknown, depth: number): boolean => {
    if (++nodes > maxNodes || depth > maxDepth) return false
    switch (typeof value) {
      case "string":
      case "boolean":
        return true
      case "number":
        return Number.isFinite(value)
      case "object":
        return value === null || itemsOf(value).every((item) => isJson(item, depth + 1))
      default:
        return false
    }
  }
  return isJson(value, 0)
}
