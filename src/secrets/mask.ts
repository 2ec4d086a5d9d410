/**
 * Hides secrets wherever they stand in a value: at any depth, in keys, symbols, Maps and Sets, in instances of classes and
 * what their getters say, in functions, in bytes, in what contains itself. What has none comes out as it went in; what
 * holds one becomes a copy of its kind.
 */
import { copyOf } from "./copyOf.ts"
import { children, type Inside, insideOf } from "./graph.ts"
import { fromBytes, toBytes } from "./bytes.ts"
import type { Finders } from "./known.ts"
import { isOpen, textsOf } from "./reading.ts"
import { hidden, textMaskOf } from "./text.ts"

/** A text stays a text. */
export interface Mask {
  (text: string): string
  (value: unknown): unknown
}

/** What is asked while a value is masked. */
export interface Masking {
  /** Of what is no object. */
  readonly simple: (value: unknown) => unknown
  readonly text: (text: string) => string
  readonly bytes: (bytes: Uint8Array) => Uint8Array
  readonly showsText: (value: object) => boolean
  /** All that can be seen of an object, and the objects among it that show a secret or hold one that does. */
  readonly masked: (value: unknown) => unknown
}

export const maskOf = (finders: ReadonlyArray<Finders>): Mask => {
  const { bytes: ofBytes, text } = textMaskOf(finders)
  const symbols = new Map<symbol, symbol>()

  const simple = (value: unknown): unknown => {
    switch (typeof value) {
      case "string":
        return text(value)
      case "number":
      case "bigint":
        return text(String(value)) === String(value) ? value : hidden
      case "symbol":
        return symbol(value)
      default:
        return value
    }
  }

  /** The same one each time. */
  const symbol = (value: symbol): symbol => {
    const description = value.description ?? ""
    const shown = text(description)
    if (shown === description) return value
    const known =
      symbols.get(value) ?? (Symbol.keyFor(value) === undefined ? Symbol(shown) : Symbol.for(shown))
    symbols.set(value, known)
    return known
  }

  const bytes = (given: Uint8Array): Uint8Array => {
    const before = fromBytes(given)
    const after = ofBytes(before)
    return after === before ? given : toBytes(after)
  }

  const showsText = (value: object): boolean => textsOf(value).some((said) => text(said) !== said)

  /** Whether an object shows a secret, but for what the objects in it show. */
  const shows = (value: object, inside: Inside, all: ReadonlyArray<unknown>): boolean =>
    (inside.bytes !== undefined && bytes(inside.bytes) !== inside.bytes) ||
    all.some((child) => !isOpen(child) && simple(child) !== child) ||
    (inside.kind !== "bytes" && showsText(value))

  const masked = (value: unknown): unknown => maskedWithin(value, { left: most })

  const maskedWithin = (value: unknown, budget: Budget): unknown => {
    if (!isOpen(value)) return simple(value)
    const search = searched(value, shows, budget)
    const within = (inner: unknown) => maskedWithin(inner, budget)
    return search.found.has(value)
      ? copyOf(value, search, { simple, text, bytes, showsText, masked: within })
      : value
  }

  // Both overloads: `simple` gives a text for a text.
  return masked as Mask
}

/** Getters can give ever new objects: what is still not seen after so many is hidden. */
interface Budget {
  left: number
}
const most = 1_000_000

export interface Search {
  readonly insides: ReadonlyMap<object, Inside>
  /** Those that show something or hold one that does. */
  readonly found: ReadonlySet<object>
  /** Those that nobody has looked into. */
  readonly unseen: ReadonlySet<object>
}

const searched = (
  root: object,
  shows: (value: object, inside: Inside, all: ReadonlyArray<unknown>) => boolean,
  budget: Budget
): Search => {
  const insides = new Map<object, Inside>()
  const holders = new Map<object, Array<object>>()
  const known = new Set<object>()
  const found = new Set<object>()
  const unseen = new Set<object>()
  const open = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (known.has(value)) continue
    known.add(value)
    if (budget.left-- <= 0) {
      unseen.add(value)
      found.add(value)
      continue
    }
    const inside = insideOf(value)
    if (inside === undefined) continue
    insides.set(value, inside)
    const all = children(inside)
    if (shows(value, inside, all)) found.add(value)
    for (const child of all) {
      if (!isOpen(child)) continue
      const others = holders.get(child)
      if (others === undefined) holders.set(child, [value])
      else others.push(value)
      open.push(child)
    }
  }
  // What is added meanwhile has its turn, too.
  for (const value of found) for (const holder of holders.get(value) ?? []) found.add(holder)
  return { insides, found, unseen }
}
