import { Effect, Record, Redacted } from "effect"
import { McpClient, McpClientError } from "effect/ai"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import type { OnError } from "../toolset/failure.ts"
import { type Flaw, flawed } from "../toolset/flawed.ts"
import type { Toolset } from "../toolset/model.ts"
import { connected, type Options, type ToolFailure } from "./connected.ts"
import { type Connecting, connecting, defaultClientInfo, inTime } from "./connecting.ts"
import { unknownMeans } from "./connection.ts"
import { direct } from "../rest/client.ts"
import { hearing } from "./hearing.ts"
import { hiding, secretsGiven } from "../secrets/hiding.ts"
import type { McpError } from "./McpError.ts"
import { overheard } from "./overheard.ts"
import { adapterOf, negotiated, newest } from "./revision.ts"

/** An MCP server over Streamable HTTP, and how to speak with it. */
export interface HttpOptions<Mode extends OnError | undefined = OnError | undefined>
  extends Options<Mode>, Connecting {
  readonly url: string | URL | Redacted.Redacted
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted>> | undefined
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/**
 * The tools of an MCP server over Streamable HTTP.
 *
 * Connects when the toolset is opened; a server that has forgotten the session is connected anew, once per call. What the
 * server says with a status (401, 503, …) is in the error: `error.http`.
 *
 * Redirects are not followed: one would carry the headers to another host. Give the URL that it leads to.
 *
 * - `url`: the endpoint. `headers`: for every request. What is `Redacted` is hidden in errors.
 * - `transformClient`: the `HttpClient` as the server needs it.
 * - the rest: as for `stdio`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { FetchHttpClient } from "effect/http"
 * import { Toolset } from "effect-toolset"
 * import * as McpToolset from "effect-toolset/McpToolset"
 *
 * const tools = McpToolset.http({ url: "http://127.0.0.1:9/mcp", id: "search" })
 * const there = tools.pipe(Toolset.catchTags({ McpConnectionError: "recover" }))
 * const error = await Effect.runPromise(Effect.flip(Toolset.list(tools)).pipe(Effect.provide(FetchHttpClient.layer)))
 * console.log(error._tag)
 * //> McpConnectionError
 * console.log(Toolset.describe(there))
 * //> catchTags
 * //> └─ search
 * ```
 */
export const http = <Mode extends OnError | undefined = "retry">(
  options: HttpOptions<Mode>
): Toolset<McpError | ToolFailure<Mode>, HttpClient.HttpClient> => {
  const { headers = {}, transformClient, url } = options
  const server = {
    name: options.id ?? urlOf(url)?.host ?? "http",
    hide: hiding(secretsGiven([...Object.values(headers), ...secretsIn(url)]))
  }
  const connect = Effect.gen(function* () {
    const heard = hearing()
    const client = direct(yield* HttpClient.HttpClient)
    const own = overheard(transformClient?.(client) ?? client, heard.take)
    const transport = requested(options, own)
    const means = { ...unknownMeans, isStream: false, changes: heard.changes }
    return yield* connecting(server, options, { transport, means, heard, advice })
  })
  const toolset = inTime(connected({ ...server, connect }, options), options)
  return /^https?:$/.test(urlOf(url)?.protocol ?? "") ? toolset : flawed(toolset, "mcp", noEndpoint)
}

const noEndpoint: Flaw = {
  problem: "Its `url` is not a whole one, of http or https.",
  hint: 'Give one such as "https://example.com/mcp".'
}

const plain = <A>(value: A | Redacted.Redacted<A>): A =>
  Redacted.isRedacted(value) ? Redacted.value(value) : value

const urlOf = (url: HttpOptions["url"]): URL | undefined =>
  URL.canParse(String(plain(url))) ? new URL(plain(url)) : undefined

/** A URL that is a secret has it in its query, mostly; a password in one is a secret anyway. */
const secretsIn = (url: HttpOptions["url"]): ReadonlyArray<Redacted.Redacted> => {
  const read = urlOf(url)
  const inside = Redacted.isRedacted(url) ? [plain(url), ...(read?.searchParams.values() ?? [])] : []
  return [...inside, read?.password ?? ""].map((value) => Redacted.make(value))
}

const requested = Effect.fnUntraced(function* (
  { clientInfo = defaultClientInfo, headers = {}, protocol = "auto", url }: HttpOptions,
  client: HttpClient.HttpClient
) {
  const over = (protocol: McpClient.Transport["protocol"], client: HttpClient.HttpClient) =>
    McpClient.http({ url: plain(url), protocol, headers: Record.map(headers, plain) }).pipe(
      Effect.map(discreet),
      Effect.provideService(HttpClient.HttpClient, client)
    )
  if (protocol !== "auto") return yield* over(adapterOf(protocol), client)
  // A revision that is not agreed on yet is not said: there are servers that refuse one that they do not know.
  let agreed: string | undefined
  const undecided = HttpClient.mapRequest(client, (request) =>
    agreed === undefined
      ? HttpClientRequest.removeHeader(request, "mcp-protocol-version")
      : HttpClientRequest.setHeader(request, "mcp-protocol-version", agreed)
  )
  const transport = yield* over(newest, undecided)
  const stateful = yield* negotiated(transport, clientInfo, (revision) => {
    agreed = revision
  })
  return stateful ?? (yield* over(adapterOf("2026-07-28"), client))
})

/** A transport whose errors say what went wrong below, and not with which request: that has the headers and the URL. */
const discreet = (transport: McpClient.Transport): McpClient.Transport => ({
  ...transport,
  request: (message, tool) =>
    Effect.mapError(transport.request(message, tool), (error) => {
      const { reason } = error
      if (reason._tag !== "TransportError") return error
      const { cause, description } = reason
      const below = HttpClientError.isHttpClientError(cause) ? cause.reason.cause : cause
      return new McpClientError.McpClientError({
        reason: new McpClientError.TransportError({ description, cause: below })
      })
    })
})

const advice = ({ reason }: McpClientError.McpClientError): string | undefined =>
  reason._tag === "HttpError" && (reason.status === 404 || reason.status === 405)
    ? "A server that only has the older transport of two endpoints (HTTP+SSE) needs a client of its own: McpSdk.fromClient"
    : undefined
