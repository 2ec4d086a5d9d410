/** What a value of a JSON Schema is made of. */
import { Predicate } from "effect"
import { type Json, list, record } from "./resolved.ts"

/** The ways to satisfy a schema, of which any will do; `undefined` where there is one. */
export const choices = (schema: Json): ReadonlyArray<unknown> | undefined => {
  for (const key of ["anyOf", "oneOf"]) {
    if (list(schema[key]).length === 0) continue
    const { [key]: branches, ...rest } = schema
    return list(branches).map((branch) => ({ allOf: [rest, branch] }))
  }
  return Array.isArray(schema.type) ? schema.type.map((type: unknown) => ({ ...schema, type })) : undefined
}

export const typeOf = (schema: Json): unknown => {
  if (schema.type !== undefined) return schema.type
  if ("properties" in schema || "required" in schema) return "object"
  return "items" in schema || "prefixItems" in schema ? "array" : undefined
}

/** Names and schemas of properties: those required first, then as many as there have to be; one more than declared unless `sparse`. */
export const fields = (schema: Json, sparse: boolean): ReadonlyArray<readonly [string, unknown]> => {
  const properties = record(schema.properties)
  const required = list(schema.required).filter(Predicate.isString)
  const declared = Object.keys(properties).filter((key) => required.includes(key))
  const least = Predicate.isNumber(schema.minProperties) ? schema.minProperties : 0
  const out = new Map<string, unknown>()
  for (const key of [...declared, ...required]) out.set(key, properties[key] ?? true)
  const rest = schema.additionalProperties
  if (rest !== undefined && rest !== false) {
    const more = sparse ? 0 : 1
    for (let wanted = Math.max(least, out.size + more); out.size < wanted;) {
      out.set(freeKey(out, properties), rest)
    }
  }
  for (const key of Object.keys(properties)) if (out.size < least) out.set(key, properties[key])
  return Array.from(out)
}

const freeKey = (taken: ReadonlyMap<string, unknown>, properties: object): string => {
  let key = "additionalProperty"
  while (taken.has(key) || key in properties) key += "_"
  return key
}

/** Schemas of items: those of a tuple, then as many as there have to be; one at least, where there may be, unless `sparse`. */
export const items = (schema: Json, sparse: boolean): ReadonlyArray<unknown> => {
  const most = Predicate.isNumber(schema.maxItems) ? schema.maxItems : Infinity
  const least = Predicate.isNumber(schema.minItems) ? schema.minItems : 0
  const prefix = list(schema.prefixItems).slice(0, most)
  const hasMore = !sparse && schema.items !== undefined && schema.items !== false
  const wanted = Math.max(least, Math.min(most, prefix.length + (hasMore ? 1 : 0)))
  const further = Math.max(0, wanted - prefix.length)
  return [...prefix, ...Array.from({ length: further }, () => schema.items ?? true)]
}
