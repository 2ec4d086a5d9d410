import { Context } from "effect"
import type { Truncation } from "../rest/truncated.ts"

/**
 * Makes an endpoint a tool; on a group or an API, all of its endpoints, as a default that each of them may add to.
 *
 * - `name`: default: the method and the path, `get_users_user_id`.
 * - `description`: default: that of the endpoint (`OpenApi.Description`, `OpenApi.Summary`), else `GET /users/:id on the
 *   'users' resource`.
 * - `maxItems`, `onTruncate`: a list with more items is cut, with a note of how many there are, or fails (`raise`).
 * - `metadata`: for the application; beside `method`, `path`, `group` and `endpoint`.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { FetchHttpClient } from "effect/http"
 * import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
 * import { Toolset } from "effect-toolset"
 * import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
 *
 * const list = HttpApiEndpoint.get("list", "/tasks", { success: Schema.Array(Schema.String) })
 *   .annotate(HttpApiToolset.ToolMeta, { maxItems: 20 })
 * const clear = HttpApiEndpoint.delete("clear", "/tasks") // no ToolMeta: never a tool
 * const api = HttpApi.make("todo").add(HttpApiGroup.make("tasks").add(list, clear))
 *
 * const tools = Toolset.list(HttpApiToolset.make(api)).pipe(Effect.provide(FetchHttpClient.layer))
 * console.log((await Effect.runPromise(tools)).map((tool) => `${tool.name}: ${tool.description}`))
 * //> [ "get_tasks: GET /tasks on the 'tasks' resource" ]
 * ```
 */
export class ToolMeta extends Context.Service<
  ToolMeta,
  Truncation & {
    readonly name?: string | undefined
    readonly description?: string | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
  }
>()("effect-toolset/HttpApiToolset/ToolMeta") {}

/** What an endpoint says over what its group says over what its API says, field by field. */
export const mergedMeta = (
  annotations: ReadonlyArray<Context.Context<never>>
): ToolMeta["Service"] | undefined =>
  annotations
    .map((of) => Context.getOrUndefined(of, ToolMeta))
    .reduce<ToolMeta["Service"] | undefined>((above, own) => {
      if (own === undefined || above === undefined) return own ?? above
      const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
      return { ...above, ...given, metadata: { ...above.metadata, ...own.metadata } }
    }, undefined)
