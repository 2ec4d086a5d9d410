/** The plainest value of a JSON Schema, the same one every time. It knows no conditions. */
import { Option, Predicate } from "effect"
import { generated } from "./checker.ts"
import { heights } from "./height.ts"
import { plainString } from "./plainString.ts"
import { type Json, resolved } from "./resolved.ts"
import { number, string } from "./scalars.ts"
import { choices, fields, items, typeOf } from "./shape.ts"

/** How far below the root choices are free, before the shortest way out is taken. */
const deepest = 6

/** How far below the root a value is given up: its schema has to contain itself. */
const bottom = 100

/** `seed` moves it: strings and numbers by so many, choices to the next branch. */
export const plain = (document: Json, seed: number): Option.Option<unknown> => {
  const height = heights(document)

  const made = (given: unknown, seed: number, depth: number): Option.Option<unknown> => {
    const schema = resolved(document, given)
    if (schema === undefined || depth > bottom) return Option.none()
    if ("const" in schema) return Option.some(schema.const)
    for (const key of ["enum", "examples"]) {
      if (Array.isArray(schema[key]) && schema[key].length > 0) return Option.some(nth(schema[key], seed))
    }
    const ways = choices(schema)
    if (ways !== undefined) return made(chosen(ways, seed, depth), seed, depth + 1)
    const sparse = depth >= deepest
    switch (typeOf(schema)) {
      case "object":
        return Option.map(
          Option.all(
            fields(schema, sparse).map(([key, field]) =>
              Option.map(made(field, seed, depth + 1), (value) => [key, value] as const)
            )
          ),
          Object.fromEntries
        )
      case "array": {
        const isSet = schema.uniqueItems === true
        return Option.all(
          items(schema, sparse).map((item, i) => made(item, isSet ? seed + i : seed, depth + 1))
        )
      }
      case "string":
        return Predicate.isString(schema.pattern)
          ? generated(schema, seed)
          : Option.some(string(schema, seed))
      case "integer":
        return Option.some(number(schema, seed, 1))
      case "number":
        return Option.some(number(schema, seed, undefined))
      case "boolean":
        return Option.some(seed % 2 === 1)
      case "null":
        return Option.some(null)
      default:
        return Option.some(plainString(seed))
    }
  }

  const chosen = (ways: ReadonlyArray<unknown>, seed: number, depth: number): unknown => {
    const possible = ways.filter((way) => height(way) < Infinity)
    return depth < deepest
      ? nth(possible, seed)
      : possible.reduce((low, way) => (height(way) < height(low) ? way : low), false)
  }

  return made(document, seed, 0)
}

/** `false`, the schema that nothing satisfies, where there are none. */
const nth = (items: ReadonlyArray<unknown>, n: number): unknown =>
  items.length === 0 ? false : items[n % items.length]
