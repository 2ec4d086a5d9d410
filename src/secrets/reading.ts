/** Reading of objects that may be anything: what fails to say something says nothing to others, too. */
import { memoized } from "../toolset/memoized.ts"

export const attempt = <A>(f: () => A): A | undefined => {
  try {
    return f()
  } catch {
    return undefined
  }
}

export const read = (value: object, key: string | symbol): unknown => {
  try {
    return (value as Readonly<Record<string | symbol, unknown>>)[key]
  } catch {
    return undefined
  }
}

/** Whether it can hold other values. */
export const isOpen = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function"

/** Whether it is of no class. */
export const isPlain = (value: object): boolean => {
  if (typeof value === "function") return false
  try {
    const prototype: unknown = Object.getPrototypeOf(value)
    return prototype === Object.prototype || prototype === null
  } catch {
    return false
  }
}

/** What an object has from its prototypes, but for what every object has, and methods. */
export const inheritedKeys = (value: object): ReadonlyArray<string | symbol> => {
  const prototype: object | null | undefined = attempt(() => Object.getPrototypeOf(value))
  return isOpen(prototype) ? keysFrom(prototype) : []
}

const keysFrom: (prototype: object) => ReadonlyArray<string | symbol> = memoized((prototype: object) => {
  if (roots.includes(prototype)) return []
  const own = Reflect.ownKeys(prototype).filter((key) => {
    const field = Object.getOwnPropertyDescriptor(prototype, key)
    return (
      field?.get !== undefined ||
      (field !== undefined && typeof field.value !== "function" && "value" in field)
    )
  })
  return Array.from(new Set([...own, ...inheritedKeys(prototype)]))
})

const roots: ReadonlyArray<object> = [
  Object.prototype,
  Function.prototype,
  Array.prototype,
  Map.prototype,
  Set.prototype,
  Error.prototype
]

/** All that an object says of itself. */
export const textsOf = (value: object): ReadonlyArray<string> =>
  [
    textOf(value),
    value instanceof Error ? messageOf(value) : undefined,
    attempt(() => value.valueOf())
  ].filter((text) => typeof text === "string")

/** The text of an object that has one of its own. */
export const textOf = (value: object): string | undefined =>
  hasText(value) ? attempt(() => `${value}`) : undefined

const hasText = (value: object): boolean => {
  const toString = read(value, "toString")
  return (
    (toString !== Object.prototype.toString && toString !== Array.prototype.toString) ||
    read(value, Symbol.toPrimitive) !== undefined
  )
}

export const messageOf = (error: Error): string | undefined => {
  const message = read(error, "message")
  return typeof message === "string" ? message : attempt(() => String(message))
}
