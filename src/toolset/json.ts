/** Values as JSON, for results that no schema describes. */
import { Predicate, Result, type Schema } from "effect"
import { ToolReturn } from "../ToolReturn.ts"
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
  try {
    // Where it is not JSON, there is a problem.
    return Result.succeed(copy(value, [], new Set()) as Schema.Json)
  } catch (cause) {
    if (cause instanceof Problem) return Result.fail({ path: cause.path, problem: cause.problem })
    if (cause instanceof RangeError)
      return Result.fail({ path: [], problem: "The value is nested too deeply." })
    throw cause
  }
}

type Path = ReadonlyArray<string | number>

/** Leaves the copy at the first place that is not JSON. */
class Problem {
  readonly path: Path
  readonly problem: string
  constructor(path: Path, problem: string) {
    this.path = path
    this.problem = problem
  }
}

const copy = (given: unknown, path: Path, above: Set<unknown>): unknown => {
  if (above.has(given)) throw new Problem(path, "The value contains itself.")
  if (given instanceof ToolReturn) {
    throw new Problem(path, "A ToolReturn is a whole result, and not a part of one: return it itself.")
  }
  const value = asked(given, path)
  if (value === undefined || value === null) return null
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      if (!Number.isFinite(value)) throw new Problem(path, `${value} is not a JSON number.`)
      return value
    case "object":
      break
    default:
      throw new Problem(path, `A ${typeof value} is not JSON.`)
  }
  above.add(given).add(value)
  const json = Array.isArray(value) ? copyOfItems(value, path, above) : copyOfFields(value, path, above)
  above.delete(given)
  above.delete(value)
  return json
}

// Unlike `map`, this sees holes.
const copyOfItems = (value: ReadonlyArray<unknown>, path: Path, above: Set<unknown>): unknown =>
  Array.from(value, (item, i) => copy(item, [...path, i], above))

const copyOfFields = (value: object, path: Path, above: Set<unknown>): unknown => {
  const kind = opaqueKind(value)
  if (kind !== undefined) throw new Problem(path, `A ${kind} is not JSON: give the tool a success schema.`)
  const fields = Object.keys(value).flatMap((key) => {
    const at = [...path, key]
    const item = reading(at, "It cannot be read", () => (value as Record<string, unknown>)[key])
    return item === undefined ? [] : [[key, copy(item, at, above)] as const]
  })
  // Unlike an assignment, this makes a field of any name.
  return Object.fromEntries(fields)
}

/** What `toJSON` of a value says, where it has one. */
const asked = (given: unknown, path: Path): unknown =>
  reading(path, "Its toJSON failed", () =>
    Predicate.hasProperty(given, "toJSON") && Predicate.isFunction(given.toJSON) ? given.toJSON() : given
  )

const reading = <A>(path: Path, problem: string, read: () => A): A => {
  try {
    return read()
  } catch (cause) {
    throw new Problem(path, `${problem}: ${failureText(cause)}`)
  }
}

/** Objects of which `JSON.stringify` would say something else than what they hold. */
const opaqueKind = (value: object): string | undefined => {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return undefined
  const isData = Object.keys(value).length > 0 && !(Symbol.iterator in value) && !(value instanceof Error)
  return isData && !ArrayBuffer.isView(value) ? undefined : kindOf(value)
}

const kindOf = ({ constructor }: object): string =>
  Predicate.isFunction(constructor) && constructor.name !== "" ? constructor.name : "object of no class"
