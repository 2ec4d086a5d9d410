/**
 * Values in paths, so that none of them can reach another path: percent-encoded, and refused where encoding does not help.
 */
import { Result } from "effect"

/** A path as the API declares it: segments of literal text and of parameters. */
export type Template = ReadonlyArray<Segment>
export type Segment = ReadonlyArray<string | Parameter>
export interface Parameter {
  readonly name: string
}

/**
 * What becomes of a slash in a value: `refuse`, or `encode` it, for servers of which one parameter takes a whole path.
 */
export type Slashes = "refuse" | "encode"

/** Percent-encoded, but for the characters that never mean anything in a URL; fails where it is not well-formed Unicode. */
export const encoded = (text: string): Result.Result<string, string> =>
  text.isWellFormed() ? Result.succeed(percentEncoded(text)) : Result.fail("is not well-formed Unicode.")

/** The same, of a text that is well-formed. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, asPercent)

const asPercent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** What is wrong with a value for a path, as text. */
export const valueProblem = (text: string, slashes: Slashes): string | undefined => {
  if (text === "") return "must not be empty."
  if (!text.isWellFormed()) return "is not well-formed Unicode."
  const parts = text.split(/[/\\]/)
  if (slashes === "refuse" && parts.length > 1) return `must not contain a slash: ${JSON.stringify(text)}.`
  return parts.some(leadsElsewhere)
    ? `must not have an empty, "." or ".." part: ${JSON.stringify(text)}.`
    : undefined
}

/** Whether a part of a path is none. Servers that decode before they normalise see a slash in an encoded one. */
export const leadsElsewhere = (part: string): boolean => part === "" || part === "." || part === ".."

/**
 * A path with its values in place. `values` are encoded already, and each is a whole answer to its parameter; one that is
 * not there leaves its parameter out, and with it an otherwise empty segment. What the values make of a segment is
 * checked as a whole.
 */
export const filled = (
  template: Template,
  values: ReadonlyMap<string, string>
): Result.Result<string, string> => {
  const segments: Array<string> = []
  for (const segment of template) {
    const text = segment
      .map((part) => (typeof part === "string" ? part : (values.get(part.name) ?? "")))
      .join("")
    if (segment.some((part) => typeof part !== "string")) {
      if (segment.every((part) => typeof part !== "string" && !values.has(part.name))) continue
      if (text.split(/%2f|%5c/i).some(leadsElsewhere)) {
        return Result.fail(`The path segment ${JSON.stringify(text)} has an empty, "." or ".." part.`)
      }
    }
    segments.push(text)
  }
  return Result.succeed(segments.join("/"))
}
