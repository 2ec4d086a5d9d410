/** Media types, and which of several is taken. */
import { each, type Place } from "./place.ts"

/** How a body is written. */
export type Kind = "json" | "form" | "text"

export interface Media {
  readonly type: string
  readonly kind: Kind
  readonly place: Place
}

/** A media type without its parameters. */
export const essence = (type: string): string => type.split(";", 1)[0]!.trim().toLowerCase()

export const isJsonType = (type: string): boolean =>
  /^(application|text)\/([\w.+-]+\+)?json$/.test(essence(type))

/** The first of the kinds, best first. What is anything is JSON. */
const request: ReadonlyArray<readonly [Kind, (type: string) => boolean]> = [
  ["json", (type) => type === "application/json"],
  ["json", (type) => type === "application/merge-patch+json"],
  // A JSON patch is the least likely of those that are offered beside each other to be what the schema describes.
  ["json", (type) => isJsonType(type) && type !== "application/json-patch+json"],
  ["json", isJsonType],
  ["json", (type) => type === "*/*" || type === "application/*"],
  ["form", (type) => type === "application/x-www-form-urlencoded"],
  ["text", (type) => type.startsWith("text/") && type !== "text/xml" && type !== "text/event-stream"]
]

const response: typeof request = [
  ["json", (type) => type === "application/json"],
  ["json", isJsonType],
  ["json", (type) => type === "*/*" || type === "application/*"],
  ["text", (type) => type === "text/plain"],
  ["text", (type) => type.startsWith("text/") && type !== "text/event-stream"],
  ["text", (type) => /^application\/([\w.+-]+\+)?(xml|yaml|x-yaml|x-ndjson)$/.test(type)]
]

const preferences = { request, response }

/** The media type of a `content` that is taken, if one of them can be. */
export const chosenMedia = (content: Place, direction: "request" | "response"): Media | undefined => {
  const offered = each(content)
  for (const [kind, fits] of preferences[direction]) {
    const found = offered.find(([type]) => fits(essence(type)))
    if (found !== undefined) return { type: found[0], kind, place: found[1] }
  }
  return undefined
}

/** The media types of a `content`, in words. */
export const offeredTypes = (content: Place): string => {
  const types = each(content).map(([type]) => type)
  return types.length <= 4 ? types.join(", ") : `${types.slice(0, 4).join(", ")} and ${types.length - 4} more`
}
