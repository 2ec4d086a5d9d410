/** The copy of a value in which nothing shows a secret. */
import { define, emptyCopy, fill } from "./copies.ts"
import { type Inside, iteratedIn, jsonOf } from "./graph.ts"
import type { Masking, Search } from "./mask.ts"
import { isOpen, messageOf, read, textOf } from "./reading.ts"
import { hidden } from "./text.ts"

export const copyOf = (
  value: object,
  { found, insides, unseen }: Search,
  { bytes, masked, showsText, simple, text }: Masking
): unknown => {
  /** What stands for objects that cannot be copied. */
  const others = new Map<object, unknown>(Array.from(unseen, (one) => [one, hidden]))
  const isShown = (given: unknown): boolean => masked(given) !== given

  for (;;) {
    const copies = new Map<object, unknown>()
    for (const one of found) {
      copies.set(one, others.has(one) ? others.get(one) : emptyCopy(one, insides.get(one)!, bytes))
    }
    const now = (child: unknown): unknown =>
      isOpen(child) ? (copies.has(child) ? copies.get(child) : child) : simple(child)
    const copied = Array.from(found).flatMap((one) => {
      const copy = copies.get(one)
      return others.has(one) || !isOpen(copy) ? [] : [{ one, copy, inside: insides.get(one)! }]
    })
    for (const { copy, inside, one } of copied) fill(copy, one, inside, now)
    for (const { copy, inside, one } of copied) {
      mend(copy, inside, now, isShown)
      const message = copy instanceof Error ? messageOf(copy) : undefined
      if (message !== undefined && text(message) !== message) define(copy, "message", text(message), false)
      const iterated = inside.iterated === undefined ? undefined : iteratedIn(copy)
      if (showsText(copy) || saysLess(copy, one, inside) || isShown(jsonOf(copy)) || isShown(iterated)) {
        others.set(one, instead(one, inside, masked, text))
      }
    }
    if (!copied.some(({ copy, one }) => others.has(one) && others.get(one) !== copy)) return copies.get(value)
  }
}

/** What a getter cannot say of a copy, or what it still shows, the copy has itself. */
const mend = (
  copy: object,
  { inherited }: Inside,
  now: (value: unknown) => unknown,
  isShown: (value: unknown) => boolean
): void => {
  for (const [key, was] of inherited) {
    const is = read(copy, key)
    const isLost = is === undefined && was !== undefined
    // Printing it would fail where it asks for what the copy has lost.
    if (isLost && read(copy, printing) !== undefined) define(copy, printing, undefined, false)
    if (is === was ? now(was) !== was : isLost || isShown(is)) define(copy, key, now(was), false)
  }
}

const printing = Symbol.for("nodejs.util.inspect.custom")

/** For what still shows a secret when all that it holds is hidden: what it says, without. */
const instead = (
  value: object,
  { iterated, json }: Inside,
  masked: Masking["masked"],
  text: Masking["text"]
): unknown =>
  json !== undefined
    ? masked(json)
    : iterated !== undefined
      ? masked(iterated)
      : text(textOf(value) ?? hidden)

/** What a copy cannot say any more it would fail to say. */
const saysLess = (copy: object, original: object, { iterated, json }: Inside): boolean =>
  (json !== undefined && jsonOf(copy) === undefined) ||
  (iterated !== undefined && iteratedIn(copy) === undefined) ||
  (textOf(original) !== undefined && textOf(copy) === undefined)
