/** One request and its answer. */
import { type Duration, Effect, type Schema } from "effect"
import { HttpClientError, type HttpClientResponse } from "effect/http"
import type { ModelRetry, ToolFailed } from "../ToolSignal.ts"
import { memoized } from "../toolset/memoized.ts"
import { hiding } from "../secrets/hiding.ts"
import { failedStatus, noAnswer, noRequest, timedOut, undeclared } from "./failed.ts"
import { type Endpoint, judged, RequestFailure } from "./failure.ts"
import type { Manner } from "./manner.ts"
import { retrying } from "./retrying.ts"
import { textIn } from "./text.ts"

type Response = HttpClientResponse.HttpClientResponse

export interface Exchange<A, E, R> {
  readonly endpoint: Endpoint
  /** Whether sending it twice is sending it once. */
  readonly isIdempotent: boolean
  /** Gives the response of any status. `E` is what else it may fail with, and is left alone. */
  readonly send: Effect.Effect<Response, HttpClientError.HttpClientError | E, R>
  /** Which statuses are read as successes. Default: 200 to 299. */
  readonly isSuccess?: ((status: number) => boolean) | undefined
  /** Reads a success, of which the body is there. Fails with what is wrong with it, in words. */
  readonly read: (response: Response, text: string) => Effect.Effect<A, string, R>
  /** An error that the API declares, encoded; nothing, where the response is none. */
  readonly declared?: ((response: Response) => Effect.Effect<Schema.Json | undefined, never, R>) | undefined
}

/** Sends a request, again where that may help, and gives what was read, or what the policy makes of its failure. */
export const exchanging = (manner: Manner) => {
  const retried = manner.retries === undefined ? undefined : retrying(manner.retries)
  const judge = judged(manner.policy)
  return <A, E, R>(
    exchange: Exchange<A, E, R>
  ): Effect.Effect<A, ModelRetry | ToolFailed | HttpClientError.HttpClientError | E, R> => {
    const once = inTime(attempt(exchange, manner), exchange.endpoint, manner.limit)
    return Effect.mapError(
      retried !== undefined && exchange.isIdempotent ? retried(once) : once,
      (error): ModelRetry | ToolFailed | HttpClientError.HttpClientError | E =>
        error instanceof RequestFailure ? judge(error) : error
    )
  }
}

const attempt = Effect.fnUntraced(function* <A, E, R>(exchange: Exchange<A, E, R>, manner: Manner) {
  const { declared, endpoint, isSuccess = isOk, read, send } = exchange
  const response = yield* Effect.catch(send, (error): Effect.Effect<Response, RequestFailure | E> =>
    HttpClientError.isHttpClientError(error) ? responseIn(error, endpoint) : Effect.fail(error)
  )
  if (isSuccess(response.status)) {
    const received = yield* Effect.mapError(response.text, () => noAnswer(endpoint))
    const hide = hideGiven(manner)
    return yield* textIn(response, received).pipe(
      Effect.flatMap((text) =>
        Effect.map(read(response, text), (value) => (hide(text) === text ? value : (hide(value) as A)))
      ),
      Effect.catch((problem) => Effect.flip(undeclared(endpoint, manner, response, problem)))
    )
  }
  // What failed has failed, also where the rest of its body does not arrive.
  const text = yield* Effect.orElseSucceed(response.text, () => "")
  const details = yield* declared?.(response) ?? Effect.undefined
  return yield* Effect.flip(failedStatus(endpoint, manner, response, text, details))
})

/** A server that repeats a credential in a success shows it to the model as well. */
const hideGiven = memoized(({ secrets }: Manner) => hiding(secrets))

const isOk = (status: number): boolean => status >= 200 && status < 300

/** A transform may have made a failure of a status; the status is judged here. */
const responseIn = (
  error: HttpClientError.HttpClientError,
  endpoint: Endpoint
): Effect.Effect<Response, RequestFailure> => {
  switch (error.reason._tag) {
    case "StatusCodeError":
      return Effect.succeed(error.reason.response)
    case "EncodeError":
    case "InvalidUrlError":
      return Effect.fail(noRequest(endpoint, error))
    default:
      return Effect.fail(noAnswer(endpoint))
  }
}

const inTime = <A, E, R>(
  attempt: Effect.Effect<A, E, R>,
  endpoint: Endpoint,
  limit: Duration.Duration | undefined
): Effect.Effect<A, E | RequestFailure, R> =>
  limit === undefined
    ? attempt
    : Effect.timeoutOrElse(attempt, {
        duration: limit,
        orElse: () => Effect.fail(timedOut(endpoint, limit))
      })
