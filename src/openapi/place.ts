/** Places in a document: JSON pointers, and the references that name them. Nothing outside the document is ever looked at. */
import { Predicate, Result } from "effect"

/** An object of the document. */
export interface Fields {
  readonly [key: string]: unknown
}

/** A value of the document, and where it stands: `#/paths/~1users/get`. */
export interface Place {
  readonly value: unknown
  readonly pointer: string
}

/** What is wrong, and where. */
export interface Fault {
  readonly reason: string
  readonly pointer: string
}

export const isFields: (u: unknown) => u is Fields = Predicate.isObject

/** The fields of a value; none, where it is no object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const rootOf = (document: unknown): Place => ({ value: document, pointer: "#" })

/** A place below: its value is undefined where there is nothing. */
export const below = (place: Place, ...keys: ReadonlyArray<string | number>): Place => ({
  value: keys.reduce<unknown>((value, key) => own(value, String(key)), place.value),
  pointer: [place.pointer, ...keys.map(escaped)].join("/")
})

/** Every field of a place, as a place. */
export const each = (place: Place): ReadonlyArray<readonly [string, Place]> =>
  Object.keys(fieldsOf(place.value)).map((key) => [key, below(place, key)])

/** Every item of a place, as a place. */
export const items = (place: Place): ReadonlyArray<Place> =>
  Array.isArray(place.value) ? place.value.map((_, i) => below(place, i)) : []

/** The value that a reference in the document leads to, through as many others as stand between. */
export const followed = (document: unknown, place: Place): Result.Result<Place, Fault> =>
  isReference(place.value)
    ? target(document, place.value.$ref, place.pointer, isReference)
    : Result.succeed(place)

/** The place that a schema's `$ref` leads to: the first that says anything of its own. */
export const schemaTarget = (document: unknown, ref: unknown, from: string): Result.Result<Place, Fault> =>
  target(document, ref, from, isBareReference)

const target = (
  document: unknown,
  first: unknown,
  from: string,
  goesOn: (value: unknown) => value is Reference
): Result.Result<Place, Fault> => {
  const seen = new Set<string>()
  for (let ref = first; ;) {
    const fault = badReference(ref, seen)
    if (fault !== undefined) return Result.fail({ reason: fault, pointer: from })
    const pointer = ref as string
    seen.add(pointer)
    const value = tokens(pointer).reduce<unknown>(own, document)
    if (value === undefined)
      return Result.fail({ reason: `$ref ${pointer} points to nothing`, pointer: from })
    if (!goesOn(value)) return Result.succeed({ value, pointer })
    ref = value.$ref
  }
}

interface Reference {
  readonly $ref: unknown
}

/** A schema may have a property that is called `$ref`: a reference is text. */
const isReference = (value: unknown): value is Reference =>
  isFields(value) && Predicate.isString(own(value, "$ref"))

const annotations = new Set(["$ref", "description", "summary"])

const isBareReference = (value: unknown): value is Reference =>
  isFields(value) && Object.hasOwn(value, "$ref") && Object.keys(value).every((key) => annotations.has(key))

const badReference = (ref: unknown, seen: ReadonlySet<string>): string | undefined => {
  if (!Predicate.isString(ref)) return "$ref is not a string"
  if (!ref.startsWith("#")) return `$ref ${ref} leads out of the document: bundle the document first`
  if (ref !== "#" && !ref.startsWith("#/")) return `$ref ${ref} is no JSON pointer`
  return seen.has(ref) ? `$ref ${ref} refers to itself` : undefined
}

/** The keys of a JSON pointer. */
export const tokens = (pointer: string): ReadonlyArray<string> =>
  decoded(pointer.slice(1))
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))

const decoded = (text: string): string =>
  Result.getOrElse(
    Result.try(() => decodeURIComponent(text)),
    () => text
  )

const escaped = (key: string | number): string => String(key).replaceAll("~", "~0").replaceAll("/", "~1")

/** Through arrays too: documents point to `…/allOf/0`. */
const own = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Fields)[key]
    : undefined
