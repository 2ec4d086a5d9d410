/** What `OpenApiToolset.make` takes besides the document. */
import type { Redacted } from "effect"
import type { ConnectOptions } from "../rest/connect.ts"
import type { Slashes } from "../rest/path.ts"
import type { Truncation } from "../rest/truncated.ts"
import type { OnError } from "../toolset/failure.ts"
import type { Operation } from "./operations.ts"
import type { Selection } from "../rest/selection.ts"

/** What a security scheme is filled with: a key or token, or a name and a password for `http` `basic`. */
export type Credential =
  | Redacted.Redacted
  | { readonly username: string; readonly password: Redacted.Redacted }

/** A value that goes with requests and that the model never sees. */
export type Configured = string | Redacted.Redacted

/**
 * How a document becomes tools, and how they are called.
 *
 * - `id`: default: `openapi-` and the title of the document.
 * - `include`, `exclude`: groups (`["users"]`: the first tag, else the first literal segment of the path), methods of a
 *   group (`{ users: ["GET"] }`), paths of a method (`{ users: { GET: ["/users/{id}"] } }`), or a predicate. A name that
 *   the document does not have is a `ToolsetDefinitionError` that lists those it has.
 * - `maxRetries`: of every tool; default: the run's. `maxItems`, `onTruncate`: of every tool.
 * - `baseUrl`: in place of every server of the document; `serverVariables`: values for those of its servers, of those that
 *   the document lists, else without what ends a part of a URL.
 * - `security`: values for the security schemes of the document, by their names.
 * - `headers`, `cookies`: go with every request. A header or cookie parameter that an operation requires and nobody gives
 *   costs the operation.
 * - `headerParams`: the header parameters that the model fills in, all or by name; never those that hold credentials,
 *   frame a request or send it elsewhere (`Authorization`, `Cookie`, `Host`, `X-Forwarded-For`, …).
 * - `trustedHosts`: origins where `security`, `headers` and `cookies` go besides `baseUrl` and the servers of the document
 *   itself; servers that single operations name are none of those. Scheme and port count: `https://files.example.com:8443`;
 *   a host alone is that of `https`.
 * - `slashes`: what becomes of a slash in a path parameter: `encode` it as `%2F` (default), or `refuse`.
 * - `transformClient`: the client is derived from the `HttpClient` in the environment, and does not follow redirects.
 * - `retryOn`: statuses that may be gone the next time; default: 408, 429, 500, 502, 503, 504.
 * - `onError`: what becomes of requests that fail. `retry` (default): the model may try such a status again; `fail`: such
 *   statuses, lost connections and timeouts stay in `E`; `recover`: nothing is tried again. All else the model is told.
 *   A function chooses for each failure.
 * - `schedule`: sends those again without a turn of the model, where the method is idempotent or the operation takes an
 *   `Idempotency-Key`, and not before `Retry-After`.
 * - `timeout`: bounds each request, its body included.
 */
export interface Options<Mode extends OnError = OnError> extends ConnectOptions<Mode>, Truncation {
  readonly id?: string | undefined
  readonly include?: Selection<Operation> | undefined
  readonly exclude?: Selection<Operation> | undefined
  readonly serverVariables?: Readonly<Record<string, string>> | undefined
  readonly security?: Readonly<Record<string, Credential>> | undefined
  readonly headers?: Readonly<Record<string, Configured>> | undefined
  readonly cookies?: Readonly<Record<string, Configured>> | undefined
  readonly headerParams?: boolean | ReadonlyArray<string> | undefined
  readonly trustedHosts?: ReadonlyArray<string> | undefined
  readonly slashes?: Slashes | undefined
  readonly maxRetries?: number | undefined
}
