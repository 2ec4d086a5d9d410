import { baseUrlFlaw } from "../rest/client.ts"
import { headersFlaw, isSendable, mayBeAsked, sendable } from "../rest/headers.ts"
import { truncationFlaw } from "../rest/truncated.ts"
import type { Flaw } from "../toolset/flawed.ts"
import { retriesFlaw } from "../toolset/withMaxRetries.ts"
import type { Located } from "./operations.ts"
import type { Options } from "./options.ts"
import type { Document } from "./place.ts"
import { type Schemes, schemesOf } from "./security.ts"
import { trustedOrigin } from "./servers.ts"
import { isAllowed, variablesOf } from "./serverVariables.ts"

/** What is wrong with the options, as far as one document can tell. */
export const optionsFlaw = (
  document: Document,
  located: ReadonlyArray<Located>,
  options: Options<any>
): Flaw | undefined => {
  const { baseUrl, headerParams, maxRetries, security = {} } = options
  const schemes = schemesOf(document)
  const scheme = Object.keys(security).find((name) => schemes.get(name) === undefined)
  if (scheme !== undefined) {
    return unknownName(
      "security",
      scheme,
      [...schemes].flatMap(([name, known]) => (known === undefined ? [] : name))
    )
  }
  const unsendable = Object.entries(security).find(([name, credential]) => {
    const scheme = schemes.get(name)
    return scheme?.in === "header" && !isSendable(scheme.written(credential))
  })
  if (unsendable !== undefined) {
    return { problem: `Its \`security\` fills '${unsendable[0]}' with what cannot be sent.`, hint: sendable }
  }
  const asked = (Array.isArray(headerParams) ? headerParams : []).find(
    (name: string) => !mayBeAsked(name.toLowerCase()) || isSchemeHeader(schemes, name)
  )
  if (asked !== undefined) {
    return {
      problem: `Its \`headerParams\` names '${asked}', which no model may fill in.`,
      hint: "It says who asks, or what becomes of the request: give it in `headers`, if it is to be sent."
    }
  }
  return (
    serversFlaw(document, located, options) ??
    (baseUrl === undefined ? undefined : baseUrlFlaw(baseUrl)) ??
    headersFlaw(options.headers ?? {}) ??
    (maxRetries === undefined ? undefined : retriesFlaw(maxRetries)) ??
    truncationFlaw(options)
  )
}

/** What is wrong with what the configuration says of servers. */
const serversFlaw = (
  document: Document,
  located: ReadonlyArray<Located>,
  { serverVariables = {}, trustedHosts = [] }: Pick<Options, "serverVariables" | "trustedHosts">
): Flaw | undefined => {
  const host = trustedHosts.find((host) => trustedOrigin(host) === undefined)
  if (host !== undefined) {
    return {
      problem: `Its \`trustedHosts\` name '${host}', which is no origin.`,
      hint: "Give one such as 'https://api.example.com:8443'. A host alone is that of https."
    }
  }
  const variables = variablesOf(document, located)
  for (const [name, value] of Object.entries(serverVariables)) {
    const found = variables.filter((variable) => variable.name === name)
    if (found.length === 0) {
      return unknownName("serverVariables", name, [...new Set(variables.map(({ name }) => name))])
    }
    if (found.some((variable) => isAllowed(value, variable))) continue
    const given = `Its \`serverVariables\` give '${name}' the value '${value}'`
    const values = found.flatMap(({ values }) => values ?? [])
    return values.length > 0
      ? { problem: `${given}, which its servers do not have.`, hint: listOf([...new Set(values)]) }
      : {
          problem: `${given}, which would not stay in its place in the URL.`,
          hint: "Give one without / \\ @ # ? % and spaces, or the whole URL as `baseUrl`."
        }
  }
  return undefined
}

const isSchemeHeader = (schemes: Schemes, name: string): boolean =>
  [...schemes.values()].some(
    (scheme) => scheme?.in === "header" && scheme.name.toLowerCase() === name.toLowerCase()
  )

const unknownName = (option: string, name: string, names: ReadonlyArray<string>): Flaw => ({
  problem: `Its \`${option}\` names '${name}', which the document does not have.`,
  hint: listOf(names)
})

const listOf = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "There are none." : `There are: ${names.map((name) => `'${name}'`).join(", ")}.`
