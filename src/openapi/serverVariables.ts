/** Variables in the URLs of servers: what the configuration gives for them stays where they are. */
import { Predicate, Result } from "effect"
import type { Located } from "./operations.ts"
import { below, type Document, each, type Fault, faultAt, items, type Place } from "./place.ts"

/** A variable of a server, and the values that it may have. */
export interface ServerVariable {
  readonly name: string
  readonly values: ReadonlyArray<string> | undefined
}

/** The variables of all servers of a document. */
export const variablesOf = (
  document: Document,
  located: ReadonlyArray<Located>
): ReadonlyArray<ServerVariable> =>
  [...new Set([document.root, ...located.flatMap(({ pathItem, place }) => [place, pathItem])])]
    .flatMap((owner) => items(below(owner, "servers")))
    .flatMap((server) => each(below(server, "variables")))
    .map(([name, variable]) => ({ name, values: valuesOf(variable) }))

const valuesOf = (variable: Place): ServerVariable["values"] => {
  const values = items(below(variable, "enum")).flatMap(({ value }) =>
    Predicate.isObjectOrArray(value) ? [] : String(value)
  )
  return values.length === 0 ? undefined : values
}

/** What the document lists, or what can only be what it stands for. */
export const isAllowed = (value: string, { values }: Pick<ServerVariable, "values">): boolean =>
  values === undefined ? !/[/\\@#?%\s\p{Cc}]|^\.{1,2}$/u.test(value) : values.includes(value)

/** The URL of a server with its variables filled in. */
export const filledIn = (
  server: Place,
  given: Readonly<Record<string, string>>
): Result.Result<string | undefined, Fault> => {
  const { value: url } = below(server, "url")
  if (!Predicate.isString(url)) return Result.succeed(undefined)
  const variables = below(server, "variables")
  const names = Array.from(url.matchAll(template), ([, name]) => name!)
  const refused = names.find(
    (name) =>
      Object.hasOwn(given, name) && !isAllowed(given[name]!, { values: valuesOf(below(variables, name)) })
  )
  return refused === undefined
    ? Result.succeed(
        url.replaceAll(template, (whole, name: string) =>
          Object.hasOwn(given, name) ? given[name]! : defaultOf(below(variables, name), whole)
        )
      )
    : Result.fail(faultAt(server, `its server cannot have the ${refused} '${given[refused]}'`))
}

const template = /\{([^{}]+)\}/g

const defaultOf = (variable: Place, otherwise: string): string => {
  const { value } = below(variable, "default")
  return Predicate.isString(value) || Predicate.isNumber(value) ? String(value) : otherwise
}
