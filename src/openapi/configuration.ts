/** Header and cookie parameters: who fills them, since the model does not. */
import { Predicate, Redacted, Result } from "effect"
import { isOfTheClient, mayBeAsked } from "../rest/headers.ts"
import type { Configured, Options } from "./options.ts"
import type { Parameter } from "./parameters.ts"
import { below, type Document, type Fault, faultAt, type Place } from "./place.ts"
import type { Schemes } from "./security.ts"

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
    const visible: Array<Parameter> = []
    const own = { header: new Map<string, Fixed>(), cookie: new Map<string, Fixed>() }
    let idempotencyKey: string | undefined
    for (const parameter of parameters) {
      const filling = yield* fillingOf(document, parameter, schemes, options)
      if (filling === "model") visible.push(parameter)
      else if (filling === "call") idempotencyKey = parameter.name
      else if (filling !== "nobody") own[filling.in].set(keyOf(parameter), filling)
    }
    const isOther = (place: "header" | "cookie") => (fixed: Fixed) =>
      !own[place].has(keyOf({ ...fixed, in: place }))
    const accept = parameters.find((parameter) => parameter.in === "header" && keyOf(parameter) === "accept")
    return {
      visible,
      headers: [...own.header.values(), ...given(options.headers).filter(isOther("header"))],
      cookies: [...own.cookie.values(), ...given(options.cookies).filter(isOther("cookie"))],
      accept: accept === undefined ? undefined : soleValue(document, accept.schema),
      idempotencyKey
    }
  })

/** Names of headers are the same in any case. */
const keyOf = ({ in: where, name }: Pick<Parameter, "in" | "name">): string =>
  where === "header" ? name.toLowerCase() : name

/** Who fills in a parameter: the model, the id of the call, nobody, or a value that is known beforehand. */
type Filling = "model" | "call" | "nobody" | (Fixed & { readonly in: "header" | "cookie" })

const fillingOf = (
  document: Document,
  parameter: Parameter,
  schemes: Schemes,
  options: Given
): Result.Result<Filling, Fault> => {
  const { in: where, name, required, schema } = parameter
  if (isKey(parameter, schemes)) return Result.succeed("nobody")
  if (where === "path" || where === "query") return Result.succeed("model")
  const key = keyOf(parameter)
  if (where === "header" && isOfTheProtocol(key)) return Result.succeed("nobody")
  const configured = configuredValue(parameter, options)
  if (configured === undefined && where === "header") {
    if (isExposed(key, options)) return Result.succeed("model")
    if (key === "idempotency-key") return Result.succeed("call")
  }
  const value = configured ?? (required ? soleValue(document, schema) : undefined)
  if (value !== undefined) return Result.succeed({ in: where, name, value, isDeclared: true })
  return required ? Result.fail(unfilled(parameter)) : Result.succeed("nobody")
}

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

/** Documents that declare them as parameters mean what others say elsewhere, or what clients do by themselves. */
const isOfTheProtocol = (name: string): boolean => name === "authorization" || isOfTheClient(name)

const isExposed = (name: string, { headerParams = false }: Given): boolean =>
  mayBeAsked(name) &&
  (Predicate.isBoolean(headerParams)
    ? headerParams
    : headerParams.some((exposed) => exposed.toLowerCase() === name))

/** The value that the configuration itself gives for a header or a cookie. */
export const configuredValue = (
  place: Pick<Parameter, "in" | "name">,
  { cookies, headers }: Given
): Configured | undefined => {
  const values = place.in === "header" ? headers : place.in === "cookie" ? cookies : undefined
  return given(values).find(({ name }) => keyOf({ in: place.in, name }) === keyOf(place))?.value
}

/** What the configuration gives for whatever operation. */
const given = (values: Given["headers"] = {}): ReadonlyArray<Fixed> =>
  Object.entries(values).map(([name, value]) => ({ name, value, isDeclared: false }))

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
  const asking = mayBeAsked(keyOf(parameter)) ? ", or let the model fill it in with `headerParams`" : ""
  const option = parameter.in === "cookie" ? "`cookies`" : `\`headers\`${asking}`
  return faultAt(parameter.place, `it needs the ${parameter.in} '${parameter.name}': give it in ${option}`)
}

/** What may go to a place that is not trusted. */
export const isPublic = ({ isDeclared, value }: Fixed): boolean => isDeclared && !Redacted.isRedacted(value)

export const plainText = (value: Configured): string =>
  Redacted.isRedacted(value) ? Redacted.value(value) : value
