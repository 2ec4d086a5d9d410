/** Which tools a flag is about, in the words of whoever typed it. */
import { Result } from "effect"
import { methods } from "../openapi/operations.ts"
import { CommandFailed } from "./CommandFailed.ts"

/** What a selector looks at. What has no name cannot be a tool. */
export interface Selectable {
  readonly name: string | undefined
  readonly method: string
  readonly path: string
  readonly group: string
}

/**
 * Whether any of the texts of a flag selects a tool: a method (`GET`), a path (`/users/*`), both (`GET /users/*`), or else
 * a name or a group; `*` stands for anything. One that selects nothing is a mistake, and most of all where it should have
 * kept something away; a method alone is none.
 */
export const selecting = (
  flag: string,
  texts: ReadonlyArray<string>,
  all: ReadonlyArray<Selectable>
): Result.Result<(one: Selectable) => boolean, CommandFailed> => {
  const selectors = texts.map(selector)
  const idle = texts.findIndex((text, i) => !isMethod(text) && !all.some(selectors[i]!))
  return idle === -1
    ? Result.succeed((one) => selectors.some((selects) => selects(one)))
    : Result.fail(
        new CommandFailed({ problem: `--${flag} '${texts[idle]}' selects nothing.`, hint: choices(all) })
      )
}

const isMethod = (text: string): boolean => methods.some((method) => method.toUpperCase() === text.trim())

const selector = (given: string): ((one: Selectable) => boolean) => {
  const text = given.trim()
  const [, method, path] = /^([A-Z]+)? *(\/.*)?$/.exec(text) ?? []
  // A name or a group may be in capitals, too.
  if (path !== undefined || (method !== undefined && isMethod(method))) {
    const isPath = path === undefined ? undefined : glob(path)
    return (one) => (method === undefined || one.method === method) && (isPath?.(one.path) ?? true)
  }
  const isIt = glob(text)
  return ({ group, name }) => isIt(group) || (name !== undefined && isIt(name))
}

const glob = (text: string): ((text: string) => boolean) => {
  const parts = text.split("*").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  const pattern = new RegExp(`^${parts.join(".*")}$`, "s")
  return (text) => pattern.test(text)
}

const choices = (all: ReadonlyArray<Selectable>): string => {
  const names = all.flatMap(({ name }) => name ?? [])
  return `There are the groups ${listed(all.map(({ group }) => group))}; the names ${listed(names)}.`
}

const listed = (all: ReadonlyArray<string>): string => {
  const texts = [...new Set(all)].map((text) => `'${text}'`)
  const more = texts.length > longest ? ` and ${texts.length - longest} more` : ""
  return `${texts.slice(0, longest).join(", ")}${more}`
}

/** The most names that an error lists. */
const longest = 20
