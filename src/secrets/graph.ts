/** What is inside a value: other values, by the place where they stand. */
import { Redacted } from "effect"

/** What an object holds. */
export type Inside =
  | { readonly kind: "list"; readonly items: ReadonlyArray<unknown> }
  | { readonly kind: "map"; readonly entries: ReadonlyArray<readonly [unknown, unknown]> }
  | { readonly kind: "set"; readonly items: ReadonlyArray<unknown> }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | {
      readonly kind: "fields"
      readonly fields: ReadonlyArray<readonly [string | symbol, unknown]>
      /** What its `toJSON` says. */
      readonly json: unknown
    }
  /** Nothing that can be seen from outside. */
  | { readonly kind: "closed" }

export const insideOf = (value: object): Inside => {
  if (Redacted.isRedacted(value)) return { kind: "closed" }
  if (Array.isArray(value)) return { kind: "list", items: value }
  if (value instanceof Map) return { kind: "map", entries: Array.from(value) }
  if (value instanceof Set) return { kind: "set", items: Array.from(value) }
  if (ArrayBuffer.isView(value)) {
    return { kind: "bytes", bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength) }
  }
  if (value instanceof ArrayBuffer) return { kind: "bytes", bytes: new Uint8Array(value) }
  return {
    kind: "fields",
    fields: Reflect.ownKeys(value).map((key) => [key, read(value, key)]),
    json: jsonOf(value)
  }
}

/** All values that stand in it, keys too. */
export const children = (inside: Inside): ReadonlyArray<unknown> => {
  switch (inside.kind) {
    case "list":
    case "set":
      return inside.items
    case "map":
      return inside.entries.flat()
    case "fields":
      return [...inside.fields.flat(), inside.json]
    case "bytes":
    case "closed":
      return []
  }
}

/** Fills an empty object of the same kind with other values. */
export const fill = (
  copy: object,
  original: object,
  inside: Inside,
  f: (value: unknown) => unknown
): void => {
  switch (inside.kind) {
    case "list":
      return inside.items.forEach((item) => void (copy as Array<unknown>).push(f(item)))
    case "map":
      return inside.entries.forEach(([key, value]) => (copy as Map<unknown, unknown>).set(f(key), f(value)))
    case "set":
      return inside.items.forEach((item) => (copy as Set<unknown>).add(f(item)))
    case "fields":
      return inside.fields.forEach(([key, value]) =>
        Object.defineProperty(copy, f(key) as string | symbol, {
          value: f(value),
          enumerable: Object.prototype.propertyIsEnumerable.call(original, key),
          writable: true,
          configurable: true
        })
      )
    case "bytes":
    case "closed":
      return
  }
}

/** What a getter that fails would give, nobody else can see either. */
export const read = (value: object, key: string | symbol): unknown => {
  try {
    return (value as Readonly<Record<string | symbol, unknown>>)[key]
  } catch {
    return undefined
  }
}

/** What `toJSON` of an object gives, which formatters show instead of what it holds. */
export const jsonOf = (value: object): unknown => {
  const toJSON = read(value, "toJSON")
  return typeof toJSON === "function" ? attempt(() => toJSON.call(value) as unknown) : undefined
}

/** The text of an object that has one of its own. */
export const textOf = (value: object): string | undefined => {
  const toString = read(value, "toString")
  return toString === Object.prototype.toString || toString === Array.prototype.toString
    ? undefined
    : attempt(() => `${value}`)
}

/** What fails to say something says nothing to others, too. */
export const attempt = <A>(f: () => A): A | undefined => {
  try {
    return f()
  } catch {
    return undefined
  }
}
