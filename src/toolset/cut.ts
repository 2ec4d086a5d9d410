/** Cutting values down to what a model can be expected to read. */
import { Predicate } from "effect"
import type { ToolReturn } from "../ToolReturn.ts"

/** How long a value may be; what is not given is not limited. */
export interface Limits {
  /** Of the list. */
  readonly maxItems?: number | undefined
  /** Of the whole value as JSON, in UTF-8; at least 128. */
  readonly maxBytes?: number | undefined
  /** Where the list is, in an object: names with dots between them. Default: the result is the list. */
  readonly path?: string | undefined
}

/** A note of what was left out fits into this. */
export const leastBytes = 128

/** Nothing, where the value is within its limits. */
export const cutValue = (value: unknown, limits: Limits): { readonly value: unknown } | undefined => {
  const { maxBytes = Infinity, maxItems = Infinity } = limits
  const list = listAt(value, keysOf(limits))
  const isLong = list !== undefined && list.items.length > maxItems
  const noted = isLong ? list.replacedBy(envelope(list.items, maxItems)) : value
  if (bytes(noted) <= maxBytes) return isLong ? { value: noted } : undefined
  const fewer =
    list === undefined ? undefined : fittingItems(list, Math.min(maxItems, list.items.length), maxBytes)
  return { value: fewer ?? cutText(value, maxBytes) }
}

/** Nothing, where the texts are within their limits. Files stay. */
export const cutParts = <Part extends { readonly type: string }>(
  parts: ReadonlyArray<Part>,
  { maxBytes = Infinity }: Limits
): ReadonlyArray<Part> | undefined => {
  const total = textBytes(parts)
  if (total <= maxBytes) return undefined
  let left = maxBytes
  return parts.flatMap((part): ReadonlyArray<Part> => {
    if (!isText(part)) return [part]
    const size = utf8(part.text)
    const room = left
    left = Math.max(0, left - size)
    if (size <= room) return [part]
    left = 0
    const note = ` [truncated: ${total} bytes in all]`
    const text = start(part.text, room - utf8(note), utf8)
    return room === 0
      ? []
      : [{ ...part, text: room < utf8(note) ? start(note, room, utf8) : `${text}${note}` }]
  })
}

/** How long a result is, and how long it may be, in words. */
export const sizeOf = (
  { content, modelOutput, value }: ToolReturn,
  limits: Limits
): { readonly is: string; readonly most: string } => {
  const { maxBytes, maxItems = Infinity } = limits
  const items = listAt(value, keysOf(limits))?.items.length ?? 0
  return items > maxItems
    ? { is: `${items} items`, most: `${maxItems}` }
    : {
        is: `${Math.max(bytes(value), textBytes(content), textBytes(modelOutput ?? []))} bytes`,
        most: `${maxBytes}`
      }
}

const keysOf = ({ path }: Limits): ReadonlyArray<string> => path?.split(".") ?? []

interface Found {
  readonly items: ReadonlyArray<unknown>
  /** The whole value, with something else in the place of the list. */
  readonly replacedBy: (other: unknown) => unknown
}

const listAt = (value: unknown, [key, ...keys]: ReadonlyArray<string>): Found | undefined => {
  if (key === undefined)
    return Array.isArray(value) ? { items: value, replacedBy: (other) => other } : undefined
  if (!Predicate.isObject(value) || !Object.hasOwn(value, key)) return undefined
  const fields = value as Readonly<Record<string, unknown>>
  const found = listAt(fields[key], keys)
  return found && { ...found, replacedBy: (other) => ({ ...fields, [key]: found.replacedBy(other) }) }
}

/** The first of a list that is too long, and how many there were. */
export const envelope = <A>(items: ReadonlyArray<A>, count: number) => ({
  items: items.slice(0, count),
  truncated: true,
  total_items: items.length,
  returned_items: count
})

/** Nothing, where not even an empty list fits. */
const fittingItems = ({ items, replacedBy }: Found, most: number, maxBytes: number): unknown => {
  let left = maxBytes - bytes(replacedBy({ ...envelope(items, 0), returned_items: most }))
  if (left < 0) return undefined
  let count = 0
  while (count < most) {
    left -= bytes(items[count]) + 1
    if (left < 0) break
    count++
  }
  return replacedBy(envelope(items, count))
}

const cutText = (value: unknown, maxBytes: number): unknown => {
  const text = Predicate.isString(value) ? value : JSON.stringify(value)
  const total = utf8(text)
  const note = { text: "", truncated: true, total_bytes: total, returned_bytes: total }
  const kept = start(text, maxBytes - bytes(note), (part) => bytes(part) - 2)
  return { ...note, text: kept, returned_bytes: utf8(kept) }
}

/** The start of a text that is no longer than that, in whole characters. */
const start = (text: string, most: number, size: (part: string) => number): string => {
  let left = most
  let end = 0
  for (const character of text) {
    left -= size(character)
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, end)
}

const utf8 = (text: string): number => new TextEncoder().encode(text).length

/** As JSON. */
const bytes = (value: unknown): number => utf8(JSON.stringify(value) ?? "null")

const isText = <Part extends { readonly type: string }>(
  part: Part
): part is Part & { readonly text: string } =>
  part.type === "text" && Predicate.hasProperty(part, "text") && Predicate.isString(part.text)

const textBytes = (parts: ReadonlyArray<{ readonly type: string }>): number =>
  parts.reduce((sum, part) => (isText(part) ? sum + utf8(part.text) : sum), 0)
