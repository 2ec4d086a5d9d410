/** The parameters of an operation: what its path and the operation itself declare, references followed. */
import { Predicate, Result } from "effect"
import { isHeaderName } from "../rest/headers.ts"
import { type Located, objectAt } from "./operations.ts"
import {
  below,
  type Document,
  each,
  type Fault,
  faultAt,
  inWords,
  items,
  memoizedByValue,
  type Place,
  textAt
} from "./place.ts"

export type In = "path" | "query" | "header" | "cookie"

export type Style = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject"

export interface Parameter {
  readonly in: In
  readonly name: string
  readonly required: boolean
  readonly style: Style
  readonly explode: boolean
  /** Its value is written as a JSON document. */
  readonly isJson: boolean
  readonly allowReserved: boolean
  readonly description: string | undefined
  readonly schema: Place
  readonly place: Place
}

export type ParametersOf = (located: Located) => Result.Result<ReadonlyArray<Parameter>, Fault>

/**
 * Of the operations of a document: one parameter for each place and name, the operation's own before those of its path.
 */
export const parametersIn = (document: Document): ParametersOf => {
  const read = memoizedByValue(parameterAt)
  return ({ operation, pathItem, place }) =>
    Result.gen(function* () {
      const found = new Map<string, Parameter>()
      for (const declared of [
        ...items(below(pathItem, "parameters")),
        ...items(below(place, "parameters"))
      ]) {
        const parameter = yield* read(yield* objectAt(document, declared, "the parameter"))
        found.set(`${parameter.in} ${nameKey(parameter)}`, parameter)
      }
      const named = templateNames(operation.path)
      for (const name of named) {
        if (!found.has(`path ${name}`)) found.set(`path ${name}`, undeclared(name, place))
      }
      return [...found.values()].filter((parameter) => parameter.in !== "path" || named.has(parameter.name))
    })
}

/** Names of headers are the same in any case. */
const nameKey = (parameter: Parameter): string =>
  parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name

/** The parameters that a path has room for, its query included. */
const templateNames = (path: string): ReadonlySet<string> =>
  new Set(Array.from(path.replace(/#.*$/s, "").matchAll(/\{([^{}]+)\}/g), ([, name]) => name!))

const undeclared = (name: string, place: Place): Parameter => ({
  in: "path",
  name,
  required: true,
  style: "simple",
  explode: false,
  isJson: false,
  allowReserved: false,
  description: undefined,
  schema: { ...place, value: { type: "string" } },
  place
})

/** The styles of each place, the default first. */
const styles: Record<In, ReadonlyArray<Style>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"]
}

const isIn = (value: unknown): value is In => Predicate.isString(value) && Object.hasOwn(styles, value)

/** Whether a request can have it there. */
const isName = (name: string, where: In): boolean =>
  where === "header" || where === "cookie" ? isHeaderName(name) : name !== "" && name.isWellFormed()

const parameterAt = (place: Place): Result.Result<Parameter, Fault> => {
  const field = (key: string): unknown => below(place, key).value
  const where = field("in")
  const name = field("name")
  if (!isIn(where) || !Predicate.isString(name) || !isName(name, where)) {
    const reason = `a parameter has the place ${inWords(where)} and the name ${inWords(name)}`
    return Result.fail(faultAt(place, reason))
  }
  const style = styles[where].find((style) => style === field("style")) ?? styles[where][0]!
  const [content] = each(below(place, "content"))
  return Result.succeed({
    in: where,
    name,
    required: where === "path" || field("required") === true,
    style,
    explode: Predicate.isBoolean(field("explode")) ? field("explode") === true : style === "form",
    isJson: content !== undefined && !content[0].startsWith("text/"),
    allowReserved: field("allowReserved") === true,
    description: textAt(place, "description"),
    schema: content === undefined ? below(place, "schema") : below(content[1], "schema"),
    place
  })
}
