/** Traps of real documents, by their number in the notes: sizes, references in odd places, servers, keys. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Toolset } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { json, recording } from "../rest/server.ts"
import { bodyOf, definitionsOf, documentOf, type Fields, operationOf, reasonsOf, sent } from "./served.ts"

describe("traps of documents", () => {
  it.effect("31: large parameters are said, long descriptions cut, and whole servers are variables", () =>
    Effect.gen(function* () {
      const properties = Object.fromEntries(
        Array.from({ length: 999 }, (_, i) => [`a_property_${i}`, { type: "string" }])
      )
      const large = bodyOf({ "application/json": { schema: { type: "object", properties } } })
      assert.match((yield* reasonsOf(large)).remarks.join(), /^POST \/call: its parameters have \d+ kB/)

      const { call } = yield* definitionsOf(
        operationOf({ summary: "Short", description: "é😀".repeat(6_000) })
      )
      assert.isAtMost(call!.description!.length, 1024)
      assert.isTrue(call!.description!.isWellFormed())
      assert.isTrue(call!.description!.startsWith("Short\n\né") && call!.description!.endsWith("…"))

      const { baseUrl, seen } = yield* recording(() => json({}))
      const servers = [
        {
          url: "{protocol}://{name}/v1",
          variables: {
            name: { default: "api.example.com" },
            protocol: { default: "https", enum: ["https", "http"] }
          }
        }
      ]
      const toolset = yield* OpenApiToolset.make(operationOf({}, { servers }), {
        serverVariables: { protocol: "http", name: new URL(baseUrl).host }
      })
      yield* Toolset.call(toolset, "call", {})
      assert.strictEqual(seen[0]!.url, "/v1/call")
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.effect("32: operations that are references, a path that is no template, properties that are none", () =>
    Effect.gen(function* () {
      const broken = () => ({ type: "object", properties: { $ref: "#/components/schemas/Map" } })
      const body = (schema: Fields) => ({ content: { "application/json": { schema } } })
      const document = documentOf(
        {
          "/a": { get: { $ref: "#/components/x-operations/a" } },
          "/<upload_url>": { get: { operationId: "upload" } },
          "/b": { post: { operationId: "b", requestBody: body(broken()) } },
          "/c": { post: { operationId: "c", requestBody: body({ $ref: "#/components/schemas/Broken" }) } },
          "/d": { post: { operationId: "d", requestBody: body({ $ref: "#/components/schemas/Broken" }) } }
        },
        {
          components: {
            "x-operations": { a: { operationId: "a", summary: "A" } },
            schemas: { Map: {}, Broken: broken() }
          }
        }
      )
      const { skipped, tools } = yield* OpenApiToolset.report(document, { baseUrl: "http://localhost" })
      assert.deepStrictEqual(
        tools.map(({ description, name }) => [name, description]),
        [
          ["a", "A"],
          ["upload", "GET /<upload_url>"]
        ]
      )
      // Every operation that needs the broken component fails for the same reason.
      const reason = "a schema is neither an object nor a boolean"
      assert.deepStrictEqual(
        skipped.map((left) => [left.path, left.reason, left.pointer]),
        [
          ["/b", reason, "#/paths/~1b/post/requestBody/content/application~1json/schema/properties/$ref"],
          ["/c", reason, "#/components/schemas/Broken/properties/$ref"],
          ["/d", reason, "#/components/schemas/Broken/properties/$ref"]
        ]
      )
    })
  )

  it.effect("33: `required: true` on a schema is dropped; a picture is no body", () =>
    Effect.gen(function* () {
      const schema = { type: "object", required: true, properties: { a: { type: "string" } } }
      const { call } = yield* definitionsOf(bodyOf({ "application/json": { schema } }))
      assert.deepStrictEqual((call!.parameters.properties as Fields).request_body, {
        type: "object",
        properties: { a: { type: "string" } }
      })
      assert.deepStrictEqual((yield* reasonsOf(bodyOf({ "image/jpeg": { schema } }))).skipped, [
        "POST /call: its request body is image/jpeg"
      ])
    })
  )

  it.effect("34: keys that belong together are sent together, or not at all", () =>
    Effect.gen(function* () {
      const key = (name: string) => ({ type: "apiKey", in: "header", name })
      const document = operationOf(
        { parameters: [{ in: "header", name: "dd-api-key", required: true, schema: { type: "string" } }] },
        {
          security: [{ api: [], app: [] }, { token: [] }],
          components: {
            securitySchemes: {
              api: key("DD-API-KEY"),
              app: key("DD-APPLICATION-KEY"),
              token: { type: "http", scheme: "Bearer" }
            }
          }
        }
      )
      const [api, app, token] = ["a1", "a2", "t"].map((value) => Redacted.make(value)) as [
        Redacted.Redacted,
        Redacted.Redacted,
        Redacted.Redacted
      ]
      const present = (headers: Fields) => [
        headers["dd-api-key"],
        headers["dd-application-key"],
        headers.authorization
      ]
      const both = yield* sent(document, {}, { security: { api, app } })
      assert.deepStrictEqual(present(both.headers), ["a1", "a2", undefined])
      const other = yield* sent(document, {}, { security: { app, token } })
      assert.deepStrictEqual(present(other.headers), [undefined, undefined, "Bearer t"])
      assert.deepStrictEqual(present((yield* sent(document, {}, { security: { api } })).headers), [
        undefined,
        undefined,
        undefined
      ])
      assert.deepStrictEqual((yield* reasonsOf(document, { security: { api } })).remarks, [
        "GET /call: it needs api and app, or token, which `security` does not give"
      ])
    })
  )

  it.effect("35: a server may be given at the path, and nowhere else", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(() => json({}))
      const document = documentOf({
        "/forecast": { servers: [{ url: `${baseUrl}/v1` }], get: { operationId: "call" } },
        "/lost": { get: { operationId: "lost" } }
      })
      const toolset = yield* OpenApiToolset.make(document)
      yield* Toolset.call(toolset, "call", {})
      assert.strictEqual(seen[0]!.url, "/v1/forecast")
      const { skipped } = yield* OpenApiToolset.report(document)
      assert.deepStrictEqual(
        skipped.map(({ path, reason }) => [path, reason]),
        [["/lost", "it has no server: give a `baseUrl`"]]
      )
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.effect("36: ids with spaces become names", () =>
    Effect.gen(function* () {
      const tools = yield* definitionsOf(documentOf({ "/a": { get: { operationId: "Get a return (v2)" } } }))
      assert.deepStrictEqual(Object.keys(tools), ["Get_a_return_v2"])
    })
  )

  it.effect("37: an enum has each value once; reserved characters may stay in a query", () =>
    Effect.gen(function* () {
      const parameter = (name: string, allowReserved: boolean) => ({
        in: "query",
        name,
        allowReserved,
        schema: { type: "string", enum: ["a/b:c?", "x", "x", "&=#+ %"] }
      })
      const document = operationOf({ parameters: [parameter("free", true), parameter("strict", false)] })
      const { call } = yield* definitionsOf(document)
      assert.deepStrictEqual((call!.parameters.properties as Fields).query.properties.free.enum, [
        "a/b:c?",
        "x",
        "&=#+ %"
      ])
      assert.strictEqual(
        (yield* sent(document, { query: { free: "a/b:c?", strict: "a/b:c?" } })).url,
        "/api/call?free=a/b:c?&strict=a%2Fb%3Ac%3F"
      )
      assert.strictEqual(
        (yield* sent(document, { query: { free: "&=#+ %" } })).url,
        "/api/call?free=%26%3D%23%2B%20%25"
      )
    })
  )
})
