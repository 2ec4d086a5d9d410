/** Credentials in what answers a request: servers repeat what they were sent, and write it in forms of their own. */
import { Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import { Headers, type HttpClientRequest } from "effect/http"
import { type Mask, maskOf } from "../secrets/mask.ts"
import { known } from "../secrets/known.ts"
import { shortest } from "../secrets/text.ts"

/** Names of what is secret. */
export interface SecretNames {
  readonly headers: ReadonlyArray<string | RegExp>
  readonly query: ReadonlyArray<string | RegExp>
}

/** Hides these values, in every form that `Toolset.masked` knows. */
export const hiding = (secrets: Iterable<string>): Mask => {
  const all = known()
  for (const secret of secrets) if (secret.trim().length >= shortest) all.add(secret)
  return all.isEmpty() ? (((value: unknown) => value) as Mask) : maskOf(all.finders())
}

/** What a request carries that nobody may see. */
export const credentialsOf = (
  request: HttpClientRequest.HttpClientRequest,
  names: SecretNames
): ReadonlyArray<string> => {
  const headers = Object.entries(request.headers).filter(([name]) =>
    Headers.isRedactedName(name, names.headers)
  )
  const query = request.urlParams.params.filter(
    ([name, value]) => Redacted.isRedacted(value) || Headers.isRedactedName(name, names.query)
  )
  return [
    ...headers.flatMap(([, value]) => secretsIn(value)),
    ...query.map(([, value]) => (Redacted.isRedacted(value) ? Redacted.value(value) : value)),
    ...userinfo(request.url)
  ]
}

/** A header that is secret, and what of it is: `Token token="abc"` hides `abc`, too, and `Basic` a password. */
export const secretsIn = (header: string): ReadonlyArray<string> => {
  const [, scheme, rest] = /^([\w-]+)\s+(.+)$/s.exec(header) ?? []
  const pairs = (rest ?? header)
    .split(/[\s;,]+/)
    .map((part) => /^[^="]+=(?=[^=])"?(.*?)"?$/s.exec(part)?.[1] ?? part)
  const basic = scheme?.toLowerCase() === "basic" && rest !== undefined ? decoded(rest) : ""
  const password = basic.slice(basic.indexOf(":") + 1)
  return [header, ...(rest === undefined ? [] : [rest]), ...pairs, basic, password]
}

/** What of these values is secret: what is `Redacted`. */
export const secretsGiven = (values: ReadonlyArray<string | Redacted.Redacted>): ReadonlyArray<string> =>
  values.flatMap((value) => (Redacted.isRedacted(value) ? secretsIn(Redacted.value(value)) : []))

const decoded = (base64: string): string => Result.getOrElse(Base64.decodeString(base64.trim()), () => "")

const userinfo = (url: string): ReadonlyArray<string> => {
  if (!URL.canParse(url)) return []
  const { password, username } = new URL(url)
  return [password, username].map(percentDecoded)
}

const percentDecoded = (text: string): string =>
  Result.getOrElse(
    Result.try(() => decodeURIComponent(text)),
    () => text
  )
