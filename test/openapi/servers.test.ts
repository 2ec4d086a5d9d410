/** Where requests go, and where credentials go with them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import { Toolset } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { json, recording } from "../rest/server.ts"
import { documentOf, type Fields, operationOf, reasonsOf, schemes, secret } from "./served.ts"

const credentials: OpenApiToolset.Options = {
  headers: { "x-plain": "plain-secret", "x-key": secret("header-secret") },
  cookies: { session: "cookie-secret" },
  security: { basic: { username: "me", password: secret("basic-secret") }, query: secret("query-secret") }
}

const secured = { security: [{ basic: [], query: [] }], components: { securitySchemes: schemes } }

/** Calls `call` and gives every request that anybody got, as text. */
const requests = (document: Fields, options: OpenApiToolset.Options) => {
  const seen: Array<{ readonly origin: string; readonly text: string }> = []
  const client = HttpClient.make((request, url) =>
    Effect.sync(() => {
      seen.push({
        origin: url.origin,
        text: `${url.href} ${JSON.stringify(Object.entries(request.headers))}`
      })
      return HttpClientResponse.fromWeb(request, Response.json({}))
    })
  )
  return Effect.gen(function* () {
    const toolset = yield* OpenApiToolset.make(document, options)
    yield* Toolset.call(toolset, "call", {})
    return seen
  }).pipe(Effect.provideService(HttpClient.HttpClient, client))
}

describe("credentials", () => {
  /** The servers of the document, one of the operation, what is trusted besides, and whether credentials go. */
  const cases: ReadonlyArray<
    readonly [root: string, own: string, trusted: ReadonlyArray<string>, goes: boolean]
  > = [
    ["https://a.test/v1", "https://a.test/v2", [], true],
    ["https://a.test", "https://a.test:443/", [], true],
    ["https://a.test", "https://A.TEST/", [], true],
    ["https://a.test", "http://a.test", [], false],
    ["http://a.test", "https://a.test", [], false],
    ["https://a.test", "https://a.test:8443", [], false],
    ["https://a.test", "https://b.a.test", [], false],
    ["https://a.test", "https://a.test.evil.test", [], false],
    ["https://a.test", "https://a.test@evil.test", [], false],
    ["https://a.test", "https://evil.test/a.test", [], false],
    ["https://a.test", "https://b.test", ["b.test"], true],
    ["https://a.test", "https://b.test", ["https://b.test"], true],
    ["https://a.test", "https://b.test", ["https://b.test/"], true],
    ["https://a.test", "https://b.test", ["B.test:443"], true],
    ["https://a.test", "http://b.test", ["b.test"], false],
    ["https://a.test", "http://b.test", ["b.test:80"], false],
    ["https://a.test", "http://b.test", ["http://b.test"], true],
    ["https://a.test", "https://b.test", ["http://b.test"], false],
    ["https://a.test", "https://b.test:8443", ["b.test"], false],
    ["https://a.test", "https://b.test:8443", ["b.test:8443"], true],
    ["https://a.test", "https://c.b.test", ["b.test"], false],
    ["https://a.test", "http://[::1]:8080", ["http://[::1]:8080"], true],
    ["https://a.test", "http://127.0.0.1:8080", ["http://localhost:8080"], false]
  ]
  for (const [root, own, trusted, goes] of cases) {
    it.effect(
      `${goes ? "go" : "do not go"} to ${own}, of ${root}${trusted.map((host) => ` and ${host}`).join("")}`,
      () =>
        Effect.gen(function* () {
          for (const place of ["operation", "path"]) {
            const servers = [{ url: own }]
            const operation = { operationId: "call", ...(place === "operation" ? { servers } : {}) }
            const document = documentOf(
              { "/call": { get: operation, ...(place === "path" ? { servers } : {}) } },
              { ...secured, servers: [{ url: root }] }
            )
            const options = { ...credentials, trustedHosts: trusted }
            const [request, ...more] = yield* requests(document, options)
            assert.deepStrictEqual(more, [])
            assert.strictEqual(request!.origin, new URL(own).origin)
            for (const value of [
              "plain-secret",
              "header-secret",
              "cookie-secret",
              "query-secret",
              btoa("me:basic-secret")
            ]) {
              assert.strictEqual(request!.text.includes(value), goes, value)
            }
            const { remarks } = yield* OpenApiToolset.report(document, options)
            assert.strictEqual(
              remarks.some(({ reason }) => reason.includes(`do not go to ${new URL(own).origin}: `)),
              !goes
            )
          }
        })
    )
  }

  it.effect("go to a base URL, in a browser also to one from the root", () =>
    Effect.gen(function* () {
      const document = documentOf(
        { "/call": { get: { operationId: "call" }, servers: [{ url: "https://b.test" }] } },
        { ...secured, servers: [{ url: "https://a.test" }] }
      )
      const [request] = yield* requests(document, { ...credentials, baseUrl: "https://c.test/api" })
      assert.include(request!.text, "https://c.test/api/call?")
      assert.include(request!.text, "header-secret")
      const { remarks, skipped, tools } = yield* OpenApiToolset.report(document, {
        ...credentials,
        baseUrl: "/api"
      })
      assert.deepStrictEqual([remarks.length, skipped.length, tools.length], [0, 0, 1])
    })
  )

  it.live("are not taken along by a redirect, and the other place sees nothing", () =>
    Effect.gen(function* () {
      const other = yield* recording(() => json({}))
      for (const status of [301, 302, 303, 307, 308]) {
        const own = yield* recording(() => ({ status, headers: { location: `${other.baseUrl}/steal` } }))
        const toolset = yield* OpenApiToolset.make(
          operationOf({}, { ...secured, servers: [{ url: own.baseUrl }] }),
          credentials
        )
        const error = yield* Effect.flip(Toolset.call(toolset, "call", {}))
        assert.strictEqual(String(error), `ToolFailed: GET /call returned ${status}.`)
      }
      assert.strictEqual(other.seen.length, 0)
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.effect("have trusted places that are origins", () =>
    Effect.gen(function* () {
      const document = operationOf({}, { servers: [{ url: "https://a.test" }] })
      for (const host of [
        "",
        "https://b.test/path",
        "b.test?x",
        "u@b.test",
        "*.b.test",
        "ftp://b.test",
        "b test",
        "b.test:x"
      ]) {
        const error = yield* Effect.flip(OpenApiToolset.make(document, { trustedHosts: ["b.test", host] }))
        assert.strictEqual(error._tag, "ToolsetDefinitionError")
        assert.include(error.message, `Its \`trustedHosts\` name '${host}', which is no origin.`)
      }
    })
  )
})

describe("values of server variables", () => {
  const server = (url: string, variables: Fields): Fields =>
    operationOf({}, { servers: [{ url, variables }] })

  const url = (document: Fields, serverVariables: Readonly<Record<string, string>>) =>
    Effect.map(requests(document, { serverVariables }), ([request]) => request!.text.split(" ")[0])

  it.effect("stay in their places, wherever these are", () =>
    Effect.gen(function* () {
      const free = { default: "x" }
      const places = [
        "https://{v}.a.test",
        "https://a.test/{v}",
        "https://a.test/{v}/v1",
        "https://{v}",
        "https://{v}/v1",
        "https://a.test:{v}/v1",
        "{v}://a.test/v1"
      ]
      const bad = [
        [
          "/",
          "evil.test/",
          "a/b",
          "//evil.test",
          "\\evil.test",
          "u@evil.test",
          "@evil.test",
          "evil.test#",
          "evil.test?",
          "?x"
        ],
        ["..", ".", "%2e%2e", "%2F..", " ", "a b", "\t", "a\nb", "\0", "https://evil.test"]
      ].flat()
      for (const place of places) {
        for (const value of bad) {
          const error = yield* Effect.flip(
            OpenApiToolset.make(server(place, { v: free }), { serverVariables: { v: value } })
          )
          assert.strictEqual(error._tag, "ToolsetDefinitionError", `${place} ${value}`)
          assert.include(error.message, `the value '${value}', which would not stay in its place in the URL.`)
        }
        // What makes no URL there is none.
        for (const value of ["", "a:b", "99999", "javascript", "[", "a..b", "x:80"]) {
          const document = server(place, { v: free })
          const made = yield* Effect.result(url(document, { v: value }))
          if (made._tag === "Failure") assert.strictEqual((made.failure as Fields)._tag, "OpenApiError")
          else {
            const { host, pathname } = new URL(made.success!)
            assert.isTrue(
              host.endsWith("a.test") || place.startsWith("https://{v}") || value === "99999",
              made.success
            )
            assert.isTrue(pathname.endsWith("/call"), pathname)
          }
        }
      }
    })
  )

  it.effect("may be a whole host, which is theirs who configure it", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* url(server("https://{host}/v1", { host: { default: "a.test" } }), { host: "mine.test:8443" }),
        "https://mine.test:8443/v1/call"
      )
    })
  )

  it.effect("are those that the document lists, whatever they are, and no others, for each server", () =>
    Effect.gen(function* () {
      const listed = server("https://a.test/{base}", { base: { default: "v1", enum: ["v1", "v2/beta"] } })
      assert.strictEqual(yield* url(listed, { base: "v2/beta" }), "https://a.test/v2/beta/call")
      assert.strictEqual(yield* url(listed, {}), "https://a.test/v1/call")
      const error = yield* Effect.flip(OpenApiToolset.make(listed, { serverVariables: { base: "v3" } }))
      assert.match(error.message, /'v3'.*There are: 'v1', 'v2\/beta'/)
      const variable = (values: ReadonlyArray<string>) => ({ region: { default: values[0], enum: values } })
      const two = documentOf(
        {
          "/call": { get: { operationId: "call" } },
          "/other": {
            servers: [{ url: "https://{region}.b.test", variables: variable(["asia"]) }],
            get: { operationId: "other" }
          }
        },
        { servers: [{ url: "https://{region}.a.test", variables: variable(["eu", "us"]) }] }
      )
      const options = { serverVariables: { region: "us" }, baseUrl: undefined }
      assert.strictEqual(yield* url(two, options.serverVariables), "https://us.a.test/call")
      assert.deepStrictEqual((yield* reasonsOf(two, options)).skipped, [
        "GET /other: its server cannot have the region 'us'"
      ])
    })
  )
})
