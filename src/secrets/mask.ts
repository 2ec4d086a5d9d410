/**
 * Hides secrets wherever they stand in a value: at any depth, in keys, in Maps and Sets, in instances of classes, in
 * bytes, in what contains itself. What has none comes out as it went in; what holds one becomes a copy of its kind.
 */
import { Predicate } from "effect"
import { attempt, children, fill, type Inside, insideOf, jsonOf, read, textOf } from "./graph.ts"
import { fromBytes, type Pattern } from "./pattern.ts"

/** A text stays a text. */
export interface Mask {
  (text: string): string
  (value: unknown): unknown
}

const hidden = "***"

export const maskOf = (pattern: Pattern): Mask => {
  const text = (text: string): string => {
    const bytes = base64.test(text) && text.length % 4 === 0 ? replaced(atob(text), pattern.bytes) : undefined
    // A file stays one: it is decoded again by whoever gets it.
    if (bytes !== undefined && bytes !== atob(text)) return btoa(bytes)
    return replaced(text, pattern.text).replaceAll(base64Inside, (part) =>
      hasBytes(fromBase64(part)) ? hidden : part
    )
  }
  const isInText = (given: string | undefined): boolean => given !== undefined && text(given) !== given

  const ofNone = (value: unknown): unknown => {
    if (Predicate.isString(value)) return text(value)
    return (Predicate.isNumber(value) || Predicate.isBigInt(value)) && isInText(String(value))
      ? hidden
      : value
  }

  /** Whether what an object says of itself shows one. */
  const saysOne = (value: object): boolean => isInText(textOf(value)) || isInText(messageOf(value))

  /** Whether an object shows a secret, but for what the objects in it show. */
  const showsOne = (value: object, inside: Inside): boolean =>
    inside.kind === "bytes"
      ? hasBytes(fromBytes(inside.bytes))
      : inside.kind !== "closed" &&
        (children(inside).some((child) => !Predicate.isObjectOrArray(child) && ofNone(child) !== child) ||
          saysOne(value))

  const hasBytes = (bytes: string): boolean => replaced(bytes, pattern.bytes) !== bytes

  const emptyCopy = (value: object, inside: Inside): object => {
    switch (inside.kind) {
      case "list":
        return []
      case "map":
        return new Map()
      case "set":
        return new Set()
      case "bytes":
        return bytesLike(value, replaced(fromBytes(inside.bytes), pattern.bytes))
      case "fields":
      case "closed":
        return Object.create(Object.getPrototypeOf(value))
    }
  }

  /** For what still shows a secret when all that it holds is hidden: what it says, without. */
  const instead = (value: object): unknown => {
    const json = jsonOf(value)
    return json === undefined ? text(textOf(value) ?? hidden) : masked(json)
  }

  const copied = (
    value: object,
    insides: ReadonlyMap<object, Inside>,
    found: ReadonlySet<object>
  ): unknown => {
    const others = new Map<object, unknown>()
    for (;;) {
      const copies = new Map<object, unknown>()
      for (const one of found)
        copies.set(one, others.has(one) ? others.get(one) : emptyCopy(one, insides.get(one)!))
      const now = (child: unknown): unknown =>
        Predicate.isObjectOrArray(child) ? (copies.has(child) ? copies.get(child) : child) : ofNone(child)
      for (const one of found) {
        if (!others.has(one)) fill(copies.get(one) as object, one, insides.get(one)!, now)
      }
      for (const one of found) {
        const copy = copies.get(one)
        if (others.has(one) || !Predicate.isObjectOrArray(copy)) continue
        const message = messageOf(copy)
        if (message !== undefined && isInText(message)) defineMessage(copy, text(message))
        if (saysOne(copy) || saysLess(copy, one) || isIn(jsonOf(copy))) others.set(one, instead(one))
      }
      if (![...others.keys()].some((one) => copies.get(one) !== others.get(one))) return copies.get(value)
    }
  }

  const masked = (value: unknown): unknown => {
    if (!Predicate.isObjectOrArray(value)) return ofNone(value)
    const { found, insides } = searched(value, showsOne)
    return found.has(value) ? copied(value, insides, found) : value
  }

  const isIn = (value: unknown): boolean => masked(value) !== value

  // Both overloads: `ofNone` gives a text for a text.
  return masked as Mask
}

const base64 = /^[A-Za-z0-9+/]{8,}={0,2}$/
/** Text that is encoded may be escaped before. What is shorter holds no secret. */
const base64Inside = /[A-Za-z0-9+/_-]{8,}={0,2}/g

const fromBase64 = (text: string): string => {
  const whole = text.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "")
  // One character too many holds no byte.
  return atob(whole.length % 4 === 1 ? whole.slice(0, -1) : whole)
}

/** What is left may be a secret again: until nothing is. Each time the text is shorter. */
const replaced = (text: string, pattern: RegExp): string => {
  const next = text.replaceAll(pattern, hidden)
  return next === text ? text : replaced(next, pattern)
}

/** All objects in a value, and those that show something or hold one that does. */
const searched = (root: object, shows: (value: object, inside: Inside) => boolean) => {
  const insides = new Map<object, Inside>()
  const holders = new Map<object, Array<object>>()
  const found = new Set<object>()
  const open = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (insides.has(value)) continue
    const inside = insideOf(value)
    insides.set(value, inside)
    if (shows(value, inside)) found.add(value)
    for (const child of children(inside)) {
      if (!Predicate.isObjectOrArray(child)) continue
      const known = holders.get(child)
      if (known === undefined) holders.set(child, [value])
      else known.push(value)
      open.push(child)
    }
  }
  // What is added meanwhile has its turn, too.
  for (const value of found) for (const holder of holders.get(value) ?? []) found.add(holder)
  return { insides, found }
}

/** What a copy cannot say any more it would fail to say. */
const saysLess = (copy: object, original: object): boolean => {
  const isLost = (say: (value: object) => unknown) => say(original) !== undefined && say(copy) === undefined
  return isLost(jsonOf) || isLost(textOf)
}

const messageOf = (value: object): string | undefined => {
  if (!(value instanceof Error)) return undefined
  const message = read(value, "message")
  return Predicate.isString(message) ? message : attempt(() => String(message))
}

const defineMessage = (error: object, value: string): void => {
  Object.defineProperty(error, "message", { value, enumerable: false, writable: true, configurable: true })
}

/** Of the same kind where its elements are bytes. */
const bytesLike = (original: object, text: string): object => {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
  if (original instanceof ArrayBuffer) return bytes.buffer
  return original instanceof Uint8Array
    ? Object.setPrototypeOf(bytes, Object.getPrototypeOf(original))
    : bytes
}
