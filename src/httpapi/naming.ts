/** What endpoints are called, where nobody says. */
import { toolName } from "../rest/toolName.ts"
import type { Endpoint } from "./options.ts"

/**
 * Method, group and path: `GET /users/:user_id` in `users` is `get_users_user_id`. The group is left out where the path
 * names it.
 */
export const endpointName = (
  { group, method, path }: Endpoint,
  options: { readonly isTopLevel: boolean }
): string => {
  const words = segmentsOf(path).map(word)
  const isNamed = options.isTopLevel || words.includes(word(group))
  const name = [method.toLowerCase(), ...(isNamed ? [] : [word(group)]), ...words]
  return toolName(
    (words.length === 0 && isNamed ? [...name, "root"] : name).filter((part) => part !== "").join("_")
  )
}

const segmentsOf = (path: string): ReadonlyArray<string> =>
  withoutPatterns(path)
    .split("/")
    .filter((segment) => segment !== "")

const word = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")

/** A path without the regular expressions that its parameters have to match. */
export const withoutPatterns = (path: string): string => {
  let depth = 0
  let text = ""
  for (const character of path) {
    if (character === "(") depth++
    if (depth === 0) text += character
    if (character === ")" && depth > 0) depth--
  }
  return text
}
