/** The tools of a document, in front of a server that remembers what reached it. */
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Toolset } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { type Answer, json, recording, type Seen } from "../rest/server.ts"

export type Fields = Readonly<Record<string, any>>

/** A document with these paths. */
export const documentOf = (paths: Fields, rest: Fields = {}): Fields => ({
  openapi: "3.1.0",
  info: { title: "Test", version: "1" },
  paths,
  ...rest
})

/** A document of one operation, `call`: `GET /call`. */
export const operationOf = (operation: Fields, rest: Fields = {}): Fields =>
  documentOf({ "/call": { get: { operationId: "call", ...operation } } }, rest)

/** A document of one operation, `call`, that takes a body. */
export const bodyOf = (content: Fields, required = true): Fields =>
  documentOf({ "/call": { post: { operationId: "call", requestBody: { required, content } } } })

/** Opens the tools of a document; without a base URL of their own they are at `/api` of the server. */
export const served = (
  document: unknown,
  options: OpenApiToolset.Options = {},
  answer: (seen: Seen, index: number) => Answer = () => json({ ok: true })
) =>
  Effect.gen(function* () {
    const { baseUrl, seen } = yield* recording(answer)
    const toolset = yield* OpenApiToolset.make(document, { baseUrl: `${baseUrl}/api`, ...options })
    const session = yield* Toolset.open(toolset)
    return { baseUrl, call: session.call, seen, toolset }
  }).pipe(Effect.provide(FetchHttpClient.layer))

/** The one request that a call of `call` makes. */
export const sent = (document: unknown, args: unknown, options: OpenApiToolset.Options = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { call, seen } = yield* served(document, options)
      yield* call("call", args)
      return seen[0]!
    })
  )

/** Why a call of `call` is refused, and that nothing was sent. */
export const refused = (document: unknown, args: unknown, options: OpenApiToolset.Options = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { call, seen } = yield* served(document, options)
      const signal = yield* Effect.flip(call("call", args))
      return { requests: seen.length, tag: signal._tag, message: signal.message }
    })
  )

export const anywhere = { baseUrl: "http://127.0.0.1:1" } as const

/** The definitions of a document's tools, by name. */
export const definitionsOf = (document: unknown, options: OpenApiToolset.Options = {}) =>
  Effect.map(OpenApiToolset.report(document, { ...anywhere, ...options }), ({ tools }) =>
    Object.fromEntries(tools.map((tool) => [tool.name, tool] as const))
  )

/** What is left out and what is said, each as `METHOD path: reason`. */
export const reasonsOf = (document: unknown, options: OpenApiToolset.Options = {}) =>
  Effect.map(OpenApiToolset.report(document, { ...anywhere, ...options }), ({ remarks, skipped }) => ({
    skipped: skipped.map(({ method, path, reason }) => `${method} ${path}: ${reason}`),
    remarks: remarks.map(({ method, path, reason }) => `${method} ${path}: ${reason}`)
  }))

/** A schema as the model is told it: of what it sends, and of what it reads. */
export const schemaBothWays = (schema: unknown, rest: Fields = {}) =>
  Effect.map(
    definitionsOf(
      documentOf(
        {
          "/call": {
            post: {
              operationId: "call",
              requestBody: { content: { "application/json": { schema } } },
              responses: { 200: { content: { "application/json": { schema } } } }
            }
          }
        },
        rest
      )
    ),
    ({ call }) => ({
      request: (call!.parameters.properties as Fields).request_body,
      response: call!.returns,
      $defs: call!.parameters.$defs
    })
  )

export const secret = (value: string) => Redacted.make(value)

/** A security scheme of every kind. */
export const schemes: Fields = {
  basic: { type: "http", scheme: "Basic" },
  bearer: { type: "http", scheme: "bearer" },
  oauth: { type: "oauth2", flows: {} },
  openId: { type: "openIdConnect", openIdConnectUrl: "x" },
  header: { type: "apiKey", in: "header", name: "Authorization" },
  query: { type: "apiKey", in: "query", name: "api key" },
  cookie: { type: "apiKey", in: "cookie", name: "sid" },
  mutual: { type: "mutualTLS" },
  referred: { $ref: "#/components/securitySchemes/bearer" }
}
