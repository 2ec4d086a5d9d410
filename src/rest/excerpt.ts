/** What a model may see of a body that it did not ask for. */
import { Redacted } from "effect"
import { Headers, type HttpClientRequest } from "effect/http"

/** The most characters of a body that a message shows. */
const limit = 500

/** The beginning of a text, not cut through a character. */
export const shortened = (text: string): string => {
  const trimmed = text.trim().toWellFormed()
  if (trimmed.length <= limit) return trimmed
  const cut = trimmed.slice(0, limit)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}

/** Names of what is secret. */
export interface SecretNames {
  readonly headers: ReadonlyArray<string | RegExp>
  readonly query: ReadonlyArray<string | RegExp>
}

/** A text without the credentials of the request that it answers: servers echo them. */
export const withoutCredentials = (
  text: string,
  request: HttpClientRequest.HttpClientRequest,
  names: SecretNames
): string => {
  const headers = Object.entries(request.headers)
    .filter(([name]) => Headers.isRedactedName(name, names.headers))
    .map(([, value]) => value)
  const query = request.urlParams.params
    .filter(([name, value]) => Redacted.isRedacted(value) || Headers.isRedactedName(name, names.query))
    .map(([, value]) => (Redacted.isRedacted(value) ? Redacted.value(value) : value))
  return [...headers, ...query, ...userinfo(request.url)]
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), ...parts(secret)])
    .filter((secret) => secret.length >= shortest)
    .toSorted((a, b) => b.length - a.length)
    .reduce((safe, secret) => safe.replaceAll(secret, "<redacted>"), text)
}

/** Shorter texts are found in any body. */
const shortest = 6

/** `Token token=abc` is a secret in parts. */
const parts = (secret: string): ReadonlyArray<string> =>
  secret.split(/[\s;,="]+/).filter((part) => part.length >= shortest && !schemes.test(part))

const schemes = /^(bearer|digest|negotiate)$/i

const userinfo = (url: string): ReadonlyArray<string> => {
  if (!URL.canParse(url)) return []
  const { password, username } = new URL(url)
  return [password, username].filter((part) => part !== "")
}
