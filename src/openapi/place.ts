/** Places in a document: JSON pointers, and the references that name them. Nothing outside the document is ever looked at. */
import { Predicate, Result } from "effect"

/** An object of the document. */
export interface Fields {
  readonly [key: string]: unknown
}

/** A value of the document, and where it stands: below another place, or at a pointer. */
export interface Place {
  readonly value: unknown
  readonly above: Place | undefined
  readonly key: string
}

/** What is wrong, and where. */
export interface Fault {
  readonly reason: string
  readonly pointer: string
}

export const isFields: (u: unknown) => u is Fields = Predicate.isObject

/** The fields of a value; none, where it is no object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** A value in words: what is not of one piece may be without end. */
export const inWords = (value: unknown): string =>
  Predicate.isObjectOrArray(value)
    ? Array.isArray(value)
      ? "a list"
      : "an object"
    : String(JSON.stringify(value))

const placeAt = (value: unknown, pointer: string): Place => ({ value, above: undefined, key: pointer })

/** `#/paths/~1users/get`. Places are many and pointers are read rarely, so that they are written when they are. */
export const pointerOf = ({ above, key }: Place): string =>
  above === undefined ? key : `${pointerOf(above)}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`

export const faultAt = (place: Place, reason: string): Fault => ({ reason, pointer: pointerOf(place) })

/** A place below: its value is undefined where there is nothing. */
export const below = (place: Place, ...keys: ReadonlyArray<string>): Place => {
  let found = place
  for (const key of keys) found = { value: own(found.value, key), above: found, key }
  return found
}

/** A text below a place; nothing, where it is empty or none. */
export const textAt = (place: Place, key: string): string | undefined => {
  const { value } = below(place, key)
  return Predicate.isString(value) && value !== "" ? value : undefined
}

/** Every field of a place, as a place. */
export const each = (place: Place): ReadonlyArray<readonly [string, Place]> =>
  Object.keys(fieldsOf(place.value)).map((key) => [key, below(place, key)])

/** Every item of a place, as a place. */
export const items = (place: Place): ReadonlyArray<Place> =>
  Array.isArray(place.value) ? Array.from(place.value, (_, i) => below(place, String(i))) : []

/** A function of places that gives the same for the same object, wherever that is come by. */
export const memoizedByValue = <B>(f: (place: Place) => B): ((place: Place) => B) => {
  const known = new WeakMap<object, { readonly of: B }>()
  return (place) => {
    if (!isFields(place.value)) return f(place)
    let found = known.get(place.value)
    if (found === undefined) known.set(place.value, (found = { of: f(place) }))
    return found.of
  }
}

/** A document, while it is read: what a reference in it leads to is looked for once. */
export interface Document {
  readonly root: Place
  /** The place of an object, or the one that a reference there leads to, through as many others as stand between. */
  readonly followed: (place: Place) => Result.Result<Place, Fault>
  /** The place that a schema's `$ref` leads to: the first that says anything of its own. */
  readonly schemaTarget: (ref: unknown, from: Place) => Result.Result<Place, Fault>
}

export const documentOf = (document: unknown): Document => {
  const target = targetIn(document, isReference)
  return {
    root: placeAt(document, "#"),
    followed: (place) => (isReference(place.value) ? target(place.value.$ref, place) : Result.succeed(place)),
    schemaTarget: targetIn(document, isBareReference)
  }
}

/** Each reference is followed once: what one leads to, all those on the way to it lead to, too. */
const targetIn = (
  document: unknown,
  goesOn: (value: unknown) => value is Reference
): Document["schemaTarget"] => {
  const known = new Map<string, Result.Result<Place, string>>()
  const found = (first: string): Result.Result<Place, string> => {
    const seen = new Set<string>()
    for (let ref: unknown = first; ;) {
      const before = Predicate.isString(ref) ? known.get(ref) : undefined
      const step = before ?? stepTo(document, ref, seen, goesOn)
      if (Predicate.isString(ref)) seen.add(ref)
      if (!("goesTo" in step)) {
        for (const passed of seen) known.set(passed, step)
        return step
      }
      ref = step.goesTo
    }
  }
  return (ref, from) =>
    Predicate.isString(ref)
      ? Result.mapError(known.get(ref) ?? found(ref), (reason) => faultAt(from, reason))
      : Result.fail(faultAt(from, notText))
}

const notText = "$ref is not a string"

/** What a reference leads to, or the reference that stands there. */
const stepTo = (
  document: unknown,
  ref: unknown,
  seen: ReadonlySet<string>,
  goesOn: (value: unknown) => value is Reference
): Result.Result<Place, string> | { readonly goesTo: unknown } => {
  if (!Predicate.isString(ref)) return Result.fail(notText)
  if (!ref.startsWith("#")) {
    return Result.fail(`$ref ${ref} leads out of the document: bundle the document first`)
  }
  if (ref !== "#" && !ref.startsWith("#/")) return Result.fail(`$ref ${ref} is no JSON pointer`)
  if (seen.has(ref)) return Result.fail(`$ref ${ref} refers to itself`)
  const value = tokens(ref).reduce<unknown>(own, document)
  if (value === undefined) return Result.fail(`$ref ${ref} points to nothing`)
  return goesOn(value) ? { goesTo: value.$ref } : Result.succeed(placeAt(value, ref))
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

/** Through arrays too: documents point to `…/allOf/0`. */
const own = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Fields)[key]
    : undefined
