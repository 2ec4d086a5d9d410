/** How deep the lowest value of a JSON Schema is; `Infinity` where it has to contain itself. */
import { Predicate } from "effect"
import { type Json, list, record, target } from "./resolved.ts"
import { choices, fields, items, typeOf } from "./shape.ts"

/**
 * The heights of the schemas of a document.
 *
 * Those of references are found together, each from what the pass before found, until none gets lower.
 */
export const heights = (document: Json): ((given: unknown) => number) => {
  const known = new Map<string, number>()
  let isSettled = true
  const note = (reference: string, height: number) => {
    known.set(reference, height)
    isSettled = false
  }
  const referred = (reference: string): number => {
    if (!known.has(reference)) note(reference, Infinity)
    return known.get(reference) ?? Infinity
  }
  const height = (given: unknown): number => {
    if (given === false) return Infinity
    const { $ref, allOf, ...schema } = record(given)
    const ways = choices(schema)
    return Math.max(
      Predicate.isString($ref) ? referred($ref) : 0,
      ...list(allOf).map(height),
      ways === undefined ? ownHeight(schema) : Math.min(...ways.map(height))
    )
  }
  const ownHeight = (schema: Json): number => {
    const type = typeOf(schema)
    const fieldSchemas = type === "object" ? fields(schema, true).map(([, field]) => field) : []
    const parts = type === "array" ? items(schema, true) : fieldSchemas
    return Math.max(0, ...parts.map((part) => 1 + height(part)))
  }
  return (given) => {
    for (;;) {
      isSettled = true
      const found = height(given)
      for (const [reference, before] of known) {
        const now = height(target(document, reference))
        if (now < before) note(reference, now)
      }
      if (isSettled) return found
    }
  }
}
