/** The endpoints of an API, with what their tools need to know. */
import { Context, type Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import type { Endpoint } from "./options.ts"
import { mergedMeta, ToolMeta } from "./ToolMeta.ts"

export type SchemasByStatus = ReadonlyMap<number, ReadonlyArray<Schema.Top>>

/** An endpoint of an API. */
export interface Reflected extends Endpoint {
  readonly declaration: HttpApiEndpoint.Top
  readonly isTopLevel: boolean
  /** Nothing, where it does not carry any: then it is never a tool. */
  readonly meta: ToolMeta["Service"] | undefined
  /** Whether it says itself that it is a tool, and not its group or API. */
  readonly isChosen: boolean
  readonly annotations: Context.Context<never>
  readonly successes: SchemasByStatus
  readonly errors: SchemasByStatus
}

/** `any`: nothing here depends on which groups an API has. */
export type AnyApi = HttpApi.HttpApi<string, any>

export const reflected = (api: AnyApi): ReadonlyArray<Reflected> => {
  const endpoints: Array<Reflected> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, errors, group, mergedAnnotations, successes }) => {
      endpoints.push({
        group: group.identifier,
        endpoint: endpoint.identifier,
        method: endpoint.method,
        path: endpoint.path,
        declaration: endpoint,
        isTopLevel: group.topLevel,
        // What an API keeps out of its documentation is a tool only where it says so itself.
        meta:
          Context.get(mergedAnnotations, OpenApi.Exclude) && !isChosen(endpoint)
            ? undefined
            : mergedMeta([api.annotations, group.annotations, endpoint.annotations]),
        isChosen: isChosen(endpoint),
        annotations: mergedAnnotations,
        successes,
        errors
      })
    }
  })
  return endpoints
}

const isChosen = (endpoint: HttpApiEndpoint.Top): boolean =>
  Context.getOrUndefined(endpoint.annotations, ToolMeta) !== undefined
