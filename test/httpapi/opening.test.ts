/** The client of an opened toolset: one, derived, shared by all calls, and nobody else's changed. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { recording } from "../rest/server.ts"
import { api } from "./api.ts"

const ping = (toolset: Toolset.Toolset<never, HttpClient.HttpClient>) =>
  Toolset.call(toolset, "post_orders_ping", {})

const done = () => ({ status: 204 })

/** A client that counts how often it is made and given back. */
const counted = (counts: { opened: number; closed: number }) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.acquireRelease(
      Effect.sync(() => {
        counts.opened++
      }),
      () => Effect.sync(() => counts.closed++)
    ).pipe(Effect.andThen(HttpClient.HttpClient))
  ).pipe(Layer.provide(FetchHttpClient.layer))

describe("the client", () => {
  it.live("is one for each opened toolset that brings its own, and is closed once", () =>
    Effect.gen(function* () {
      const counts = { opened: 0, closed: 0 }
      const { baseUrl, seen } = yield* recording(done)
      const toolset = HttpApiToolset.make(api, { baseUrl }).pipe(Toolset.provide(counted(counts)))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* Toolset.open(toolset)
          yield* Effect.all(
            Array.from({ length: 5 }, () => session.call("post_orders_ping", {})),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(counts, { opened: 1, closed: 0 })
        })
      )
      assert.deepStrictEqual(counts, { opened: 1, closed: 1 })
      assert.strictEqual(seen.length, 5)
    }).pipe(Effect.scoped)
  )

  it.live("that the application gives is used, and never closed", () =>
    Effect.gen(function* () {
      const counts = { opened: 0, closed: 0 }
      const { baseUrl } = yield* recording(done)
      const toolset = HttpApiToolset.make(api, { baseUrl })
      yield* Effect.gen(function* () {
        yield* ping(toolset)
        yield* ping(toolset)
        assert.deepStrictEqual(counts, { opened: 1, closed: 0 })
      }).pipe(Effect.provide(counted(counts)))
      assert.deepStrictEqual(counts, { opened: 1, closed: 1 })
    }).pipe(Effect.scoped)
  )

  it.live("of the application stays as it is: after, and during, and when a call fails", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording((seen) => ({
        status: seen.url.endsWith("ping") ? 500 : 204
      }))
      const client = yield* HttpClient.HttpClient
      const toolset = HttpApiToolset.make(api, {
        baseUrl,
        headers: { "x-toolset": "yes" },
        transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("x-transformed", "yes"))
      })
      const session = yield* Toolset.open(toolset)
      yield* Effect.flip(session.call("post_orders_ping", {}))
      yield* client.get(`${baseUrl}/direct`)
      assert.strictEqual(yield* HttpClient.HttpClient, client)
      assert.deepStrictEqual(
        seen.map(({ headers }) => [headers["x-toolset"], headers["x-transformed"]]),
        [
          ["yes", "yes"],
          [undefined, undefined]
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.live("is each toolset's own, where two share an API and a client, also at the same time", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(done)
      const of = (name: string) => HttpApiToolset.make(api, { baseUrl, id: name, headers: { "x-who": name } })
      yield* Effect.all([ping(of("a")), ping(of("b")), ping(of("a"))], { concurrency: "unbounded" })
      assert.deepStrictEqual(seen.map(({ headers }) => headers["x-who"]).toSorted(), ["a", "a", "b"])
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.live("sets its headers over those of the endpoint and of the application's client", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(done)
      const endpoint = HttpApiEndpoint.get("x", "/x", {
        headers: { "x-a": Schema.String, "x-b": Schema.optionalKey(Schema.String) }
      }).annotate(HttpApiToolset.ToolMeta, {})
      const one = HttpApi.make("one").add(HttpApiGroup.make("g").add(endpoint))
      const toolset = HttpApiToolset.make(one, {
        baseUrl,
        headers: { "X-A": Redacted.make("3"), "x-c": "3" },
        headerParams: true
      })
      const service = HttpClient.mapRequest(HttpClientRequest.setHeaders({ "x-c": "1", "x-d": "1" }))
      yield* Toolset.call(toolset, "get_g_x", { headers: { "x-b": "2" } }).pipe(
        Effect.updateService(HttpClient.HttpClient, service)
      )
      const { "x-a": a, "x-b": b, "x-c": c, "x-d": d } = seen[0]!.headers
      assert.deepStrictEqual({ a, b, c, d }, { a: "3", b: "2", c: "3", d: "1" })
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.live("appends paths to a base URL that has one", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(done)
      for (const path of ["", "/", "/api/v3", "/api/v3/"]) {
        yield* ping(HttpApiToolset.make(api, { baseUrl: `${baseUrl}${path}` }))
        yield* ping(HttpApiToolset.make(api, { baseUrl: new URL(`${baseUrl}${path}`) }))
      }
      assert.deepStrictEqual(
        [...new Set(seen.map(({ url }) => url))],
        ["/orders/ping", "/api/v3/orders/ping"]
      )
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.live("may have a base URL of its own, where the options have none", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(done)
      const own = HttpClient.mapRequest(HttpClientRequest.prependUrl(baseUrl))
      yield* ping(HttpApiToolset.make(api)).pipe(Effect.updateService(HttpClient.HttpClient, own))
      assert.strictEqual(seen[0]?.url, "/orders/ping")
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )
})

class NoToken extends Schema.TaggedError<NoToken>()("NoToken", {}) {}
class Signed extends HttpApiMiddleware.Service<Signed, { clientError: NoToken }>()("test/Signed", {
  requiredForClient: true
}) {}
class Token extends Context.Service<Token, string | undefined>()("test/Token") {}

describe("the middleware of an API", () => {
  const signed = HttpApi.make("signed").add(
    HttpApiGroup.make("g").add(
      HttpApiEndpoint.get("x", "/x").annotate(HttpApiToolset.ToolMeta, {}).middleware(Signed)
    )
  )
  const client = HttpApiMiddleware.layerClient(
    Signed,
    Effect.map(
      Token,
      (token) =>
        ({ next, request }) =>
          token === undefined
            ? Effect.fail(new NoToken())
            : next(HttpClientRequest.bearerToken(request, token))
    )
  )
  const layer = (token: string | undefined) =>
    Layer.merge(client.pipe(Layer.provide(Layer.succeed(Token, token))), FetchHttpClient.layer)

  it.live("works on the requests of its tools, and may fail before they are sent", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording((seen) => ({
        status: 401,
        body: JSON.stringify(seen.headers)
      }))
      const toolset = HttpApiToolset.make(signed, { baseUrl })
      const call = Effect.flip(Toolset.call(toolset, "get_g_x", {}))
      const refused = yield* Effect.provide(call, layer("s3cr3t-token"))
      assert.strictEqual(seen[0]?.headers.authorization, "Bearer s3cr3t-token")
      assert.strictEqual(refused._tag, "ToolFailed")
      assert.notInclude(refused.message, "s3cr3t-token")
      assert.instanceOf(yield* Effect.provide(call, layer(undefined)), NoToken)
      assert.strictEqual(seen.length, 1)
    }).pipe(Effect.scoped)
  )
})

describe("a client that fails in a way of its own", () => {
  it.effect("dies with its defects, which are nobody's to read", () =>
    Effect.gen(function* () {
      const broken = HttpClient.make(() => Effect.die("broken"))
      const exit = yield* Effect.exit(
        ping(HttpApiToolset.make(api, { baseUrl: "http://a.test" })).pipe(
          Effect.provideService(HttpClient.HttpClient, broken)
        )
      )
      assert.match(String(exit), /broken/)
    })
  )

  it.effect("gives responses that never were on a network", () =>
    Effect.gen(function* () {
      const memory = HttpClient.make((request) =>
        Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, { status: 204 })))
      )
      const toolset = HttpApiToolset.make(api, { baseUrl: "http://a.test" })
      assert.strictEqual(
        yield* ping(toolset).pipe(Effect.provideService(HttpClient.HttpClient, memory)),
        null
      )
    })
  )
})
