/** Values as JSON, for results that no schema describes. */
import { Predicate, Result, type Schema } from "effect"
import { failureText } from "./failure.ts"

/** What is not JSON, and where. */
export interface NotJson {
  readonly path: ReadonlyArray<string | number>
  readonly problem: string
}

/**
 * A copy that is JSON. As in `JSON.stringify`, `toJSON` is asked and undefined properties are dropped; unlike it, what
 * would silently become something else (a Map, NaN, a function in an array) is a problem. `undefined` itself is null.
 */
export const toJson = (value: unknown): Result.Result<Schema.Json, NotJson> => {
  const problems: Array<NotJson> = []
  // Where it is not JSON, there is a problem.
  const json = copy(value, [], new Set(), (path, problem) => problems.push({ path, problem }))
  return problems[0] === undefined ? Result.succeed(json as Schema.Json) : Result.fail(problems[0])
}

type Path = ReadonlyArray<string | number>
type Report = (path: Path, problem: string) => void

const copy = (given: unknown, path: Path, above: ReadonlySet<object>, report: Report): unknown => {
  const value = asked(given, path, report)
  if (value === undefined || value === null) return null
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      if (!Number.isFinite(value)) report(path, `${value} is not a JSON number.`)
      return value
    case "object":
      break
    default:
      return report(path, `A ${typeof value} is not JSON.`)
  }
  if (above.has(value)) return report(path, "The value contains itself.")
  const inside = new Set(above).add(value)
  if (Array.isArray(value)) return value.map((item, i) => copy(item, [...path, i], inside, report))
  const kind = opaqueKind(value)
  if (kind !== undefined) return report(path, `A ${kind} is not JSON: give the tool a success schema.`)
  const fields = Object.entries(value).filter(([, item]) => item !== undefined)
  // Unlike an assignment, this makes a field of any name.
  return Object.fromEntries(fields.map(([key, item]) => [key, copy(item, [...path, key], inside, report)]))
}

/** What `toJSON` of a value says, where it has one. */
const asked = (given: unknown, path: Path, report: Report): unknown => {
  if (!Predicate.hasProperty(given, "toJSON") || !Predicate.isFunction(given.toJSON)) return given
  try {
    return given.toJSON()
  } catch (cause) {
    return report(path, `Its toJSON failed: ${failureText(cause)}`)
  }
}

/** Objects of which `JSON.stringify` would say something else than what they hold. */
const opaqueKind = (value: object): string | undefined => {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return undefined
  const isData = Object.keys(value).length > 0 && !ArrayBuffer.isView(value) && !(value instanceof Error)
  return isData ? undefined : value.constructor.name
}
