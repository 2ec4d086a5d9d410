/**
 * Ids of calls as requests have them: the ids that models gave, from the outermost call inwards, with `/` between them.
 * A provider may put that into an id of its own: it is written as in a JSON Pointer (RFC 6901).
 */

/** The id of a call as a part of a path. */
export const segment = (id: string): string => id.replaceAll("~", "~0").replaceAll("/", "~1")

/** The id that a part of a path stands for. */
export const idOf = (segment: string): string => segment.replaceAll("~1", "/").replaceAll("~0", "~")

/** What is inside of a call. */
export const below = (outer: string, inner: string): string => `${outer}/${inner}`

/** Whether a call is inside of another one. */
export const isBelow = (id: string, outer: string): boolean => id.startsWith(below(outer, ""))

/** Whether a call is inside of any other one. */
export const isNested = (id: string): boolean => id.includes("/")
