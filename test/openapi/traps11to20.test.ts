/** Traps of real documents, by their number in the notes: paths with more in them, headers, references. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Toolset } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import {
  bodyOf,
  definitionsOf,
  documentOf,
  type Fields,
  operationOf,
  reasonsOf,
  refused,
  sent,
  served
} from "./served.ts"

const ok = (content: Fields): Fields => ({ 200: { content } })
const header = (name: string, schema: Fields, required = true): Fields => ({
  in: "header",
  name,
  required,
  schema
})

describe("traps of documents", () => {
  it.effect("11: a query in the path stays, beside the same path without it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const limit = { in: "query", name: "limit", schema: { type: "integer" } }
        const { call, seen } = yield* served(
          documentOf({
            "/responses": { get: { operationId: "plain", parameters: [limit] } },
            "/responses?beta=true": { get: { operationId: "beta", parameters: [limit] } }
          })
        )
        yield* call("plain", { query: { limit: 1 } })
        yield* call("beta", { query: { limit: 2 } })
        yield* call("beta", {})
        assert.deepStrictEqual(
          seen.map(({ url }) => url),
          ["/api/responses?limit=1", "/api/responses?beta=true&limit=2", "/api/responses?beta=true"]
        )
      })
    )
  )

  it.effect(
    "11: a parameter in the query of a path is filled in there, and one in its fragment is none",
    () =>
      Effect.gen(function* () {
        const document = documentOf({ "/a/{id}?mode={mode}#{part}": { get: { operationId: "call" } } })
        const { url } = yield* sent(document, { path_params: { id: "1", mode: "x&y=z" } })
        assert.strictEqual(url, "/api/a/1?mode=x%26y%3Dz")
      })
  )

  it.effect("12: nullable and boolean bounds in 3.1, and keywords of other drafts", () =>
    Effect.gen(function* () {
      const schema = {
        $recursiveAnchor: true,
        type: "object",
        properties: {
          a: { type: "string", nullable: true },
          b: { type: "number", minimum: 0, exclusiveMinimum: true },
          c: { type: "number", maximum: 9, exclusiveMaximum: false }
        }
      }
      const { call } = yield* definitionsOf(bodyOf({ "application/json": { schema } }))
      assert.deepStrictEqual((call!.parameters.properties as Fields).request_body, {
        type: "object",
        properties: {
          a: { type: ["string", "null"] },
          b: { type: "number", exclusiveMinimum: 0 },
          c: { type: "number", maximum: 9 }
        }
      })
    })
  )

  it.effect("13: where there is a stream of events beside JSON, JSON is asked for", () =>
    Effect.gen(function* () {
      const both = operationOf({
        responses: ok({ "text/event-stream": { schema: {} }, "application/json": { schema: {} } })
      })
      assert.strictEqual((yield* sent(both, {})).headers.accept, "application/json")
      const stream = operationOf({ responses: ok({ "text/event-stream": {} }) })
      assert.deepStrictEqual((yield* reasonsOf(stream)).skipped, [
        "GET /call: its response is text/event-stream"
      ])
    })
  )

  it.effect("14: a fragment in the path separates tools and is never sent", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const fields = { in: "query", name: "fields", schema: { type: "string" } }
        const id = { in: "path", name: "id", required: true, schema: { type: "string" } }
        const { call, seen, toolset } = yield* served(
          documentOf({
            "/files/{id}": { put: { parameters: [id, fields] } },
            "/files/{id}#add_shared_link": { put: { parameters: [id, fields] } }
          })
        )
        const names = (yield* Effect.provide(Toolset.list(toolset), FetchHttpClient.layer)).map(
          ({ name }) => name
        )
        assert.deepStrictEqual(names, ["put_files_id", "put_files_id_add_shared_link"])
        for (const name of names) yield* call(name, { path_params: { id: "7" }, query: { fields: "a" } })
        assert.deepStrictEqual(
          seen.map(({ url }) => url),
          ["/api/files/7?fields=a", "/api/files/7?fields=a"]
        )
      })
    )
  )

  it.effect("15: an operation with a required header that nobody fills is left out, with what to do", () =>
    Effect.gen(function* () {
      const document = operationOf({ parameters: [header("digest", { type: "string" })] })
      assert.deepStrictEqual((yield* reasonsOf(document)).skipped, [
        "GET /call: it needs the header 'digest': give it in `headers`, or let the model fill it in with `headerParams`"
      ])
      assert.strictEqual((yield* sent(document, {}, { headers: { Digest: "d" } })).headers.digest, "d")
      const exposed = yield* sent(document, { headers: { digest: "e" } }, { headerParams: ["Digest"] })
      assert.strictEqual(exposed.headers.digest, "e")
      const broken = yield* refused(document, { headers: { digest: "e\r\nx: y" } }, { headerParams: true })
      assert.deepStrictEqual([broken.requests, broken.tag], [0, "ModelRetry"])
    })
  )

  it.effect("16: a tenant is configuration, an idempotency key is one of the call", () =>
    Effect.gen(function* () {
      const tenant = { $ref: "#/components/parameters/tenant", type: "string" }
      const key = header("Idempotency-Key", { type: "string" }, false)
      const document = documentOf(
        { "/call": { post: { operationId: "call", parameters: [tenant, key] } } },
        { components: { parameters: { tenant: header("xero-tenant-id", { type: "string" }) } } }
      )
      const request = yield* sent(document, {}, { headers: { "xero-tenant-id": Redacted.make("t1") } })
      assert.strictEqual(request.headers["xero-tenant-id"], "t1")
      assert.isNotEmpty(request.headers["idempotency-key"])
      const own = yield* sent(document, {}, { headers: { "xero-tenant-id": "t", "idempotency-key": "mine" } })
      assert.strictEqual(own.headers["idempotency-key"], "mine")
    })
  )

  it.effect("17: headers of the protocol are no parameters, but for a version that Accept carries", () =>
    Effect.gen(function* () {
      const version = "application/vnd.pagerduty+json;version=2"
      const document = operationOf({
        parameters: [
          header("Accept", { type: "string", default: version }),
          header("Content-Type", { type: "string" }),
          header("Authorization", { type: "string" }),
          header("From", { type: "string", format: "email" }),
          header("X-EARLY-ACCESS", { type: "string", enum: ["on"] }),
          header("X-Dangerous", { type: "string", enum: ["true"] }, false)
        ],
        responses: ok({ "application/json": { schema: {} } })
      })
      assert.match((yield* reasonsOf(document)).skipped.join(), /needs the header 'From'/)
      const options = { headers: { From: "me@example.com" } }
      const { headers } = yield* sent(document, {}, options)
      assert.deepStrictEqual(
        [
          headers.accept,
          headers.from,
          headers["x-early-access"],
          headers["x-dangerous"],
          headers.authorization
        ],
        // What may be left out is not switched on for the one value that it can have.
        [version, "me@example.com", "on", undefined, undefined]
      )
    })
  )

  it.effect("18: references lead through lists, and into responses and parameters", () =>
    Effect.gen(function* () {
      const schema = {
        type: "object",
        properties: {
          tag: { $ref: "#/components/schemas/Tag/allOf/0" },
          user: { $ref: "#/components/responses/User/content/application~1json/schema/oneOf/0" },
          limit: { $ref: "#/components/parameters/limit/schema" }
        }
      }
      const document = {
        ...bodyOf({ "application/json": { schema } }),
        components: {
          schemas: { Tag: { allOf: [{ type: "string" }] } },
          responses: {
            User: { content: { "application/json": { schema: { oneOf: [{ type: "integer" }] } } } }
          },
          parameters: { limit: { in: "query", name: "limit", schema: { type: "boolean" } } }
        }
      }
      yield* sent(document, { request_body: { tag: "a", user: 1, limit: true } })
      const { message } = yield* refused(document, { request_body: { tag: 1, user: "a", limit: 1 } })
      assert.deepStrictEqual(
        ["tag", "user", "limit"].filter((name) => message.includes(`["${name}"]`)),
        ["tag", "user", "limit"]
      )
    })
  )

  it.effect("19: a body on GET is not sent, and the report says so", () =>
    Effect.gen(function* () {
      const document = operationOf({ requestBody: { content: { "application/json": { schema: {} } } } })
      assert.deepStrictEqual((yield* reasonsOf(document)).remarks, ["GET /call: a body on GET is not sent"])
      const { body } = yield* sent(document, {})
      assert.strictEqual(body, "")
      const { tag } = yield* refused(document, { request_body: {} })
      assert.strictEqual(tag, "ModelRetry")
    })
  )

  it.effect("20: odd names of query parameters are encoded, but for their brackets", () =>
    Effect.gen(function* () {
      const names = ["ids[]", "StartTime<", "DateSent>", "a b", "x&y"]
      const parameters = names.map((name) => ({
        in: "query",
        name,
        schema: { type: "array", items: { type: "string" } }
      }))
      const query = Object.fromEntries(names.map((name) => [name, ["1", "2"]]))
      const { url } = yield* sent(operationOf({ parameters }), { query })
      assert.strictEqual(
        url,
        "/api/call?ids[]=1&ids[]=2&StartTime%3C=1&StartTime%3C=2&DateSent%3E=1&DateSent%3E=2&a%20b=1&a%20b=2&x%26y=1&x%26y=2"
      )
      const { tools } = yield* OpenApiToolset.report(operationOf({ parameters }), {
        baseUrl: "http://localhost"
      })
      assert.deepStrictEqual(Object.keys((tools[0]!.parameters.properties as Fields).query.properties), names)
    })
  )
})
