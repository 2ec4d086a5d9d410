/** The client of an opened toolset: derived from the one in the environment, which is shared and stays as it is. */
import { Context, Effect, Redacted } from "effect"
import { FetchHttpClient, Headers, HttpClient, HttpClientRequest } from "effect/http"
import type { Flaw } from "../toolset/flawed.ts"

/** How a toolset talks to its server. */
export interface ClientOptions {
  readonly baseUrl?: string | URL | undefined
  /** For every request, over those of the request; a `Redacted` one stays out of spans and messages. */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted>> | undefined
  /** The last to see a request and the first to see its response. Changes of requests alone: `HttpClient.mapRequest`. */
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/**
 * A client with a base URL, headers and transforms of its own.
 *
 * It does not follow redirects: a followed one would carry keys to another host, and its answer is not the endpoint's.
 */
export const derived = (
  client: HttpClient.HttpClient,
  { baseUrl, headers = {}, transformClient = (client) => client }: ClientOptions,
  secretHeaders: ReadonlyArray<string>
): HttpClient.HttpClient => {
  const plain = Object.entries(headers).map(
    ([name, value]) => [name, Redacted.isRedacted(value) ? Redacted.value(value) : value] as const
  )
  return client.pipe(
    HttpClient.mapRequest((request) => {
      const addressed =
        baseUrl === undefined ? request : HttpClientRequest.prependUrl(request, baseUrl.toString())
      return HttpClientRequest.setHeaders(addressed, plain)
    }),
    direct,
    HttpClient.transformResponse((sending) =>
      Effect.updateContext(sending, (context: Context.Context<never>) =>
        Context.add(context, Headers.CurrentRedactedNames, [
          ...Context.get(context, Headers.CurrentRedactedNames),
          ...secretHeaders
        ])
      )
    ),
    transformClient
  )
}

/** A client that does not follow redirects: a followed one would carry keys to another host. */
export const direct: (client: HttpClient.HttpClient) => HttpClient.HttpClient = HttpClient.transformResponse(
  (sending) =>
    Effect.updateContext(sending, (context: Context.Context<never>) =>
      Context.add(context, FetchHttpClient.RequestInit, {
        ...Context.getOrUndefined(context, FetchHttpClient.RequestInit),
        redirect: "manual"
      })
    )
)

/** The names of headers that are given as `Redacted`. */
export const secretHeaders = ({ headers = {} }: ClientOptions): ReadonlyArray<string> =>
  Object.keys(headers).filter((name) => Redacted.isRedacted(headers[name]))

/** A base URL that paths can be appended to: a whole one, or in a browser one from the root. */
export const baseUrlFlaw = (baseUrl: string | URL): Flaw | undefined => {
  const text = baseUrl.toString()
  const isAbsolute = /^https?:\/\//i.test(text) && URL.canParse(text)
  if ((isAbsolute || text.startsWith("/")) && !/[?#]/.test(text)) return undefined
  return {
    problem: "Its `baseUrl` is not one that paths can be appended to.",
    hint: 'Give one such as "https://api.example.com/v1", without a query or a fragment.'
  }
}
