/** The ways in which a request fails, in words for the model and as an error for the run. */
import { Duration, Effect, type Schema } from "effect"
import {
  Headers,
  HttpClientError,
  HttpClientRequest,
  type HttpClientResponse,
  type HttpMethod,
  UrlParams
} from "effect/http"
import type { Mask } from "../secrets/mask.ts"
import { hiding } from "../secrets/hiding.ts"
import { credentialsOf } from "./credentials.ts"
import { shortened } from "./excerpt.ts"
import { type Endpoint, RequestFailure } from "./failure.ts"
import type { Manner } from "./manner.ts"
import { retryAfterOf } from "./retrying.ts"

type Response = HttpClientResponse.HttpClientResponse

/** A failing status. */
export const failedStatus = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  manner: Manner,
  response: Response,
  text: string,
  details: Schema.Json | undefined
) {
  const { status } = response
  const hide = yield* hidingSecrets(response, manner)
  // The schema of the details is one of JSON, and hiding keeps it JSON.
  const shownDetails = hide(details) as Schema.Json | undefined
  const shown = shortened(hide(shownDetails === undefined ? text : JSON.stringify(shownDetails)))
  const retryAfter = yield* retryAfterOf(response)
  const wait = retryAfter === undefined ? "" : ` (retry after ${seconds(retryAfter)})`
  return new RequestFailure({
    endpoint,
    reason: "status",
    status,
    isTransient: manner.transient.has(status),
    message: `${named(endpoint)} returned ${status}${wait}${shown === "" ? "." : `: ${shown}`}`,
    details: shownDetails,
    retryAfter,
    error: errorOf(
      new HttpClientError.StatusCodeError({ request: bare(endpoint), response, description: shown })
    )
  })
})

/** A success that is not what the API declares. */
export const undeclared = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  manner: Manner,
  response: Response,
  problem: string
) {
  const { status } = response
  const shown = shortened((yield* hidingSecrets(response, manner))(problem))
  return new RequestFailure({
    endpoint,
    reason: "response",
    status,
    isTransient: false,
    message: `${named(endpoint)} returned ${status}, but not what the API declares: ${shown}`,
    error: errorOf(new HttpClientError.DecodeError({ request: bare(endpoint), response, description: shown }))
  })
})

/** No answer, or half of one. */
export const noAnswer = (endpoint: Endpoint): RequestFailure =>
  new RequestFailure({
    endpoint,
    reason: "network",
    isTransient: true,
    message: `${named(endpoint)} got no answer: the connection failed.`,
    error: unsent(endpoint, "the connection failed")
  })

export const timedOut = (endpoint: Endpoint, limit: Duration.Duration): RequestFailure =>
  new RequestFailure({
    endpoint,
    reason: "timeout",
    isTransient: true,
    message: `${named(endpoint)} got no answer within ${seconds(limit)}.`,
    error: unsent(endpoint, `no answer within ${seconds(limit)}`)
  })

/** What was to be sent is no request. */
export const noRequest = (
  endpoint: Endpoint,
  { reason }: HttpClientError.HttpClientError
): RequestFailure => {
  const request = bare(endpoint)
  const [problem, bareReason] =
    reason._tag === "InvalidUrlError"
      ? (["its URL is not valid", new HttpClientError.InvalidUrlError({ request })] as const)
      : (["its body cannot be encoded", new HttpClientError.EncodeError({ request })] as const)
  return new RequestFailure({
    endpoint,
    reason: "request",
    isTransient: false,
    message: `${named(endpoint)} was not sent: ${problem}.`,
    error: errorOf(bareReason)
  })
}

const unsent = (endpoint: Endpoint, description: string): HttpClientError.HttpClientError =>
  errorOf(new HttpClientError.TransportError({ request: bare(endpoint), description }))

const errorOf = (reason: HttpClientError.HttpClientErrorReason): HttpClientError.HttpClientError =>
  new HttpClientError.HttpClientError({ reason })

/** A request of which the error says nothing that is not in the API: no host, no values, no headers. */
const bare = ({ method, path }: Endpoint): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(method as HttpMethod.HttpMethod)(path)

const named = ({ method, path }: Endpoint): string => `${method} ${path}`

/** What takes credentials out of what answers a request: its own, and those that the toolset was given. */
const hidingSecrets = ({ request }: Response, { secretHeaders, secrets }: Manner): Effect.Effect<Mask> =>
  Effect.map(Effect.all([Headers.CurrentRedactedNames, UrlParams.CurrentRedactedNames]), ([headers, query]) =>
    hiding([...secrets, ...credentialsOf(request, { headers: [...headers, ...secretHeaders], query })])
  )

const seconds = (duration: Duration.Duration): string => {
  const count = Math.ceil(Duration.toMillis(duration)) / 1000
  return `${count} ${count === 1 ? "second" : "seconds"}`
}
