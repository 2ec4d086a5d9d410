import type { ConnectOptions } from "../rest/connect.ts"
import type { Grouped, Selection } from "../rest/selection.ts"
import type { Slashes } from "../rest/path.ts"
import type { Truncation } from "../rest/truncated.ts"
import type { OnError } from "../toolset/failure.ts"

/** An endpoint, as options select it and reports name it. */
export interface Endpoint extends Grouped {
  readonly endpoint: string
}

/**
 * How an API becomes tools, and how they are called.
 *
 * - `id`: default: `http-api-` and the identifier of the API.
 * - `include`, `exclude`: over what carries `ToolMeta`: groups (`["users"]`), methods of a group (`{ users: ["GET"] }`),
 *   paths of a method (`{ users: { GET: ["/users/:id"] } }`), or a predicate. A name that the API does not have is a
 *   `ToolsetDefinitionError` that lists those it has.
 * - `maxRetries`: of every tool; default: the run's.
 * - `maxItems`, `onTruncate`: of every tool that says nothing of its own.
 * - `slashes`: what becomes of a slash in a path parameter: `refuse` (default), or `encode` it as `%2F`.
 * - `headerParams`: also asks the model for the headers that endpoints declare, but for those that `headers` gives, and
 *   those that hold credentials, frame a request or send it elsewhere.
 * - `flat`: one flat object of arguments, without `path_params`, `query` and `request_body`; names that clash are a
 *   `ToolsetDefinitionError`.
 * - `baseUrl`, `headers`, `transformClient`: of a client derived from the `HttpClient` in the environment, which does not
 *   follow redirects; a `Redacted` header stays out of spans and messages. Changes of requests alone:
 *   `HttpClient.mapRequest`.
 * - `retryOn`: statuses that may be gone the next time; default: 408, 429, 500, 502, 503, 504.
 * - `onError`: what becomes of requests that fail. `retry` (default): the model may try such a status again; `fail`: such
 *   statuses, lost connections and timeouts stay in `E`; `recover`: nothing is tried again. All else the model is told.
 *   A function chooses for each failure.
 * - `schedule`: sends those again without a turn of the model, for idempotent endpoints (those of a method that is, or with
 *   the annotation `Tool.Idempotent`), and not before `Retry-After`.
 * - `timeout`: bounds each request, its body included.
 */
export interface Options<Mode extends OnError = OnError> extends ConnectOptions<Mode>, Truncation {
  readonly id?: string | undefined
  readonly include?: Selection<Endpoint> | undefined
  readonly exclude?: Selection<Endpoint> | undefined
  readonly maxRetries?: number | undefined
  readonly slashes?: Slashes | undefined
  readonly headerParams?: boolean | undefined
  readonly flat?: boolean | undefined
}
