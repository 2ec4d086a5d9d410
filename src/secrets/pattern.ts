/**
 * How secrets look in text: as they are, and as JSON, URLs and base64 write them, also where they do so more than once or
 * for some characters only.
 */

/** Where secrets stand in a text. */
export interface Finder {
  /** Whether there is any; that is found out faster than where they are. */
  readonly any: RegExp
  /**
   * Matches at every place at which one begins, also inside of another one; its first group is as far as it goes. Of two
   * that begin at one place the longer one is found.
   */
  readonly each: RegExp
}

export interface Pattern {
  readonly text: Finder
  /** In bytes, each of which is a character. */
  readonly bytes: Finder
}

export const patternOf = (secrets: ReadonlyArray<string>): Pattern => {
  const all = (literal: (character: string) => string): Finder => {
    const forms = secrets.flatMap((secret) => [
      { length: secret.length, source: written(secret, literal) },
      ...base64(secret)
    ])
    const longestFirst = forms.toSorted((a, b) => b.length - a.length)
    const source = longestFirst.map((form) => form.source).join("|")
    return { any: new RegExp(source), each: new RegExp(`(?=(${source}))`, "g") }
  }
  return { text: all((character) => character), bytes: all((character) => fromBytes(utf8(character))) }
}

/** Each byte as the character of its number. */
export const fromBytes = (bytes: Uint8Array): string => {
  let text = ""
  for (let start = 0; start < bytes.length; start += atOnce) {
    text += String.fromCharCode(...bytes.subarray(start, start + atOnce))
  }
  return text
}

/** As many as a function takes. */
const atOnce = 8192

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const written = (secret: string, literal: (character: string) => string): string =>
  Array.from(secret, (character) =>
    /[a-zA-Z0-9]/.test(character)
      ? character
      : `(?:${[...inJson(character), ...inUrl(character), quoted(literal(character))].join("|")})`
  ).join("")

/** JSON inside JSON has more backslashes; more than three levels deep nobody writes it. */
const backslashes = "\\\\{1,8}"

const inJson = (character: string): ReadonlyArray<string> => {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
  const unicode = units.map((unit) => `${backslashes}u${anyCase(hex(unit, 4))}`).join("")
  const short = shortEscapes.get(character)
  return [unicode, ...(short === undefined ? [] : [`${backslashes}${short}`])]
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["/", "/"],
  ["\b", "b"],
  ["\f", "f"],
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
  ["\\", ""]
])

/** A percent sign that is encoded once more is `%25`. */
const inUrl = (character: string): ReadonlyArray<string> => [
  Array.from(utf8(character), (byte) => `%(?:25){0,3}${anyCase(hex(byte, 2))}`).join(""),
  ...(character === " " ? ["\\+"] : [])
]

/**
 * The secret may stand anywhere in what was encoded, so there are three ways to cut it into groups of six bits. The
 * characters at its ends may hold bits of its neighbours, too.
 */
const base64 = (secret: string): ReadonlyArray<{ readonly length: number; readonly source: string }> => {
  const bytes = utf8(secret)
  return [0, 1, 2].map((before) => {
    const shifted = new Uint8Array(before + bytes.length)
    shifted.set(bytes, before)
    const whole = btoa(fromBytes(shifted)).slice(
      Math.ceil((before * 8) / 6),
      Math.floor((shifted.length * 8) / 6)
    )
    const start = before === 0 ? "" : `${sextet}?`
    const end = shifted.length % 3 === 0 ? "" : `(?:${sextet}=*)?`
    const source = `${start}${whole.replaceAll(/[+/]/g, (character) => urlSafe[character as "+" | "/"])}${end}`
    return { length: whole.length, source }
  })
}

const sextet = "[A-Za-z0-9+/_-]"

/** The same in the alphabet for URLs, and in the other one when it is encoded for a URL. */
const urlSafe = { "+": "(?:[+-]|%2[bB])", "/": "(?:[/_]|%2[fF]|\\\\/)" }

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0")

const anyCase = (digits: string): string =>
  digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

const quoted = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
