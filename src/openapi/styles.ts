/** Values of parameters as the styles of OpenAPI write them, percent-encoded. Texts are well-formed by now. */
import { Predicate } from "effect"
import { percentEncoded } from "../rest/path.ts"
import type { Parameter } from "./parameters.ts"
import { type Fields, fieldsOf, isFields } from "./place.ts"

type Write = (value: unknown) => string

const text: Write = (value) => (Predicate.isObjectOrArray(value) ? JSON.stringify(value) : String(value))

const percent: Write = (value) => percentEncoded(text(value))

const entriesOf = (fields: Fields): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)

const joined = (value: unknown, by: string, explode: boolean, write: Write): string => {
  if (Array.isArray(value)) return value.map(write).join(by)
  if (!isFields(value)) return write(value)
  return entriesOf(value)
    .map(([key, item]) => `${write(key)}${explode ? "=" : by}${write(item)}`)
    .join(by)
}

/** A value in a path. */
export const pathText = ({ explode, isJson, name, style }: Parameter, value: unknown): string => {
  if (isJson) return percent(JSON.stringify(value))
  if (style === "label") return `.${joined(value, explode ? "." : ",", explode, percent)}`
  if (style !== "matrix") return joined(value, ",", explode, percent)
  const key = percent(name)
  if (explode && Array.isArray(value)) return value.map((item) => `;${key}=${percent(item)}`).join("")
  if (explode && isFields(value)) return `;${joined(value, ";", true, percent)}`
  return `;${key}=${joined(value, ",", false, percent)}`
}

/** How a value is written. */
export type Written = Pick<Parameter, "allowReserved" | "explode" | "isJson" | "name" | "style">

/** A value in a query: `name=value`, as often as it takes. What is empty is absent. */
export const queryPairs = (parameter: Written, value: unknown): ReadonlyArray<string> => {
  const { allowReserved, explode, isJson, style } = parameter
  const write = allowReserved ? keepingReserved : percent
  // Servers know brackets in names, and few know them encoded.
  const name = percent(parameter.name).replaceAll("%5B", "[").replaceAll("%5D", "]")
  if (value === undefined || value === null) return []
  if (isJson) return [`${name}=${percent(JSON.stringify(value))}`]
  if (Predicate.isObjectOrArray(value) && Object.keys(value).length === 0) return []
  if (style === "deepObject" && isFields(value)) {
    return entriesOf(value).flatMap(([key, item]) =>
      (Array.isArray(item) ? item : [item]).map((one) => `${name}[${write(key)}]=${write(one)}`)
    )
  }
  if (explode && Array.isArray(value)) return value.map((item) => `${name}=${write(item)}`)
  if (explode && isFields(value)) return entriesOf(value).map(([key, item]) => `${write(key)}=${write(item)}`)
  return [`${name}=${joined(value, separators[style] ?? ",", false, write)}`]
}

const separators: Partial<Record<Parameter["style"], string>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C"
}

/** `allowReserved`: what ends a value for no server stays as it is; a semicolon does for some. */
const keepingReserved: Write = (value) =>
  percent(value).replaceAll(/%(3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C)/g, decodeURIComponent)

/** A value in a header. */
export const headerText = ({ explode, isJson }: Parameter, value: unknown): string =>
  isJson ? JSON.stringify(value) : joined(value, ",", explode, text)

/** A body as a form. */
export const formText = (body: unknown, encoding: Fields): string =>
  formFields(body, encoding)
    .flatMap(([field, value]) => queryPairs(field, value))
    .join("&")
    .replaceAll("%20", "+")

/** The fields of a form, as the `encoding` of its media type has them written. */
export const formFields = (body: unknown, encoding: Fields): ReadonlyArray<readonly [Written, unknown]> =>
  entriesOf(fieldsOf(body)).map(([name, value]) => {
    const own = fieldsOf(Object.hasOwn(encoding, name) ? encoding[name] : undefined)
    const style =
      own.style === "spaceDelimited" || own.style === "pipeDelimited" || own.style === "deepObject"
        ? own.style
        : "form"
    const explode = Predicate.isBoolean(own.explode) ? own.explode : style === "form"
    const isJson = isFields(value) && own.style === undefined
    return [{ name, style, explode, isJson, allowReserved: false }, value]
  })
