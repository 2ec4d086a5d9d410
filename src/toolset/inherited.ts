/**
 * Fields named like what every object has (`constructor`, `toString`): a decoder asks for `value.constructor`, and finds
 * the one of the prototype where the field was left out.
 */
import type { JsonSchema } from "effect"
import { identity } from "effect/Function"
import { isPlain } from "../secrets/reading.ts"

/** Takes the prototypes off plain values, where a schema has such fields. Where it has none, values stay as they are. */
export const ownFields = (schema: JsonSchema.JsonSchema | undefined): (<A>(value: A) => A) =>
  namesInherited(schema) ? (value) => bare(value) as typeof value : identity

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))

const namesInherited = (schema: unknown): boolean =>
  typeof schema === "object" &&
  schema !== null &&
  Object.entries(schema).some(([key, value]) => inherited.has(key) || namesInherited(value))

const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== "object" || value === null || !isPlain(value)) return value
  const copy: object = Object.create(null)
  for (const [key, field] of Object.entries(value)) {
    Object.defineProperty(copy, key, {
      value: bare(field),
      enumerable: true,
      writable: true,
      configurable: true
    })
  }
  return copy
}
