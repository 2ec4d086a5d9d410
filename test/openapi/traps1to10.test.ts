/** Traps of real documents, by their number in the notes: authentication, paths, hosts, bodies. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Toolset } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { json, recording } from "../rest/server.ts"
import {
  bodyOf,
  definitionsOf,
  documentOf,
  type Fields,
  operationOf,
  reasonsOf,
  refused,
  sent
} from "./served.ts"

const pathParameter = (name: string): Fields => ({
  in: "path",
  name,
  required: true,
  schema: { type: "string" }
})

describe("traps of documents", () => {
  it.effect("1: a document that declares no security is authenticated by configured headers", () =>
    Effect.gen(function* () {
      const document = operationOf({})
      const headers = { authorization: Redacted.make("Bearer secret") }
      const request = yield* sent(document, {}, { headers })
      assert.strictEqual(request.headers.authorization, "Bearer secret")
      const { call } = yield* definitionsOf(document, { headers })
      assert.deepStrictEqual(call!.parameters, {
        type: "object",
        properties: {},
        additionalProperties: false
      })
    })
  )

  it.effect("2: a slash in a path value is sent encoded, and JSON is asked for wherever it is listed", () =>
    Effect.gen(function* () {
      const document = documentOf({
        "/repos/{owner}/contents/{path}": {
          get: {
            operationId: "call",
            parameters: [pathParameter("owner"), pathParameter("path")],
            responses: {
              200: {
                content: {
                  "application/vnd.github.object": { schema: {} },
                  "application/json": { schema: {} }
                }
              }
            }
          }
        }
      })
      const request = yield* sent(document, { path_params: { owner: "o", path: "src/index.ts" } })
      assert.strictEqual(request.url, "/api/repos/o/contents/src%2Findex.ts")
      assert.strictEqual(request.headers.accept, "application/json")
      const leading = yield* refused(document, { path_params: { owner: "o", path: "../../user/keys" } })
      assert.deepStrictEqual([leading.requests, leading.tag], [0, "ModelRetry"])
      const slashes = yield* refused(
        document,
        { path_params: { owner: "o", path: "src/index.ts" } },
        { slashes: "refuse" }
      )
      assert.match(slashes.message, /path_params\.path must not contain a slash/)
    })
  )

  it.effect("3: parameters fill parts of a segment", () =>
    Effect.gen(function* () {
      const compare = documentOf({
        "/compare/{base}...{head}": {
          get: { operationId: "call", parameters: [pathParameter("base"), pathParameter("head")] }
        }
      })
      assert.strictEqual(
        (yield* sent(compare, { path_params: { base: "v1/x", head: "main" } })).url,
        "/api/compare/v1%2Fx...main"
      )
      const account = documentOf({
        "/Accounts/{Sid}.json": { get: { operationId: "call", parameters: [pathParameter("Sid")] } }
      })
      assert.strictEqual(
        (yield* sent(account, { path_params: { Sid: "AC1" } })).url,
        "/api/Accounts/AC1.json"
      )
    })
  )

  it.effect("4: two templates that differ only in the names of their parameters are two tools", () =>
    Effect.gen(function* () {
      const tools = yield* definitionsOf(
        documentOf({
          "/orgs/{org}/attestations/{digest}": { get: {} },
          "/orgs/{org}/attestations/{id}": { get: {} }
        })
      )
      assert.deepStrictEqual(Object.keys(tools), [
        "get_orgs_org_attestations_digest",
        "get_orgs_org_attestations_id"
      ])
    })
  )

  it.effect("5: credentials do not go to a host that only an operation names", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const own = yield* recording(() => json({}))
        const other = yield* recording(() => json({}))
        const document = documentOf(
          {
            "/own": { get: { operationId: "own" } },
            "/other": { servers: [{ url: other.baseUrl }], get: { operationId: "other" } }
          },
          {
            servers: [{ url: own.baseUrl }],
            security: [{ key: [] }],
            components: { securitySchemes: { key: apiKey } }
          }
        )
        const options = {
          headers: { "x-tenant": "t", authorization: Redacted.make("secret") },
          security: { key: Redacted.make("key") },
          cookies: { session: "s" }
        }
        const toolset = yield* OpenApiToolset.make(document, options)
        yield* Toolset.call(toolset, "own", {})
        yield* Toolset.call(toolset, "other", {})
        const names = ["x-key", "x-tenant", "authorization", "cookie"]
        const present = (headers: Fields) => names.filter((name) => name in headers)
        assert.deepStrictEqual(present(own.seen[0]!.headers), names)
        assert.deepStrictEqual(present(other.seen[0]!.headers), [])
        const { remarks } = yield* OpenApiToolset.report(document, options)
        assert.deepStrictEqual(
          remarks.map(({ reason }) => reason),
          [`credentials do not go to ${other.baseUrl}: name it in \`trustedHosts\` if they shall`]
        )
        const trusting = yield* OpenApiToolset.make(document, { ...options, trustedHosts: [other.baseUrl] })
        yield* Toolset.call(trusting, "other", {})
        assert.deepStrictEqual(present(other.seen[1]!.headers), names)
      })
    ).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("6: a body that the validator cannot read leaves the rest checked, and the report says so", () =>
    Effect.gen(function* () {
      const alternatives = {
        type: "object",
        properties: { a: { type: ["string", "null"] }, b: { type: "string" } },
        additionalProperties: false,
        anyOf: [{ required: ["a"] }, { required: ["b"] }]
      }
      const document = documentOf({
        "/call": {
          post: {
            operationId: "call",
            parameters: [{ in: "query", name: "dry", schema: { type: "boolean" } }],
            requestBody: { required: true, content: { "application/json": { schema: alternatives } } }
          }
        }
      })
      assert.strictEqual((yield* sent(document, { request_body: { c: 1 } })).body, `{"c":1}`)
      const { message, requests } = yield* refused(document, { query: { dry: 1 }, request_body: {} })
      assert.deepStrictEqual([requests, message.includes(`["query"]["dry"]`)], [0, true])
      const { remarks } = yield* reasonsOf(document)
      assert.match(
        remarks.join(),
        /^POST \/call: the body is not checked before it is sent: Cannot intersect/
      )
      const tools = yield* definitionsOf(document)
      assert.deepStrictEqual((tools.call!.parameters.properties as Fields).request_body, alternatives)
    })
  )

  it.effect("7: a schema of null describes anything", () =>
    Effect.gen(function* () {
      const document = bodyOf({ "application/json": { schema: null } })
      assert.strictEqual((yield* sent(document, { request_body: [1, "a"] })).body, `[1,"a"]`)
      assert.deepStrictEqual((yield* reasonsOf(document)).skipped, [])
    })
  )

  it.effect("8: a query parameter with a media type is a JSON document", () =>
    Effect.gen(function* () {
      const document = operationOf({
        parameters: [
          { in: "query", name: "filter", content: { "application/json": { schema: { type: "object" } } } }
        ]
      })
      const { url } = yield* sent(document, { query: { filter: { a: { _eq: "x&y" } } } })
      assert.strictEqual(url, `/api/call?filter=${encodeURIComponent(`{"a":{"_eq":"x&y"}}`)}`)
    })
  )

  it.effect("9: recursive schemas are told, and checked to any depth", () =>
    Effect.gen(function* () {
      const node = { $ref: "#/components/schemas/Node" }
      const document = {
        ...bodyOf({ "application/json": { schema: node } }),
        components: {
          schemas: {
            Node: {
              type: "object",
              required: ["name"],
              properties: { name: { type: "string" }, children: { type: "array", items: node } }
            }
          }
        }
      }
      const { call } = yield* definitionsOf(document)
      assert.deepStrictEqual((call!.parameters.properties as Fields).request_body, { $ref: "#/$defs/Node" })
      const deep = (leaf: unknown) => ({ name: "a", children: [{ name: "b", children: [leaf] }] })
      yield* sent(document, { request_body: deep({ name: "c" }) })
      const { message, requests } = yield* refused(document, { request_body: deep({ name: 1 }) })
      assert.strictEqual(requests, 0)
      assert.match(message, /\["children"\]\[0\]\["children"\]\[0\]\["name"\]/)
    })
  )

  it.effect("10: names without ids, the type null in 3.0, and the first of several servers", () =>
    Effect.gen(function* () {
      const document = {
        openapi: "3.0.3",
        servers: [{ url: "https://main.example.com/v0/" }, { url: "https://test.example.com/v0" }],
        paths: {
          "/": { get: { responses: { 200: ok({ type: "object", properties: { a: { type: "null" } } }) } } },
          "/assets/{asset}/history": { get: { parameters: [pathParameter("asset")] } },
          "/ipfs/pin": { post: { servers: [{ url: "https://ipfs.example.com" }] } }
        }
      }
      const { remarks, tools } = yield* OpenApiToolset.report(document, { headers: { project_id: "p" } })
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        ["get_root", "get_assets_asset_history", "post_ipfs_pin"]
      )
      assert.deepStrictEqual(tools[0]!.returns, { type: "object", properties: { a: { type: "null" } } })
      // The test network is another host: it is chosen with `baseUrl`.
      assert.deepStrictEqual(
        remarks.map(({ path, reason }) => [path, reason.includes("ipfs.example.com")]),
        [["/ipfs/pin", true]]
      )
    })
  )
})

const apiKey = { type: "apiKey", in: "header", name: "X-Key" }

const ok = (schema: Fields): Fields => ({ content: { "application/json": { schema } } })
