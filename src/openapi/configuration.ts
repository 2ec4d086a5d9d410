/** Header and cookie parameters: who fills them, since the model does not. */
import { Predicate, Redacted, Result } from "effect"
import type { Configured, Options } from "./options.ts"
import type { Parameter } from "./parameters.ts"
import { below, type Document, type Fault, faultAt, type Place } from "./place.ts"
import type { Scheme, Schemes } from "./security.ts"

/** A header that goes with every request of an operation. */
export interface Fixed {
  readonly name: string
  readonly value: Configured
  /** Whether the operation asks for it itself, so that it is no credential unless it says so. */
  readonly isDeclared: boolean
}

export interface Configuration {
  /** What the model fills in. */
  readonly visible: ReadonlyArray<Parameter>
  readonly headers: ReadonlyArray<Fixed>
  readonly cookies: ReadonlyArray<Fixed>
  /** What to ask for in place of what the responses declare. */
  readonly accept: string | undefined
  /** A header that makes it harmless to send a request twice. */
  readonly idempotencyKey: string | undefined
}

type Given = Pick<Options, "cookies" | "headerParams" | "headers">

export const configured = (
  document: Document,
  parameters: ReadonlyArray<Parameter>,
  schemes: Schemes,
  options: Given
): Result.Result<Configuration, Fault> =>
  Result.gen(function* () {
    const { cookies = {}, headers = {} } = options
    const visible: Array<Parameter> = []
    const own = { header: new Map<string, Fixed>(), cookie: new Map<string, Fixed>() }
    let accept: string | undefined
    let idempotencyKey: string | undefined
    for (const parameter of parameters) {
      if (isKey(parameter, schemes)) continue
      if (parameter.in === "path" || parameter.in === "query") {
        visible.push(parameter)
        continue
      }
      const name = parameter.name.toLowerCase()
      if (parameter.in === "header" && isOfTheProtocol(name)) {
        if (name === "accept") accept = soleValue(document, parameter.schema)
        continue
      }
      const given = parameter.in === "header" ? headerNamed(headers, name) : cookies[parameter.name]
      if (parameter.in === "header" && given === undefined && isExposed(name, options)) {
        visible.push(parameter)
        continue
      }
      if (parameter.in === "header" && given === undefined && name === "idempotency-key") {
        idempotencyKey = parameter.name
        continue
      }
      const value = given ?? (parameter.required ? soleValue(document, parameter.schema) : undefined)
      if (value !== undefined) {
        own[parameter.in].set(parameter.in === "header" ? name : parameter.name, {
          name: parameter.name,
          value,
          isDeclared: true
        })
      } else if (parameter.required) return yield* Result.fail(unfilled(parameter))
    }
    return {
      visible,
      headers: [...own.header.values(), ...others(headers, (name) => own.header.has(name.toLowerCase()))],
      cookies: [...own.cookie.values(), ...others(cookies, (name) => own.cookie.has(name))],
      accept,
      idempotencyKey
    }
  })

/** Whether a security scheme fills it. */
const isKey = (parameter: Parameter, schemes: Schemes): boolean =>
  [...schemes.values()].some(
    (scheme) =>
      scheme !== undefined &&
      scheme.isKey &&
      scheme.in === parameter.in &&
      (scheme.in === "header"
        ? scheme.name.toLowerCase() === parameter.name.toLowerCase()
        : scheme.name === parameter.name)
  )

/** Documents that declare them as parameters mean what others say elsewhere. */
const isOfTheProtocol = (name: string): boolean =>
  name === "accept" || name === "content-type" || name === "authorization"

const isExposed = (name: string, { headerParams = false }: Given): boolean =>
  Predicate.isBoolean(headerParams)
    ? headerParams
    : headerParams.some((exposed) => exposed.toLowerCase() === name)

/** Whether the configuration gives a header or a cookie itself. */
export const isConfigured = (
  { in: where, name }: Pick<Scheme, "in" | "name">,
  { cookies = {}, headers = {} }: Given
): boolean =>
  where === "header"
    ? headerNamed(headers, name.toLowerCase()) !== undefined
    : where === "cookie" && Object.hasOwn(cookies, name)

const headerNamed = (headers: NonNullable<Given["headers"]>, name: string): Configured | undefined =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]

const others = (
  values: Readonly<Record<string, Configured>>,
  isDeclared: (name: string) => boolean
): ReadonlyArray<Fixed> =>
  Object.entries(values)
    .filter(([name]) => !isDeclared(name))
    .map(([name, value]) => ({ name, value, isDeclared: false }))

/** The value that a parameter has where nobody says anything: its only one, or its default. */
const soleValue = (document: Document, schema: Place): string | undefined => {
  const ref = below(schema, "$ref").value
  const place =
    ref === undefined ? schema : Result.getOrElse(document.schemaTarget(ref, schema), () => schema)
  const values = below(place, "enum").value
  const sole = Array.isArray(values) && values.length === 1 ? values[0] : undefined
  const value = below(place, "const").value ?? sole ?? below(place, "default").value
  return value === undefined || value === null || Predicate.isObjectOrArray(value) ? undefined : String(value)
}

const unfilled = (parameter: Parameter): Fault => {
  const option =
    parameter.in === "cookie" ? "`cookies`" : "`headers`, or let the model fill it in with `headerParams`"
  return faultAt(parameter.place, `it needs the ${parameter.in} '${parameter.name}': give it in ${option}`)
}

/** What may go to a place that is not trusted. */
export const isPublic = ({ isDeclared, value }: Fixed): boolean => isDeclared && !Redacted.isRedacted(value)

export const plainText = (value: Configured): string =>
  Redacted.isRedacted(value) ? Redacted.value(value) : value
