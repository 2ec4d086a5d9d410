/** Credentials in what answers a request: servers repeat what they were sent, and write it in forms of their own. */
import { Redacted, Result } from "effect"
import { Headers, type HttpClientRequest } from "effect/http"
import { secretsIn } from "../secrets/hiding.ts"

/** Names of what is secret. */
export interface SecretNames {
  readonly headers: ReadonlyArray<string | RegExp>
  readonly query: ReadonlyArray<string | RegExp>
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
