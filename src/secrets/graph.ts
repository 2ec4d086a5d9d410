/**
 * What is inside a value: other values, by the place where they stand, and what it says of itself.
 *
 * What only time tells (a promise, a stream) or running code (a closure) is not looked at.
 */
import { Redacted } from "effect"
import { attempt, inheritedKeys, isPlain, read } from "./reading.ts"

/** What an object holds. */
export interface Inside {
  readonly kind: "list" | "map" | "set" | "pairs" | "bytes" | "reference" | "function" | "fields"
  readonly items: ReadonlyArray<unknown>
  readonly pairs: ReadonlyArray<readonly [unknown, unknown]>
  readonly bytes: Uint8Array | undefined
  /** Its own, but for its items. */
  readonly fields: ReadonlyArray<readonly [string | symbol, unknown]>
  /** What its class adds: getters, and fields of a prototype. */
  readonly inherited: ReadonlyArray<readonly [string | symbol, unknown]>
  /** What it gives to whoever iterates over it, where its kind does not say so. */
  readonly iterated: ReadonlyArray<unknown> | undefined
  /** What its `toJSON` says. */
  readonly json: unknown
}

/** Nothing, where nothing can be seen from outside. */
export const insideOf = (value: object): Inside | undefined =>
  attempt(() => (Redacted.isRedacted(value) ? undefined : looked(value)))

const looked = (value: object): Inside => {
  const container = isPlain(value) ? fields : containerOf(value)
  const { kind } = container
  const isOther = kind === "fields" && !isPlain(value)
  return {
    kind,
    items: container.items ?? none,
    pairs: container.pairs ?? none,
    bytes: container.bytes,
    fields: ownKeys(value, kind).map((key) => [key, read(value, key)]),
    inherited:
      isPlain(value) || isBare(value) || kind === "bytes"
        ? none
        : inheritedKeys(value).map((key) => [key, read(value, key)] as const),
    iterated: isOther ? iteratedIn(value) : undefined,
    json: jsonOf(value)
  }
}

const none: ReadonlyArray<never> = []
const fields: Container = { kind: "fields" }

/** Whether it is an array without a class of its own. */
const isBare = (value: object): boolean => Object.getPrototypeOf(value) === Array.prototype

type Container = Pick<Inside, "kind"> & Partial<Pick<Inside, "items" | "pairs" | "bytes">>

/** Asks the built-in kind itself: what only has its prototype is none. */
const containerOf = (value: object): Container =>
  attempt(() => builtIn(value)) ?? {
    kind: typeof value === "function" ? "function" : "fields"
  }

const builtIn = (value: object): Container | undefined => {
  if (Array.isArray(value)) return isDense(value) ? { kind: "list", items: value } : { kind: "list" }
  if (ArrayBuffer.isView(value)) {
    return { kind: "bytes", bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength) }
  }
  if (value instanceof Map) {
    const pairs: Array<readonly [unknown, unknown]> = []
    Map.prototype.forEach.call(value, (item, key) => void pairs.push([key, item]))
    return { kind: "map", pairs }
  }
  if (value instanceof Set) {
    const items: Array<unknown> = []
    Set.prototype.forEach.call(value, (item) => void items.push(item))
    return { kind: "set", items }
  }
  if (value instanceof ArrayBuffer) return { kind: "bytes", bytes: new Uint8Array(value) }
  if (value instanceof WeakRef) return { kind: "reference", items: [value.deref()] }
  return pairKinds.some((Kind) => value instanceof Kind)
    ? { kind: "pairs", pairs: Array.from(value as Iterable<readonly [string, unknown]>) }
    : undefined
}

/** Those of the web that give pairs and take them one by one. */
export const pairKinds = [Headers, URLSearchParams, FormData] as const

/** Whether an array has all of its items, and nothing else. */
const isDense = (value: ReadonlyArray<unknown>): boolean => {
  const keys = Reflect.ownKeys(value)
  return keys.length === value.length + 1 && keys[value.length] === "length"
}

const ownKeys = (value: object, kind: Inside["kind"]): ReadonlyArray<string | symbol> => {
  if (kind === "list") {
    const list = value as ReadonlyArray<unknown>
    return isDense(list) ? [] : Reflect.ownKeys(list).filter((key) => key !== "length")
  }
  if (kind === "bytes") return bytesKeys(value)
  const keys = Reflect.ownKeys(value)
  return kind === "function" ? keys.filter((key) => key !== "arguments" && key !== "caller") : keys
}

/** Of very long ones, only symbols: each byte has a key, and to list them all takes seconds. */
const bytesKeys = (value: object): ReadonlyArray<string | symbol> =>
  ArrayBuffer.isView(value) && value.byteLength > 10_000
    ? Object.getOwnPropertySymbols(value)
    : Reflect.ownKeys(value).filter((key) => typeof key === "symbol" || !/^\d+$/.test(key))

/** What it gives one after the other; nothing, where it does not. */
export const iteratedIn = (value: object): ReadonlyArray<unknown> | undefined => {
  // What has `next` can be gone through only once, and not by us.
  if (typeof read(value, Symbol.iterator) !== "function" || typeof read(value, "next") === "function")
    return undefined
  return attempt(() => {
    const items: Array<unknown> = []
    for (const item of value as Iterable<unknown>) if (items.push(item) === mostIterated) break
    return items
  })
}

/** Some never end. */
const mostIterated = 10_000

/** What `toJSON` of an object gives, which formatters show instead of what it holds. */
export const jsonOf = (value: object): unknown => {
  const toJSON = read(value, "toJSON")
  return typeof toJSON === "function" ? attempt(() => toJSON.call(value) as unknown) : undefined
}

/** All values that stand in it, keys too. */
export const children = (inside: Inside): ReadonlyArray<unknown> => {
  const all = [...inside.items, inside.json]
  for (const pair of inside.pairs) all.push(...pair)
  for (const field of inside.fields) all.push(...field)
  for (const [, value] of inside.inherited) all.push(value)
  return inside.iterated === undefined ? all : [...all, ...inside.iterated]
}
