/** Where requests go, and which of these places may see credentials. */
import { Result } from "effect"
import type { Located } from "./operations.ts"
import { filledIn } from "./serverVariables.ts"
import { below, type Document, type Fault, faultAt, items, memoizedByValue } from "./place.ts"

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
  const urlAt = memoizedByValue((server) =>
    Result.flatMap(filledIn(server, serverVariables), (url) =>
      isAbsolute(url)
        ? Result.succeed(withoutSlash(url))
        : Result.fail(faultAt(server, `its server is ${JSON.stringify(url)}: give a \`baseUrl\``))
    )
  )
  const own = items(below(root, "servers")).flatMap((server) => Result.getOrElse(urlAt(server), () => []))
  const origins = new Set([...own.map((url) => new URL(url).origin), ...trustedHosts.map(trustedOrigin)])
  return {
    urlOf: ({ pathItem, place }) => {
      if (base !== undefined) return Result.succeed(base)
      const [server] = [place, pathItem, root].flatMap((owner) => items(below(owner, "servers")))
      return server === undefined ? Result.fail(unserved) : urlAt(server)
    },
    trusts: (url) => url === base || origins.has(new URL(url).origin)
  }
}

const unserved: Fault = { reason: "it has no server: give a `baseUrl`", pointer: "#/servers" }

/** A whole URL that a path can be appended to. */
const isAbsolute = (url: string | undefined): url is string =>
  url !== undefined && /^https?:\/\/[^/\\]/i.test(url) && !/[?#{}]/.test(url) && URL.canParse(url)

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")

/** The origin that a name in `trustedHosts` stands for, if it does: `https`, where it says no scheme. */
export const trustedOrigin = (host: string): string | undefined => {
  const url = /^https?:\/\//i.test(host) ? host : `https://${host}`
  return /^https?:\/\/[^/\\@#?*\s]+\/?$/i.test(url) && URL.canParse(url) ? new URL(url).origin : undefined
}
