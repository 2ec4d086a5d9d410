/** Values as JSON, for results that no schema describes. */
import { Predicate, Result, type Schema } from "effect"
import { ToolReturn } from "../ToolReturn.ts"
import { failureText } from "./failure.ts"

/** What is not JSON, and where. */
export interface NotJson {
  readonly path: Path
  readonly problem: string
}

type Path = ReadonlyArray<string | number>

/**
 * A copy that is JSON. As in `JSON.stringify`, `toJSON` is asked and undefined properties are dropped; unlike it, what
 * would silently become something else (a Map, NaN, a function in an array) is a problem. `undefined` itself is null.
 */
export const toJson = (value: unknown): Result.Result<Schema.Json, NotJson> => {
  const copying: Copying = { above: new Set(), notJson: undefined }
  const copied = Result.try(() => copy(value, [], copying))
  if (copying.notJson !== undefined) return Result.fail(copying.notJson)
  return Result.mapBoth(copied, {
    // Nothing in it is not.
    onSuccess: (json) => json as Schema.Json,
    // Everything else in there is tried: this is where the stack ends.
    onFailure: () => ({ path: [], problem: "The value is nested too deeply." })
  })
}

interface Copying {
  /** What the value is in. */
  readonly above: Set<unknown>
  /** The first that was found. With it the copy ends, and means nothing. */
  notJson: NotJson | undefined
}

const found = (copying: Copying, path: Path, problem: string): undefined => {
  copying.notJson ??= { path, problem }
}

const copy = (given: unknown, path: Path, copying: Copying): unknown => {
  const { above } = copying
  if (copying.notJson !== undefined) return undefined
  if (above.has(given)) return found(copying, path, "The value contains itself.")
  if (given instanceof ToolReturn) {
    return found(copying, path, "A ToolReturn is a whole result, and not a part of one: return it itself.")
  }
  const value = asked(given, path, copying)
  if (value === undefined || value === null) return null
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) ? value : found(copying, path, `${value} is not a JSON number.`)
    case "object":
      break
    default:
      return found(copying, path, `A ${typeof value} is not JSON.`)
  }
  above.add(given).add(value)
  const json = Array.isArray(value) ? copyOfItems(value, path, copying) : copyOfFields(value, path, copying)
  above.delete(given)
  above.delete(value)
  return json
}

const copyOfItems = (value: ReadonlyArray<unknown>, path: Path, copying: Copying): unknown =>
  // Unlike `map`, this sees holes.
  Array.from(value, (item, i) => (isPlain(item) ? item : copy(item, [...path, i], copying)))

const copyOfFields = (value: object, path: Path, copying: Copying): unknown => {
  const kind = opaqueKind(value)
  if (kind !== undefined)
    return found(copying, path, `A ${kind} is not JSON: give the tool a success schema.`)
  const fields: Record<string, unknown> = {}
  for (const [key, item] of entries(value, path, copying)) {
    if (item === undefined) continue
    const json = isPlain(item) ? item : copy(item, [...path, key], copying)
    // An assignment would set what it inherits from.
    if (key === "__proto__") Object.defineProperty(fields, key, { value: json, ...ordinary })
    else fields[key] = json
  }
  return fields
}

const ordinary = { enumerable: true, configurable: true, writable: true }

/** Most of what there is in a result: JSON already. */
const isPlain = (value: unknown): boolean =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value))

const entries = (value: object, path: Path, copying: Copying): ReadonlyArray<[string, unknown]> =>
  Result.getOrElse(
    Result.try(() => Object.entries(value)),
    () => {
      // One of them cannot be read: which one, reading them one by one tells.
      const read = (key: string) => (value as Record<string, unknown>)[key]
      return Object.keys(value).map((key) => [
        key,
        reading([...path, key], copying, "It cannot be read", () => read(key))
      ])
    }
  )

/** What `toJSON` of a value says, where it has one. */
const asked = (given: unknown, path: Path, copying: Copying): unknown =>
  Predicate.isObjectOrArray(given)
    ? reading(path, copying, "Its toJSON failed", () =>
        // A Buffer says its bytes as numbers, which is not what anybody means.
        !ArrayBuffer.isView(given) &&
        Predicate.hasProperty(given, "toJSON") &&
        Predicate.isFunction(given.toJSON)
          ? given.toJSON()
          : given
      )
    : given

const reading = (path: Path, copying: Copying, problem: string, read: () => unknown): unknown =>
  Result.match(Result.try(read), {
    onSuccess: (value) => value,
    onFailure: (cause) => found(copying, path, `${problem}: ${failureText(cause)}`)
  })

/** Objects of which `JSON.stringify` would say something else than what they hold. */
const opaqueKind = (value: object): string | undefined => {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return undefined
  const isData = Object.keys(value).length > 0 && !(Symbol.iterator in value) && !(value instanceof Error)
  return isData && !ArrayBuffer.isView(value) ? undefined : kindOf(value)
}

const kindOf = ({ constructor }: object): string =>
  Predicate.isFunction(constructor) && constructor.name !== "" ? constructor.name : "object of no class"
