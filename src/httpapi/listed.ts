/** A tool of an opened toolset: what was compiled once, and the client to call with. */
import { Context, Effect, Schema } from "effect"
import { Tool } from "effect/ai"
import type { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import type { Connection } from "../rest/connect.ts"
import { truncated } from "../rest/truncated.ts"
import { ToolReturn } from "../ToolReturn.ts"
import type { ModelRetry } from "../ToolSignal.ts"
import { whileCalling } from "../toolset/environment.ts"
import { invalidArguments } from "../toolset/invalidArguments.ts"
import type { Tool as ListedTool } from "../toolset/model.ts"
import { decoding } from "../toolset/parameters.ts"
import type { Compiled } from "./compiled.ts"
import type { AnyApi } from "./reflected.ts"

/** A method of the generated client. `any`: what it fails with and needs is in the type of the toolset. */
type Method = (request: {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly payload?: unknown
  readonly responseMode: "response-only"
}) => Effect.Effect<HttpClientResponse.HttpClientResponse, any, any>

export const listed = (
  api: AnyApi,
  id: string,
  compiled: Compiled,
  { client, exchange }: Connection
): Effect.Effect<ListedTool<any>> =>
  Effect.gen(function* () {
    const { answers, args, definition, endpoint, given, truncation } = compiled
    // Made at the first call: a run calls few of the tools that it is offered.
    const sending = yield* Effect.cached(methodOf(api, compiled, client))
    const { method, path } = endpoint
    return {
      definition,
      source: `${id}(${method} ${path})`,
      origin: [id, definition.name],
      timed: false,
      decode: decoding(args.codec),
      validate: () => Effect.void,
      call: ({ value }) =>
        whileCalling(
          Effect.gen(function* () {
            const { headers, path_params, query, request_body } = yield* args.partsOf(value)
            const request = {
              params: path_params,
              query,
              headers: headers === undefined ? given : { ...given, ...(headers as object) },
              payload: request_body,
              responseMode: "response-only"
            } as const
            const json = yield* exchange({
              endpoint: { method, path },
              isIdempotent: Context.get(definition.annotations, Tool.Idempotent),
              send: Effect.flatMap(sending, (send) => Effect.mapError(send(request), unencodable)),
              isSuccess: answers.isSuccess,
              read: answers.read,
              declared: answers.declared
            })
            return new ToolReturn({ value: yield* truncated(json, truncation, endpoint) })
          })
        )
    }
  })

/** The client's method for this very endpoint: nothing is routed. */
const methodOf = (
  api: AnyApi,
  { endpoint }: Compiled,
  httpClient: HttpClient.HttpClient
): Effect.Effect<Method> =>
  HttpApiClient.endpoint(api, {
    group: endpoint.group as never,
    endpoint: endpoint.endpoint as never,
    httpClient
  }) as Effect.Effect<any>

/** Arguments that are of the right types, but not what goes on the wire. */
const unencodable = (
  error: HttpClientError.HttpClientError | Schema.SchemaError
): HttpClientError.HttpClientError | ModelRetry =>
  Schema.isSchemaError(error) ? invalidArguments(error.message) : error
