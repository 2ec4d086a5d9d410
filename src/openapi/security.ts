/** Security schemes, filled from the configuration. */
import { Predicate, Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import { secretsGiven } from "../secrets/hiding.ts"
import type { Credential, Options } from "./options.ts"
import { below, type Document, each, type Fields, fieldsOf, isFields, type Place } from "./place.ts"

/** A scheme that can be filled: where its value goes, and how it is written there. */
export interface Scheme {
  readonly in: "header" | "query" | "cookie"
  readonly name: string
  /** Whether it is a parameter of its own, which operations may declare once more. */
  readonly isKey: boolean
  readonly written: (credential: Credential) => string
}

export type Schemes = ReadonlyMap<string, Scheme | undefined>

/** A value for a request, which nobody may see. */
export interface Secret {
  readonly in: Scheme["in"]
  readonly name: string
  readonly value: Redacted.Redacted
}

/** The schemes of a document; those that nothing can be sent for are undefined. */
export const schemesOf = (document: Document): Schemes =>
  new Map(
    each(below(document.root, "components", "securitySchemes")).map(([name, place]) => [
      name,
      schemeOf(fieldsOf(Result.getOrUndefined(document.followed(place))?.value))
    ])
  )

const schemeOf = ({ in: where, name, scheme, type }: Fields): Scheme | undefined => {
  switch (type) {
    case "apiKey":
      return Predicate.isString(name) && (where === "header" || where === "query" || where === "cookie")
        ? { in: where, name, isKey: true, written: verbatim }
        : undefined
    case "oauth2":
    case "openIdConnect":
      return authorization((credential) => `Bearer ${verbatim(credential)}`)
    case "http":
      return Predicate.isString(scheme) ? httpScheme(scheme) : undefined
    default:
      return undefined
  }
}

const httpScheme = (scheme: string): Scheme => {
  switch (scheme.toLowerCase()) {
    case "basic":
      return authorization((credential) => `Basic ${Base64.encode(verbatim(credential))}`)
    case "bearer":
      return authorization((credential) => `Bearer ${verbatim(credential)}`)
    default:
      return authorization((credential) => `${scheme} ${verbatim(credential)}`)
  }
}

const authorization = (written: Scheme["written"]): Scheme => ({
  in: "header",
  name: "Authorization",
  isKey: false,
  written
})

const verbatim = (credential: Credential): string =>
  Redacted.isRedacted(credential)
    ? Redacted.value(credential)
    : `${credential.username}:${Redacted.value(credential.password)}`

/** The values that the configuration gives and that nobody may see. */
export const secretsOf = ({
  cookies = {},
  headers = {},
  security = {}
}: Options<any>): ReadonlyArray<string> => {
  const credentials = Object.values(security).map((given) =>
    Redacted.isRedacted(given) ? given : given.password
  )
  return secretsGiven([...credentials, ...Object.values(headers), ...Object.values(cookies)])
}

export type Credentials = Readonly<Record<string, Credential>>

/** What goes with the requests of an operation, and what it would need that nobody gave. */
export interface Secured {
  readonly secrets: ReadonlyArray<Secret>
  readonly missing: string | undefined
}

/**
 * The first alternative that is filled as a whole, by credentials or by headers and cookies that are sent anyway. Where a
 * document says nothing about security, everything that is configured is sent.
 */
export const securedBy = (
  document: Document,
  operation: Place,
  schemes: Schemes,
  credentials: Credentials,
  isSentAnyway: (scheme: Scheme) => boolean
): Secured => {
  const own = below(operation, "security").value
  const declared = Array.isArray(own) ? own : below(document.root, "security").value
  if (!Array.isArray(declared)) return filled(Object.keys(credentials), schemes, credentials)
  const alternatives = declared.filter(isFields).map((alternative) => Object.keys(alternative))
  const isFilled = (name: string): boolean => {
    const scheme = schemes.get(name)
    return scheme !== undefined && (Object.hasOwn(credentials, name) || isSentAnyway(scheme))
  }
  const best = alternatives.filter((names) => names.length > 0).find((names) => names.every(isFilled))
  if (best !== undefined) return filled(best, schemes, credentials)
  const isOptional = alternatives.length === 0 || alternatives.some((names) => names.length === 0)
  return {
    secrets: [],
    missing: isOptional ? undefined : alternatives.map((names) => names.join(" and ")).join(", or ")
  }
}

const filled = (names: ReadonlyArray<string>, schemes: Schemes, credentials: Credentials): Secured => ({
  missing: undefined,
  secrets: names.flatMap((name) => {
    const scheme = schemes.get(name)
    const credential = credentials[name]
    return scheme === undefined || credential === undefined
      ? []
      : { in: scheme.in, name: scheme.name, value: Redacted.make(scheme.written(credential)) }
  })
})
