import { Predicate } from "effect"

/** JSON as text, the same for the same value, whatever the order of its fields. */
export const canonical = (value: unknown): string => JSON.stringify(ordered(value))

const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (!Predicate.isObject(value)) return value
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([key, field]) => [key, ordered(field)]))
}
