/** What an opened REST toolset sends its requests with. */
import { type Duration, Effect } from "effect"
import { HttpClient, type HttpClientError } from "effect/http"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import { notPositive, positive } from "../toolset/bounded.ts"
import type { OnError } from "../toolset/failure.ts"
import { baseUrlFlaw, type ClientOptions, derived, secretHeaders } from "./client.ts"
import { secretsGiven } from "../secrets/hiding.ts"
import { exchanging } from "./exchange.ts"
import { type Policy, transientStatuses } from "./failure.ts"
import { headersFlaw } from "./headers.ts"
import type { Retries } from "./retrying.ts"

/** What all REST toolsets take. `Mode` says what may stay in `E`. */
export interface ConnectOptions<Mode extends OnError> extends ClientOptions {
  /** Statuses that may be gone the next time. Default: 408, 429, 500, 502, 503, 504. */
  readonly retryOn?: ReadonlyArray<number> | undefined
  /** What becomes of requests that fail. Default: `retry`. */
  readonly onError?: Policy<Mode> | undefined
  /** Sends transient failures again, without a turn of the model; idempotent methods only; honours `Retry-After`. */
  readonly schedule?: Retries | undefined
  /** Bounds each attempt, its body included. */
  readonly timeout?: Duration.Input | undefined
}

/** What a policy leaves in the `E` of a toolset. */
export type Left<Mode> = "fail" extends Mode ? HttpClientError.HttpClientError : never

export interface Connection {
  readonly client: HttpClient.HttpClient
  /** Sends one request and reads its answer; what fails is judged by the policy. */
  readonly exchange: ReturnType<typeof exchanging>
}

/** What nobody may see, besides what `headers` of the options says. */
export interface Hidden {
  /** Names of headers. */
  readonly headers: ReadonlyArray<string>
  readonly secrets: ReadonlyArray<string>
}

/** Derives the client of a toolset from the one in the environment. `source` names the toolset in error texts. */
export const connect = (
  source: string,
  options: ConnectOptions<OnError>,
  hidden: Hidden = { headers: [], secrets: [] }
): Effect.Effect<Connection, ToolsetDefinitionError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const { baseUrl, onError = "retry", retryOn = transientStatuses, schedule, timeout } = options
    const limit = timeout === undefined ? undefined : positive(timeout)
    const flaw =
      (baseUrl === undefined ? undefined : baseUrlFlaw(baseUrl)) ??
      headersFlaw(options.headers ?? {}) ??
      (timeout !== undefined && limit === undefined ? notPositive(timeout) : undefined)
    if (flaw !== undefined) return yield* new ToolsetDefinitionError({ source, ...flaw })
    const secretNames = [...secretHeaders(options), ...hidden.headers]
    return {
      client: derived(yield* HttpClient.HttpClient, options, secretNames),
      exchange: exchanging({
        policy: onError,
        transient: new Set(retryOn),
        retries: schedule,
        limit,
        secretHeaders: secretNames,
        secrets: [...secretsGiven(Object.values(options.headers ?? {})), ...hidden.secrets]
      })
    }
  })
