/** An independent judge of JSON Schemas. */
import { Ajv2020 } from "ajv/dist/2020.js"
import type { JsonSchema } from "effect"

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

/** What is wrong with a schema by the meta-schema of draft 2020-12, or a reference in it that leads nowhere. */
export const schemaProblem = (schema: JsonSchema.JsonSchema): string | undefined => {
  if (!ajv.validateSchema(schema)) return ajv.errorsText(ajv.errors)
  const names = new Set(Object.keys(schema.$defs ?? {}))
  return referencesIn(schema).find((ref) => !names.has(ref.slice("#/$defs/".length)))
}

/** Schemas of one document and direction, as one in which each definition stands once: what a compiler says of them. */
export const compilerProblem = (schemas: ReadonlyArray<JsonSchema.JsonSchema>): string | undefined => {
  const $defs = Object.assign({}, ...schemas.map((schema) => schema.$defs))
  try {
    ajv.compile({ $defs, anyOf: schemas.map(({ $defs: _, ...schema }) => schema) })
    return undefined
  } catch (cause) {
    return String(cause)
  }
}

/** References stand where schemas do; elsewhere the key may be data. */
const referencesIn = (schema: unknown): ReadonlyArray<string> => {
  if (typeof schema !== "object" || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap(referencesIn)
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === "$ref" && typeof value === "string") return [value]
    return ["enum", "const", "default"].includes(key) && !isSchemaMap(value) ? [] : referencesIn(value)
  })
}

/** A property may be called `default`: then its value is a schema. */
const isSchemaMap = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && "type" in value
