/**
 * Names in a query, a form or a path that a value brings along, where the document leaves them open: the keys of an object
 * that is written as parameters of their own. None may be taken for another parameter, least of all for a key.
 */
import { Predicate } from "effect"
import { fieldsOf, isFields } from "./place.ts"
import type { Written } from "./styles.ts"

/** The names that the value of a parameter chooses. */
export const chosenNames = (
  { explode, isJson, name, style }: Written,
  value: unknown
): ReadonlyArray<string> => {
  if (isJson || !isFields(value)) return []
  if (style === "deepObject") return Object.keys(value).map((key) => `${name}[${key}]`)
  return explode && (style === "form" || style === "matrix") ? Object.keys(value) : []
}

/** Values of parameters, each with what a message calls it. */
type Given = readonly [parameter: Written, value: unknown, called: string]

/** What is wrong with the names that values choose: each belongs to one of them, and to no parameter of the document. */
export const namesProblems = (
  given: ReadonlyArray<Given>,
  declared: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const taken = new Map<string, string>()
  return given.flatMap(([parameter, value, called]) =>
    chosenNames(parameter, value).flatMap((name) => {
      const key = alike(name)
      const others = declared.filter((other) => other !== parameter.name)
      const before = taken.get(key) ?? called
      taken.set(key, before)
      return before !== called || others.some((other) => covers(alike(other), key))
        ? `${called} must not have ${JSON.stringify(name)}: that is another parameter.`
        : []
    })
  )
}

/** Whether a server may take one name for another, or for a part of its value. */
const covers = (other: string, name: string): boolean => {
  const list = other.replace(/\[\]$/, "")
  return name === list || name.startsWith(`${list}[`)
}

/** Servers are generous with names: in any case, with with spaces around them, with dots, spaces and open brackets for underscores. */
const alike = (name: string): string =>
  name
    .replace(/\0.*$/s, "")
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.+]|\[(?=[^\]]*$)/g, "_")

/** The names in a query that is written already. */
export const namesInQuery = (query: string): ReadonlyArray<string> => [...new URLSearchParams(query).keys()]

/** The names of the fields of a form, as far as its schema says them. */
export const namesInForm = (schema: unknown): ReadonlyArray<string> => {
  const { $defs, properties } = fieldsOf(schema)
  const seen = new Set<unknown>()
  const named = (given: unknown): ReadonlyArray<string> => {
    if (seen.has(given)) return []
    seen.add(given)
    const { $ref, allOf, anyOf, oneOf, properties } = fieldsOf(given)
    const target = Predicate.isString($ref) ? fieldsOf($defs)[$ref.slice("#/$defs/".length)] : undefined
    const parts = [target, allOf, anyOf, oneOf].flat()
    return [...Object.keys(fieldsOf(properties)), ...parts.flatMap(named)]
  }
  return named(fieldsOf(properties).request_body)
}
