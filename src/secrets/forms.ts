/**
 * How a secret looks in text: as it is, and as JSON, URLs and base64 write it, also where they do so more than once or for
 * some characters only.
 */
import { fromBytes } from "./bytes.ts"

/** Regular expressions that match one after the other: at some length none can be made of all of it. */
export interface Form {
  /** The least that the first one matches. */
  readonly length: number
  readonly parts: ReadonlyArray<string>
}

export const inText = (secret: string): ReadonlyArray<Form> => forms(secret, (character) => character)

/** In bytes, each of which is a character. */
export const inBytes = (secret: string): ReadonlyArray<Form> =>
  forms(secret, (character) => fromBytes(utf8(character)))

const forms = (secret: string, literal: (character: string) => string): ReadonlyArray<Form> => {
  const known = new Map<string, string>()
  const write = (character: string): string => {
    const form = known.get(character) ?? written(character, literal)
    known.set(character, form)
    return form
  }
  return [inParts(Array.from(secret), write), ...base64(secret)]
}

/** A part ends where the next one begins with a letter or digit: those are written in one way. */
const inParts = (
  characters: ReadonlyArray<string>,
  write: (character: string) => string,
  before = ""
): Form => {
  const parts: Array<string> = []
  let part = before
  let length = 0
  for (const character of characters) {
    if (length >= partLength && alphanumeric.test(character)) {
      parts.push(part)
      part = ""
      length = 0
    }
    part += write(character)
    length++
  }
  return { length: Math.min(characters.length, partLength), parts: [...parts, part] }
}

export const partLength = 100

const alphanumeric = /[a-zA-Z0-9]/

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const written = (character: string, literal: (character: string) => string): string =>
  alphanumeric.test(character)
    ? character
    : `(?:${[...inJson(character), ...inUrl(character), quoted(literal(character))].join("|")})`

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
const base64 = (secret: string): ReadonlyArray<Form> => {
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
    const { length, parts } = inParts(
      Array.from(whole),
      (character) => urlSafe.get(character) ?? character,
      start
    )
    return { length, parts: [...parts.slice(0, -1), `${parts.at(-1)}${end}`] }
  })
}

const sextet = "[A-Za-z0-9+/_-]"

/** The same in the alphabet for URLs, and in the other one when it is encoded for a URL. */
const urlSafe: ReadonlyMap<string, string> = new Map([
  ["+", "(?:[+-]|%2[bB])"],
  ["/", "(?:[/_]|%2[fF]|\\\\/)"]
])

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0")

const anyCase = (digits: string): string =>
  digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

const quoted = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
