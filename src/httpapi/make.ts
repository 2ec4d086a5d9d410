import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { connect, type Left } from "../rest/connect.ts"
import type { OnError } from "../toolset/failure.ts"
import { fixed } from "../toolset/listing.ts"
import { leaf, type Toolset } from "../toolset/model.ts"
import { listed } from "./listed.ts"
import type { Options } from "./options.ts"
import { endpointText, idOf, toolsOf } from "./tools.ts"

/**
 * The endpoints of an API that carry `ToolMeta`, as tools. See `Options` for the options.
 *
 * The model fills in `path_params`, `query` and `request_body`, each with the decoded types of its schema; they are encoded
 * by the API's own codecs, and no value can reach another path. A call goes to the endpoint that its tool was made from,
 * with a client derived from the `HttpClient` in the environment; the result is decoded by the API's schema, and encoded
 * again for the model. Failures that the API does not put in `E` are told with method, path template, status and an
 * excerpt of the body.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { FetchHttpClient } from "effect/http"
 * import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
 * import { Toolset } from "effect-toolset"
 * import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
 *
 * const api = HttpApi.make("shop").add(
 *   HttpApiGroup.make("orders").add(
 *     HttpApiEndpoint.get("byId", "/orders/:id", { params: { id: Schema.Int }, success: Schema.String })
 *       .annotate(HttpApiToolset.ToolMeta, { name: "order" })
 *   )
 * )
 * const shop = HttpApiToolset.make(api, { baseUrl: "http://shop.test" })
 * const call = Toolset.call(shop, "order", { path_params: { id: "../users" } })
 * const error = await Effect.runPromise(call.pipe(Effect.flip, Effect.provide(FetchHttpClient.layer)))
 * console.log(error.message)
 * //> Invalid arguments: Expected number
 * //>   at ["path_params"]["id"]
 * ```
 */
export const make = <
  Id extends string,
  Groups extends HttpApiGroup.Constraint,
  const Mode extends OnError = "retry"
>(
  api: HttpApi.HttpApi<Id, Groups>,
  options: Options<Mode> = {}
): Toolset<Left<Mode> | ClientError<Groups>, ClientServices<Groups>> => {
  const id = idOf(api, options)
  // Converting schemas takes a while: when the toolset is first opened, not when the program starts.
  let tools: ReturnType<typeof toolsOf> | undefined
  return leaf<Left<Mode> | ClientError<Groups>, ClientServices<Groups>>(
    id,
    () =>
      Effect.gen(function* () {
        const isFirst = tools === undefined
        tools ??= toolsOf(api, options)
        const { chosen, tools: compiled } = yield* Effect.fromResult(tools)
        for (const endpoint of isFirst ? chosen : []) {
          yield* Effect.logWarning(`${id}: ${endpointText(endpoint)} is no tool: ${endpoint.reason}.`)
        }
        const connection = yield* connect(id, options)
        return fixed(yield* Effect.forEach(compiled, (tool) => listed(api, id, tool, connection)))
      }),
    id,
    true
  )
}

/** What the API's own middleware may fail with before a request is sent. */
type ClientError<Groups> = HttpApiMiddleware.ClientError<
  HttpApiEndpoint.Middleware<HttpApiGroup.Endpoints<Groups>>
>

type ClientServices<Groups> =
  | HttpClient.HttpClient
  | HttpApiGroup.MiddlewareClient<Groups>
  | HttpApiGroup.ClientServices<Groups>
