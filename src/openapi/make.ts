import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import { connect, type Left } from "../rest/connect.ts"
import type { ToolsetDefinitionError } from "../ToolsetError.ts"
import type { OnError } from "../toolset/failure.ts"
import { fixed } from "../toolset/listing.ts"
import { leaf, type Toolset } from "../toolset/model.ts"
import { listed } from "./listed.ts"
import { OpenApiError } from "./OpenApiError.ts"
import type { Options } from "./options.ts"
import { survey } from "./survey.ts"

/**
 * Tools from an OpenAPI document, 3.0 or 3.1, as a value or as text of JSON or YAML: one tool for each operation.
 *
 * An Effect of a toolset: the document is read once, not once per run. Nothing outside the document is ever fetched or
 * opened. What cannot be a tool is left out, and `OpenApiToolset.report` says why.
 *
 * The model gives `path_params`, `query` and `request_body`, which are checked against the document's own schemas before
 * anything is sent; header and cookie parameters, servers and security are configuration. A status of `retryOn` asks the
 * model to try again, every other failure it is told of; `onError` says otherwise.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { FetchHttpClient } from "effect/http"
 * import { Toolset } from "effect-toolset"
 * import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
 *
 * const document = {
 *   openapi: "3.1.0",
 *   info: { title: "Users", version: "1" },
 *   servers: [{ url: "https://users.example.com" }],
 *   paths: {
 *     "/users/{id}": {
 *       get: { operationId: "get-user", parameters: [{ in: "path", name: "id", required: true, schema: { type: "integer" } }] }
 *     }
 *   }
 * }
 * const program = Effect.gen(function* () {
 *   const users = yield* OpenApiToolset.make(document, { maxRetries: 2 })
 *   const [tool] = yield* Toolset.list(users)
 *   console.log(tool?.name, tool?.metadata.method)
 *   //> get-user GET
 *   console.log((yield* Effect.flip(Toolset.call(users, "get-user", { path_params: { id: "me" } }))).message)
 *   //> Invalid arguments: Expected number
 *   //>   at ["path_params"]["id"]
 * })
 * await Effect.runPromise(Effect.provide(program, FetchHttpClient.layer))
 * ```
 */
export const make = <const Mode extends OnError = "retry">(
  document: unknown,
  options: Options<Mode> = {}
): Effect.Effect<Toolset<Left<Mode>, HttpClient.HttpClient>, OpenApiError | ToolsetDefinitionError> =>
  Effect.gen(function* () {
    const { hidden, id, planned, skipped, unreachable } = yield* survey(document, options)
    if (unreachable !== undefined) {
      return yield* new OpenApiError({
        pointer: unreachable.pointer,
        problem: `No operation can be sent: ${unreachable.reason}`,
        hint: "It is the URL that the paths of the document are below."
      })
    }
    if (skipped.length > 0) {
      const count = `${skipped.length} of ${planned.length + skipped.length}`
      yield* Effect.logInfo(`${id}: ${count} operations are no tools. OpenApiToolset.report says why.`)
    }
    // Where they go depends on the operation.
    const { baseUrl: _, headers: __, ...connecting } = options
    // What the policy leaves is all that is left.
    return leaf(
      id,
      () =>
        Effect.map(connect(id, connecting, hidden), (connection) =>
          fixed(planned.map((plan) => listed(plan, id, connection, options)))
        ),
      id,
      true
    ) as Toolset<Left<Mode>, HttpClient.HttpClient>
  })
