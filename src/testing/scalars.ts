/** The plainest texts and numbers of a JSON Schema. */
import { type JsonSchema, Predicate } from "effect"
import { plainString } from "./plainString.ts"

type Json = JsonSchema.JsonSchema

export const string = (schema: Json, seed: number): string => {
  const most = Predicate.isNumber(schema.maxLength) ? schema.maxLength : Infinity
  const least = Predicate.isNumber(schema.minLength) ? schema.minLength : 0
  const name = String(schema.format)
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined
  if (format !== undefined) return format(seed)
  const one = plainString(seed)
  return (
    least > 0 ? one.repeat(Math.ceil(least / one.length)).slice(0, Math.max(least, one.length)) : one
  ).slice(0, most)
}

/** Bounds that only say that an integer is exact are none. */
export const number = (schema: Json, seed: number, step: 1 | undefined): number => {
  const bounds = numberBounds(schema, step ?? 1)
  const low = bounds.low > Number.MIN_SAFE_INTEGER ? bounds.low : undefined
  const high = bounds.high < Number.MAX_SAFE_INTEGER ? bounds.high : undefined
  if (low !== undefined && high !== undefined && low > high) return bounds.middle
  const value =
    low !== undefined && high !== undefined
      ? low + (seed % (Math.floor(high - low) + 1))
      : low !== undefined
        ? low + seed
        : high !== undefined
          ? high - seed
          : seed
  const multiple = schema.multipleOf
  if (!Predicate.isNumber(multiple) || multiple <= 0) return value
  const next = Math.ceil(value / multiple) * multiple
  // A negative zero is not what its JSON says.
  return (next > (high ?? Infinity) ? Math.floor(value / multiple) * multiple : next) + 0
}

const numberBounds = (schema: Json, step: number) => {
  const given = (key: string, otherwise: number): number => {
    const value = schema[key]
    return Predicate.isNumber(value) ? value : otherwise
  }
  const above = given("exclusiveMinimum", -Infinity)
  const below = given("exclusiveMaximum", Infinity)
  const least = given("minimum", -Infinity)
  const most = given("maximum", Infinity)
  return {
    low: Math.max(least, above + step),
    high: Math.min(most, below - step),
    middle: (Math.max(least, above) + Math.min(most, below)) / 2
  }
}

const date = (seed: number): string => new Date(Date.UTC(2024, 0, 1 + seed)).toISOString()

const formats: Readonly<Record<string, ((seed: number) => string) | undefined>> = {
  date: (seed) => date(seed).slice(0, 10),
  "date-time": date,
  time: () => "00:00:00Z",
  email: (seed) => `${plainString(seed % 26)}@example.com`,
  uuid: (seed) => `00000000-0000-4000-8000-${String(seed).padStart(12, "0")}`,
  uri: (seed) => `https://example.com/${seed}`,
  hostname: () => "example.com",
  ipv4: (seed) => `192.0.2.${seed % 256}`,
  ipv6: (seed) => `2001:db8::${(seed % 65_536).toString(16)}`
}
