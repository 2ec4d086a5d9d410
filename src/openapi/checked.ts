/** Arguments of a call: checked before anything is sent, so that whatever they hold can be written into a request. */
import { Effect, Predicate } from "effect"
import type { ModelRetry } from "../ToolSignal.ts"
import { isHeaderValue } from "../rest/headers.ts"
import { type Slashes, valueProblem } from "../rest/path.ts"
import { invalidArguments } from "../toolset/invalidArguments.ts"
import { problemWith } from "../toolset/jsonArguments.ts"
import type { Decoded } from "../toolset/model.ts"
import { type Arguments, groups } from "./argumentsOf.ts"
import { chosenNames, namesInForm, namesProblems } from "./chosenNames.ts"
import type { Parameter } from "./parameters.ts"
import { type Fields, isFields } from "./place.ts"
import { formFields, headerText } from "./styles.ts"

/** What is known about the arguments of an operation. */
export interface Checks {
  readonly parameters: ReadonlyArray<Parameter>
  readonly arguments: Arguments
  readonly isJsonBody: boolean
  /** The `encoding` of a body that is a form. */
  readonly encoding: Fields | undefined
  /** Names that stand in the query, or may: no value can choose one of them. */
  readonly queryNames: ReadonlyArray<string>
}

/** Takes the arguments as they are, but for nulls in the place of what may be left out. */
export const checking =
  (checks: Checks, slashes: Slashes) =>
  (raw: unknown): Effect.Effect<Decoded, ModelRetry> =>
    Effect.gen(function* () {
      const { arguments: schemas, isJsonBody, parameters } = checks
      const value = withoutNulls(raw, parameters)
      const checked = yield* Effect.forEach(schemas.parts(), ({ of, schema }) => {
        const part = of(value)
        return part === undefined ? Effect.undefined : problemWith(part, schema)
      })
      const unsuited = checked.filter((problem) => problem !== undefined)
      if (unsuited.length > 0) return yield* invalidArguments(unsuited.join("\n"))
      // The schemas have an object root, but another validator may think otherwise.
      if (!isFields(value)) return yield* invalidArguments("they are no object")
      const args = value
      const unwritable = parameters.flatMap((parameter) => problemsOf(parameter, args, slashes))
      if (!isJsonBody && !isWellFormed(args.request_body))
        unwritable.push("request_body is not well-formed Unicode.")
      unwritable.push(...clashesIn(checks, args))
      if (unwritable.length > 0) return yield* invalidArguments(unwritable.join("\n"))
      return { value: args, raw, encoded: () => Effect.succeed(args) }
    })

const clashesIn = (checks: Checks, args: Fields): ReadonlyArray<string> => {
  const { arguments: schemas, encoding, parameters, queryNames } = checks
  const given = (place: "path" | "query") =>
    parameters.flatMap((parameter) =>
      parameter.in === place
        ? [[parameter, valueOf(parameter, args), `${groups[place]}.${parameter.name}`] as const]
        : []
    )
  const query = given("query")
  const form = formFields(encoding && args.request_body, encoding ?? {}).map(
    ([field, value]) => [field, value, `request_body.${field.name}`] as const
  )
  const formNames = form.some(([field, value]) => chosenNames(field, value).length > 0)
    ? [...namesInForm(schemas.body?.()), ...form.map(([{ name }]) => name)]
    : []
  const path = given("path")
  return [
    ...namesProblems(
      path,
      path.map(([{ name }]) => name)
    ),
    ...namesProblems(query, queryNames),
    ...namesProblems(form, formNames)
  ]
}

/** The value that the model gave for a parameter. */
export const valueOf = (parameter: Parameter, args: Fields): unknown => {
  const group = parameter.in === "cookie" ? undefined : args[groups[parameter.in]]
  return isFields(group) && Object.hasOwn(group, parameter.name) ? group[parameter.name] : undefined
}

/** Models write null for what they leave out. */
const withoutNulls = (raw: unknown, parameters: ReadonlyArray<Parameter>): unknown => {
  if (!isFields(raw)) return raw
  const optional = new Set(
    parameters.flatMap((parameter) =>
      parameter.required || parameter.in === "cookie" ? [] : `${groups[parameter.in]} ${parameter.name}`
    )
  )
  const cleaned = ([key, value]: readonly [string, unknown]): ReadonlyArray<readonly [string, unknown]> => {
    if (!groupNames.has(key)) return [[key, value]]
    if (!isFields(value)) return value === null ? [] : [[key, value]]
    const kept = Object.entries(value).filter(
      ([name, item]) => item !== null || !optional.has(`${key} ${name}`)
    )
    return [[key, Object.fromEntries(kept)]]
  }
  return Object.fromEntries(Object.entries(raw).flatMap(cleaned))
}

const groupNames: ReadonlySet<string> = new Set(Object.values(groups))

const problemsOf = (parameter: Parameter, args: Fields, slashes: Slashes): ReadonlyArray<string> => {
  const value = valueOf(parameter, args)
  const problem = problemOf(parameter, value, slashes)
  if (problem === undefined || parameter.in === "cookie") return []
  return [`${groups[parameter.in]}.${parameter.name} ${problem}`]
}

const problemOf = (parameter: Parameter, value: unknown, slashes: Slashes): string | undefined => {
  if (!isWellFormed(value)) return "is not well-formed Unicode."
  if (parameter.in === "header") {
    return value === undefined || value === null || isHeaderValue(headerText(parameter, value))
      ? undefined
      : "has characters that no header can have."
  }
  if (parameter.in !== "path") return undefined
  if (value === null || value === undefined) return "must not be empty."
  const texts = Predicate.isObjectOrArray(value) ? Object.values(value) : [value]
  if (texts.length === 0) return "must not be empty."
  if (Predicate.isObjectOrArray(value)) {
    return slashes === "refuse" && texts.some((text) => /[/\\]/.test(String(text)))
      ? "must not contain a slash."
      : undefined
  }
  return valueProblem(String(value), slashes)
}

const isWellFormed = (value: unknown): boolean =>
  Predicate.isString(value)
    ? value.isWellFormed()
    : !Predicate.isObjectOrArray(value) ||
      Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item))
