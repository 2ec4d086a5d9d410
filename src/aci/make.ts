import { Config, Effect, type Redacted } from "effect"
import type { HttpClient } from "effect/http"
import { connect, type ConnectOptions, type Left } from "../rest/connect.ts"
import type { ToolsetDefinitionError } from "../ToolsetError.ts"
import { answered, whileCalling } from "../toolset/environment.ts"
import type { OnError } from "../toolset/failure.ts"
import { satisfying } from "../toolset/jsonArguments.ts"
import { fixed } from "../toolset/listing.ts"
import { type CallServices, type CallSignals, leaf, type OrEffect, type Toolset } from "../toolset/model.ts"
import type { AciError, AciFunctionError } from "./AciError.ts"
import { definitionOf } from "./definition.ts"
import { executed } from "./execution.ts"

/**
 * - `functions`: their names: `BRAVE_SEARCH__WEB_SEARCH`.
 * - `linkedAccountOwnerId`: on whose behalf they are called: one owner, or an Effect that is asked at each call. The model
 *   never sees it.
 * - `apiKey`: default: `ACI_API_KEY` of the configuration.
 * - `baseUrl`: default: `https://api.aci.dev/v1`.
 * - `onError`: what becomes of a function that says that it failed: `retry` (default; the model mends its call), `recover`
 *   (the model reads it, nothing is counted), `fail` (`AciFunctionError` in `E`). Requests that fail are judged as those of
 *   other REST toolsets: `retry` lets the model try statuses of `retryOn` again, `fail` leaves such statuses, lost
 *   connections and timeouts in `E`; all else the model is told.
 * - `retryOn`, `headers`, `timeout`, `transformClient`: as of other REST toolsets. `schedule`: sends requests for
 *   definitions again; a call is never repeated.
 */
export interface Options<Mode extends OnError = OnError, E = unknown, R = unknown> extends Omit<
  ConnectOptions<Mode>,
  "onError"
> {
  readonly functions: ReadonlyArray<string>
  readonly linkedAccountOwnerId: OrEffect<string, E, R>
  readonly apiKey?: Config.Config<Redacted.Redacted> | undefined
  readonly onError?: Mode | undefined
}

/** What functions that fail add to the failures of a toolset. */
export type FunctionFailure<Mode> = "fail" extends Mode ? AciFunctionError : never

/**
 * Functions of ACI.dev as tools, over the `HttpClient` in the environment.
 *
 * An Effect of a toolset: the definitions are read once, not once per run. Arguments are checked here, against the
 * function's own schema; then ACI.dev runs it with the account that its owner has linked.
 *
 * ```ts run
 * import { Config, ConfigProvider, Effect } from "effect"
 * import { HttpClient, HttpClientResponse } from "effect/http"
 * import { Toolset } from "effect-toolset"
 * import * as Aci from "effect-toolset/Aci"
 *
 * // Instead of the service, for this example.
 * const service = HttpClient.make((request) => {
 *   const parameters = { type: "object", properties: { query: { type: "string" } }, required: ["query"] }
 *   const body = request.method === "GET"
 *     ? { type: "function", function: { name: "SEARCH__WEB", description: "Searches.", parameters } }
 *     : { success: true, data: ["https://effect.website"] }
 *   return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(body)))
 * })
 * const program = Effect.gen(function* () {
 *   const tools = yield* Aci.make({ functions: ["SEARCH__WEB"], linkedAccountOwnerId: "ada" })
 *   return yield* Toolset.call(tools, "SEARCH__WEB", { query: "effect" })
 * })
 * const configuration = ConfigProvider.fromEnv({ env: { ACI_API_KEY: "secret" } })
 * console.log(await Effect.runPromise(program.pipe(
 *   Effect.provideService(HttpClient.HttpClient, service),
 *   Effect.provideService(ConfigProvider.ConfigProvider, configuration)
 * )))
 * //> [ 'https://effect.website' ]
 * ```
 */
export const make = <const Mode extends OnError = "retry", E = never, R = never>(
  options: Options<Mode, E, R>
): Effect.Effect<
  Toolset<
    Left<Mode> | FunctionFailure<Mode> | Exclude<E, CallSignals>,
    HttpClient.HttpClient | Exclude<R, CallServices>
  >,
  AciError | Config.ConfigError | ToolsetDefinitionError,
  HttpClient.HttpClient
> =>
  Effect.gen(function* () {
    const { functions, linkedAccountOwnerId, onError = "retry" } = options
    const key = yield* options.apiKey ?? Config.Redacted("ACI_API_KEY")
    const connecting = {
      ...options,
      baseUrl: options.baseUrl ?? "https://api.aci.dev/v1",
      headers: { ...options.headers, "X-API-KEY": key }
    }
    const reading = yield* connect("aci", { ...connecting, onError: "recover" })
    const definitions = yield* Effect.forEach(functions, (name) => definitionOf(name, reading), {
      concurrency: 8
    })
    // What the policy leaves is all that is left; `any`: what asking for the owner needs is in `R`.
    return leaf<any, any>("aci", () =>
      Effect.map(connect("aci", { ...connecting, onError }), (connection) =>
        fixed(
          definitions.map((definition, i) => ({
            definition,
            source: `aci(${functions[i]!})`,
            origin: [definition.name],
            timed: false,
            decode: satisfying(definition.parameters),
            validate: () => Effect.void,
            call: ({ value }) =>
              whileCalling(
                Effect.flatMap(answered(linkedAccountOwnerId), (owner) =>
                  executed(functions[i]!, owner, value, { ...connection, key, onError })
                )
              )
          }))
        )
      )
    )
  })
