/** Requests that gave no usable answer, and what becomes of them. */
import { Data, type Duration, type Schema } from "effect"
import type { HttpClientError } from "effect/http"
import { ModelRetry, ToolFailed } from "../ToolSignal.ts"
import type { OnError } from "../toolset/failure.ts"

/** An operation, as texts name it. */
export interface Endpoint {
  readonly method: string
  /** As the API declares it, with the names of its parameters: never with values, a host or a query. */
  readonly path: string
}

/**
 * A request that failed.
 *
 * - `reason`: `status` (a failing one), `network` (no answer, or half of one), `timeout`, `response` (a success that is
 *   not what the API declares), `request` (what was to be sent is no request).
 * - `isTransient`: a status in `retryOn`, a lost connection, a timeout: the same request may succeed later.
 * - `message`: for the model: method, path template, status and a bounded excerpt of the body.
 * - `details`: an error that the API declares, encoded.
 * - `error`: for the run; its text says no more than `message`.
 */
export class RequestFailure extends Data.TaggedClass("RequestFailure")<{
  readonly endpoint: Endpoint
  readonly reason: "status" | "network" | "timeout" | "response" | "request"
  readonly status?: number | undefined
  readonly isTransient: boolean
  readonly message: string
  readonly details?: Schema.Json | undefined
  readonly retryAfter?: Duration.Duration | undefined
  readonly error: HttpClientError.HttpClientError
}> {}

/**
 * What becomes of requests that fail.
 *
 * - `retry`: the model may try again where the status is transient; everything else it is told.
 * - `fail`: what is transient (a status, a lost connection, a timeout) stays in `E`; everything else the model is told.
 * - `recover`: the model is told.
 *
 * A function chooses for each failure: `retry` asks the model to try again, `recover` tells it, `fail` leaves the failure
 * in `E`.
 */
export type Policy<Mode extends OnError> = Mode | ((failure: RequestFailure) => Mode)

/** What a policy makes of a failure. */
export const judged =
  (policy: Policy<OnError>) =>
  (failure: RequestFailure): ModelRetry | ToolFailed | HttpClientError.HttpClientError => {
    const { details, error, message, reason } = failure
    switch (typeof policy === "function" ? policy(failure) : preset(policy, failure)) {
      case "retry":
        return new ModelRetry({ message, reason: reason === "timeout" ? "timeout" : "body" })
      case "recover":
        return new ToolFailed(details === undefined ? { message } : { message, details })
      case "fail":
        return error
    }
  }

/** A lost connection is not the model's to mend, and a request that timed out may have been served. */
const preset = (mode: OnError, { isTransient, reason }: RequestFailure): OnError =>
  isTransient && (mode === "fail" || reason === "status") ? mode : "recover"

/** The statuses that may be gone the next time. */
export const transientStatuses: ReadonlyArray<number> = [408, 429, 500, 502, 503, 504]
