/** Arguments for a tool, made up from its parameters, with texts that are as bad as texts get. */
import { type JsonSchema, Predicate } from "effect"

/** None of them is JSON of an object or a list, which swagger-client reads as such where a schema leaves room. */
const texts = [
  "a b",
  "x&y=z",
  "ä/ö",
  "100%",
  "q?#h",
  "'(!*)",
  "+",
  "😀",
  "a;b,c",
  "%2e%2e",
  `"{}"`,
  "@:$",
  "[a]"
]

/** Gives other texts for every `seed`. */
export const anyArguments = (parameters: JsonSchema.JsonSchema, seed: number): Record<string, any> => {
  let next = seed
  const definitions: Readonly<Record<string, unknown>> = Predicate.isObject(parameters.$defs)
    ? parameters.$defs
    : {}

  const text = ({ format, maxLength = 99, minLength = 0 }: JsonSchema.JsonSchema): string => {
    if (format === "date-time") return "2024-01-02T03:04:05Z"
    if (format === "date") return "2024-01-02"
    const found = texts[next++ % texts.length]!
    return found.padEnd(Number(minLength), "x").slice(0, Number(maxLength)).toWellFormed()
  }

  const value = (given: unknown, depth: number): unknown => {
    if (!Predicate.isObject(given)) return "anything"
    const schema = given as JsonSchema.JsonSchema
    if (Predicate.isString(schema.$ref))
      return value(definitions[schema.$ref.slice("#/$defs/".length)], depth + 1)
    const [first] = [schema.enum, schema.anyOf, schema.oneOf].filter((list) => Array.isArray(list))
    if (first !== undefined)
      return first === schema.enum
        ? first[0]
        : value({ ...schema, anyOf: 0, oneOf: 0, ...first[0] }, depth + 1)
    if (Array.isArray(schema.allOf))
      return value({ ...schema, ...Object.assign({}, ...schema.allOf), allOf: 0 }, depth + 1)
    switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
      case "string":
        return text(schema)
      case "integer":
      case "number":
        return Number(schema.minimum ?? 1)
      case "boolean":
        return next++ % 2 === 0
      case "null":
        return null
      case "array":
        return depth > 5 ? [] : [value(schema.items, depth + 1), value(schema.items, depth + 1)]
      case "object":
        return fields(schema, depth)
      default:
        return schema.properties === undefined ? text(schema) : fields(schema, depth)
    }
  }

  const fields = (schema: JsonSchema.JsonSchema, depth: number): Record<string, unknown> => {
    const required: ReadonlyArray<unknown> = Array.isArray(schema.required) ? schema.required : []
    const known = Predicate.isObject(schema.properties) ? Object.entries(schema.properties) : []
    const taken = known.filter(([name]) => depth < 2 || required.includes(name))
    return Object.fromEntries(taken.map(([name, property]) => [name, value(property, depth + 1)]))
  }

  return fields(parameters, 0)
}
