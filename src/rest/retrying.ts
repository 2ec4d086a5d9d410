import { Cause, Clock, Duration, Effect, Result, Schedule } from "effect"
import { Headers, type HttpClientError, type HttpClientResponse } from "effect/http"
import { RequestFailure } from "./failure.ts"

/** When to send again what failed for a while. */
export type Retries = Schedule.Schedule<unknown, HttpClientError.HttpClientError>

/** Sends again what failed for a while, without a turn of the model, and never earlier than the server asks for. */
export const retrying = (retries: Retries) => {
  const schedule = Schedule.fromStep(
    Effect.map(Schedule.toStep(retries), (step) => (now: number, failure: unknown) => {
      if (!(failure instanceof RequestFailure) || !failure.isTransient) return Cause.done(failure)
      const { error, retryAfter = Duration.zero } = failure
      if (Duration.isGreaterThan(retryAfter, longestWait)) return Cause.done(failure)
      return Effect.map(step(now, error), ([output, delay]): [unknown, Duration.Duration] => [
        output,
        Duration.max(delay, retryAfter)
      ])
    })
  )
  return <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => Effect.retry(attempt, schedule)
}

/** Nobody holds a run for longer; the failure, with the time that the server asks for, goes on to whoever asked. */
const longestWait = Duration.minutes(1)

/** How long the server asks to wait. */
export const retryAfterOf = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<Duration.Duration | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const header = response.headers["retry-after"]
    if (header === undefined) return undefined
    return Result.getOrUndefined(
      Result.map(Headers.parseRetryAfter(header), (value) => Headers.retryAfterDelay(value, now))
    )
  })
