/** Hides secrets in texts. */
import type { Finder, Place } from "./finder.ts"
import type { Finders } from "./known.ts"

export const hidden = "***"

/** Texts, and bytes of which each is a character. */
export interface TextMask {
  readonly text: (text: string) => string
  readonly bytes: (bytes: string) => string
}

export const textMaskOf = (finders: ReadonlyArray<Finders>): TextMask => {
  const inText: Finder = (text) => finders.flatMap((find) => find.text(text))
  const inBytes: Finder = (bytes) => finders.flatMap((find) => find.bytes(bytes))
  const bytes = settled((bytes) => without(bytes, inBytes(bytes)))
  const text = settled((text) => {
    // A file stays one: it is decoded again by whoever gets it.
    if (text.length % 4 === 0 && isBase64(text)) {
      const file = atob(text)
      const masked = bytes(file)
      if (masked !== file) return btoa(masked)
    }
    const encoded = base64Inside(text).filter(
      ({ end, start }) => inBytes(fromBase64(text.slice(start, end))).length > 0
    )
    return without(text, [...inText(text), ...encoded])
  })
  return { text, bytes }
}

/** No secret is shorter. */
export const shortest = 6

/**
 * Until nothing is left: what stays may be a secret again, since one can hold `***`. Where that goes on and on, nothing
 * stays.
 */
const settled = (pass: (text: string) => string): ((text: string) => string) => {
  // The same names stand in object after object.
  const clean = new Set<string>()
  return (text) => {
    if (text.length < shortest || clean.has(text)) return text
    let last = text
    for (let passes = 0; passes < 16; passes++) {
      const next = pass(last)
      if (next === last) {
        if (next === text && text.length <= 64 && clean.size < 1000) clean.add(text)
        return next
      }
      last = next
    }
    return hidden
  }
}

/** Those that overlap or touch are hidden as one: of none of them is a part left over. */
const without = (text: string, found: ReadonlyArray<Place>): string => {
  let kept = ""
  let from = 0
  let isOpen = false
  for (const { end, start } of found.toSorted((a, b) => a.start - b.start)) {
    if (!isOpen || start > from) kept += text.slice(from, start) + hidden
    isOpen = true
    from = Math.max(from, end)
  }
  return kept + text.slice(from)
}

const isBase64 = (text: string): boolean => {
  const end = text.length - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0)
  return end >= leastBase64 && !/[^A-Za-z0-9+/]/.test(text.slice(0, end))
}

/**
 * Where something may be encoded: text that is may be escaped before. Its end is looked for, since an expression that
 * matches all of a file is more than an engine takes.
 */
const base64Inside = (text: string): ReadonlyArray<Place> => {
  const start = /[A-Za-z0-9+/_-]{8}/g
  const stop = /[^A-Za-z0-9+/_-]/g
  const places: Array<Place> = []
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    stop.lastIndex = start.lastIndex
    let end = stop.exec(text)?.index ?? text.length
    for (let padding = 0; padding < 2 && text[end] === "="; padding++) end++
    places.push({ start: found.index, end })
    start.lastIndex = end
  }
  return places
}

/** What is shorter holds no secret. */
const leastBase64 = 8

const fromBase64 = (text: string): string => {
  const whole = text.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "")
  // One character too many holds no byte.
  return atob(whole.length % 4 === 1 ? whole.slice(0, -1) : whole)
}
