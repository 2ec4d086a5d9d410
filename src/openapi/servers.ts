/** Where requests go, and which of these places may see credentials. */
import { Predicate, Result } from "effect"
import type { Located } from "./operations.ts"
import {
  below,
  type Document,
  each,
  type Fault,
  faultAt,
  items,
  memoizedByValue,
  type Place
} from "./place.ts"

export interface ServerOptions {
  readonly baseUrl?: string | URL | undefined
  readonly serverVariables?: Readonly<Record<string, string>> | undefined
  readonly trustedHosts?: ReadonlyArray<string> | undefined
}

export interface Servers {
  /** The absolute URL that the path of an operation is appended to, without a slash at its end. */
  readonly urlOf: (located: Located) => Result.Result<string, Fault>
  /** Whether credentials may go there: a server of the document itself, or one that the configuration names. */
  readonly trusts: (url: string) => boolean
}

export const serversOf = (document: Document, options: ServerOptions): Servers => {
  const { baseUrl, serverVariables = {}, trustedHosts = [] } = options
  const { root } = document
  const base = baseUrl === undefined ? undefined : withoutSlash(baseUrl.toString())
  // The operations of a document have few servers between them.
  const urlAt = memoizedByValue((server) => {
    const url = filledIn(server, serverVariables)
    return isAbsolute(url)
      ? Result.succeed(withoutSlash(url))
      : Result.fail(faultAt(server, `its server is ${JSON.stringify(url)}: give a \`baseUrl\``))
  })
  const own = items(below(root, "servers")).flatMap((server) => Result.getOrElse(urlAt(server), () => []))
  const named = isAbsolute(base) ? [...own, base] : own
  const origins = new Set(named.map((url) => new URL(url).origin))
  const trusted = new Map<string, boolean>()
  return {
    urlOf: ({ pathItem, place }) => {
      if (base !== undefined) return Result.succeed(base)
      const [server] = [place, pathItem, root].flatMap((owner) => items(below(owner, "servers")))
      return server === undefined ? Result.fail(unserved) : urlAt(server)
    },
    trusts: (url) => {
      const before = trusted.get(url)
      if (before !== undefined) return before
      const { host, hostname, origin } = new URL(url)
      const is = origins.has(origin) || trustedHosts.includes(host) || trustedHosts.includes(hostname)
      trusted.set(url, is)
      return is
    }
  }
}

const unserved: Fault = { reason: "it has no server: give a `baseUrl`", pointer: "#/servers" }

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
  [document.root, ...located.flatMap(({ pathItem, place }) => [place, pathItem])]
    .flatMap((owner) => items(below(owner, "servers")))
    .flatMap((server) => each(below(server, "variables")))
    .map(([name, variable]) => {
      const values = items(below(variable, "enum")).map(({ value }) => String(value))
      return { name, values: values.length === 0 ? undefined : values }
    })

const filledIn = (server: Place, given: Readonly<Record<string, string>>): string | undefined => {
  const { value } = below(server, "url")
  if (!Predicate.isString(value)) return undefined
  return value.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) =>
    Object.hasOwn(given, name) ? given[name]! : defaultOf(below(server, "variables", name), whole)
  )
}

const defaultOf = (variable: Place, otherwise: string): string => {
  const { value } = below(variable, "default")
  return Predicate.isString(value) || Predicate.isNumber(value) ? String(value) : otherwise
}

/** A whole URL that a path can be appended to. */
const isAbsolute = (url: string | undefined): url is string =>
  url !== undefined && /^https?:\/\//i.test(url) && !/[?#{}]/.test(url) && URL.canParse(url)

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")
