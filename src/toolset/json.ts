/** Values as JSON, for results that no schema describes. */
import { Predicate, Result, type Schema } from "effect"

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
  const value =
    Predicate.hasProperty(given, "toJSON") && Predicate.isFunction(given.toJSON) ? given.toJSON() : given
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
  const opaque = opaqueKind(value)
  if (opaque !== undefined) return report(path, `A ${opaque} is not JSON: give the tool a success schema.`)
  if (above.has(value)) return report(path, "The value contains itself.")
  const inside = new Set(above).add(value)
  if (Array.isArray(value)) return value.map((item, i) => copy(item, [...path, i], inside, report))
  const out: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) out[key] = copy(item, [...path, key], inside, report)
  }
  return out
}

/** Objects that `JSON.stringify` would turn into `{}` or into something that is not what they hold. */
const opaqueKind = (value: object): string | undefined => {
  for (const kind of [Map, Set, WeakMap, WeakSet, Promise, RegExp, ArrayBuffer]) {
    if (value instanceof kind) return kind.name
  }
  return ArrayBuffer.isView(value) ? value.constructor.name : undefined
}
