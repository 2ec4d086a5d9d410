/** Copies of objects, of the same kind and class, with other values in them. */
import type { Inside } from "./graph.ts"
import { pairKinds } from "./graph.ts"
import { attempt } from "./reading.ts"

/** An empty one, to be filled. What nobody can make again is a text. */
export const emptyCopy = (value: object, { kind, bytes }: Inside, masked: MaskedBytes): unknown => {
  const prototype: object | null = Object.getPrototypeOf(value)
  const ofClass = (copy: object): object => Object.setPrototypeOf(copy, prototype)
  switch (kind) {
    case "list":
      return ofClass([])
    case "map":
      return ofClass(new Map())
    case "set":
      return ofClass(new Set())
    case "pairs": {
      const Kind = pairKinds.find((Kind) => value instanceof Kind)!
      return ofClass(new Kind())
    }
    case "bytes":
      return bytesLike(value, masked(bytes!))
    case "function":
      return ofClass(calling(value as Function))
    case "reference":
      return "***"
    case "fields":
      return Object.create(prototype)
  }
}

type MaskedBytes = (bytes: Uint8Array) => Uint8Array

/** Of the same kind where its elements are bytes. */
const bytesLike = (original: object, bytes: Uint8Array): object => {
  if (original instanceof ArrayBuffer) return bytes.buffer
  return original instanceof Uint8Array
    ? Object.setPrototypeOf(bytes, Object.getPrototypeOf(original))
    : bytes
}

/** Does what the function does, and has none of its fields. */
const calling = (f: Function): Function => {
  const copy = function (this: unknown, ...args: ReadonlyArray<unknown>): unknown {
    return new.target === undefined
      ? Reflect.apply(f, this, args)
      : Reflect.construct(f, args, new.target === copy ? f : new.target)
  }
  return copy
}

export const fill = (
  copy: object,
  original: object,
  inside: Inside,
  f: (value: unknown) => unknown
): void => {
  const { fields, items, kind, pairs } = inside
  if (kind === "list") {
    items.forEach((item, i) => define(copy, String(i), f(item), true))
    ;(copy as Array<unknown>).length = (original as ReadonlyArray<unknown>).length
  }
  if (kind === "set") items.forEach((item) => Set.prototype.add.call(copy as Set<unknown>, f(item)))
  if (kind === "map") {
    pairs.forEach(([key, value]) => Map.prototype.set.call(copy as Map<unknown, unknown>, f(key), f(value)))
  }
  if (kind === "pairs") {
    pairs.forEach(([key, value]) =>
      attempt(() => (copy as FormData).append(f(key) as string, f(value) as string))
    )
  }
  for (const [key, value] of fields) {
    const isShown = Object.prototype.propertyIsEnumerable.call(original, key)
    define(copy, f(key) as string | symbol, f(value), isShown)
  }
}

/** Some fields of functions can only be set. */
export const define = (object: object, key: string | symbol, value: unknown, enumerable: boolean): void => {
  const done = Reflect.defineProperty(object, key, { value, enumerable, writable: true, configurable: true })
  if (!done) Reflect.defineProperty(object, key, { value })
}
