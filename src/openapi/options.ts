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
 * - `id`: default: `openapi-` and the title of the document.
 * - `include`, `exclude`: by group (the first tag, else the first literal segment of the path), method and path, or a
 *   predicate.
 * - `baseUrl`: in place of every server of the document; `serverVariables`: for those that its servers have.
 * - `security`: values for the security schemes of the document, by name.
 * - `headers`, `cookies`: go with every request; a required header or cookie parameter that is here is none of the
 *   model's business.
 * - `exposeHeaders`: header parameters that the model fills in; never `Authorization`.
 * - `trustedHosts`: where `security`, `headers` and `cookies` go besides the document's own servers and `baseUrl`.
 * - `slashes`: in values of path parameters: `encode` (default) sends `%2F`, `refuse` asks the model to mend it.
 */
export interface Options<Mode extends OnError = "retry"> extends ConnectOptions<Mode>, Truncation {
  readonly id?: string | undefined
  readonly include?: Selection<Operation> | undefined
  readonly exclude?: Selection<Operation> | undefined
  readonly serverVariables?: Readonly<Record<string, string>> | undefined
  readonly security?: Readonly<Record<string, Credential>> | undefined
  readonly headers?: Readonly<Record<string, Configured>> | undefined
  readonly cookies?: Readonly<Record<string, Configured>> | undefined
  readonly exposeHeaders?: boolean | ReadonlyArray<string> | undefined
  readonly trustedHosts?: ReadonlyArray<string> | undefined
  readonly slashes?: Slashes | undefined
  readonly maxRetries?: number | undefined
}
