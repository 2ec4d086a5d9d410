/** Traps of real documents, by their number in the notes: schemas, media types, names. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
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

const bodySchema = (document: unknown) =>
  Effect.map(definitionsOf(document), ({ call }) => (call!.parameters.properties as Fields).request_body)

describe("traps of documents", () => {
  it.effect("21: overlapping branches of a oneOf are alternatives, so that something is valid", () =>
    Effect.gen(function* () {
      const branch = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } } })
      const document = bodyOf({ "application/json": { schema: { oneOf: [branch("a"), branch("b")] } } })
      assert.strictEqual(
        (yield* sent(document, { request_body: { a: "x", b: "y" } })).body,
        `{"a":"x","b":"y"}`
      )
      assert.deepStrictEqual(yield* bodySchema(document), { anyOf: [branch("a"), branch("b")] })
    })
  )

  it.effect("22: $ref and $id that are data are never followed", () =>
    Effect.gen(function* () {
      const lost = { $ref: "https://nowhere.example.com/x.json", $id: "y" }
      const schema = {
        type: "object",
        "x-policy": lost,
        example: lost,
        examples: [lost],
        default: { nested: lost },
        properties: { kind: { enum: [lost, "a"] }, $ref: { type: "string" } }
      }
      const document = bodyOf({ "application/json": { schema, examples: { one: { value: lost } } } })
      assert.deepStrictEqual(yield* bodySchema(document), {
        type: "object",
        default: { nested: lost },
        properties: { kind: { enum: [lost, "a"] }, $ref: { type: "string" } }
      })
    })
  )

  it.effect("23: patterns in another dialect are dropped", () =>
    Effect.gen(function* () {
      const schema = {
        type: "object",
        properties: {
          id: { type: "string", pattern: "(?i)^[0-9a-f]{8}" },
          ok: { type: "string", pattern: "^a" }
        },
        patternProperties: { "(?i)x": { type: "string" }, "^y": { type: "string" } }
      }
      assert.deepStrictEqual(yield* bodySchema(bodyOf({ "application/json": { schema } })), {
        type: "object",
        properties: { id: { type: "string" }, ok: { type: "string", pattern: "^a" } },
        patternProperties: { "^y": { type: "string" } }
      })
    })
  )

  it.effect("24: a path parameter is required, whatever the document says", () =>
    Effect.gen(function* () {
      const document = documentOf({
        "/keys/{id}": { get: { operationId: "call", parameters: [{ in: "path", name: "id", schema: {} }] } }
      })
      const { call } = yield* definitionsOf(document)
      assert.deepStrictEqual(call!.parameters.required, ["path_params"])
      for (const id of [undefined, null, ""]) {
        const { requests, tag } = yield* refused(document, { path_params: { id } })
        assert.deepStrictEqual([requests, tag], [0, "ModelRetry"])
      }
      const undeclared = documentOf({ "/keys/{id}": { get: { operationId: "call" } } })
      assert.strictEqual((yield* sent(undeclared, { path_params: { id: "k" } })).url, "/api/keys/k")
    })
  )

  it.effect("25: a discriminator without its alternatives is said in the report", () =>
    Effect.gen(function* () {
      const schema = { type: "object", discriminator: { propertyName: "kind" }, properties: { kind: {} } }
      const { remarks } = yield* reasonsOf(bodyOf({ "application/json": { schema } }))
      assert.deepStrictEqual(remarks, [
        "POST /call: a discriminator without oneOf or anyOf: its subtypes are not known"
      ])
    })
  )

  it.effect("26: one name in the path and in the query is two arguments", () =>
    Effect.gen(function* () {
      const document = documentOf({
        "/proxy/{path}": {
          get: {
            operationId: "call",
            parameters: ["path", "query"].map((place) => ({
              in: place,
              name: "path",
              schema: { type: "string" }
            }))
          }
        }
      })
      const { url } = yield* sent(document, { path_params: { path: "a/b" }, query: { path: "c/d" } })
      assert.strictEqual(url, "/api/proxy/a%2Fb?path=c%2Fd")
    })
  )

  it.effect("27: of several JSON types a merge patch comes before a JSON patch; anything is JSON", () =>
    Effect.gen(function* () {
      const patch = { schema: { type: "object" } }
      const patches = bodyOf({
        "application/apply-patch+yaml": patch,
        "application/json-patch+json": patch,
        "application/strategic-merge-patch+json": patch,
        "application/merge-patch+json": patch
      })
      const request = yield* sent(patches, { request_body: { a: 1 } })
      assert.deepStrictEqual(
        [request.headers["content-type"], request.body],
        ["application/merge-patch+json", `{"a":1}`]
      )
      const anything = yield* sent(bodyOf({ "*/*": patch }), { request_body: { a: 1 } })
      assert.deepStrictEqual(
        [anything.headers["content-type"], anything.body],
        ["application/json", `{"a":1}`]
      )
    })
  )

  it.effect(
    "28: trailing slashes stay, an unknown scheme is written before its value, servers have variables",
    () =>
      Effect.gen(function* () {
        const slash = documentOf({ "/api/0/": { get: { operationId: "call" } } })
        assert.strictEqual((yield* sent(slash, {})).url, "/api/api/0/")
        const dsn = operationOf(
          { security: [{ DSN: [] }] },
          { components: { securitySchemes: { DSN: { type: "http", scheme: "DSN" } } } }
        )
        const { headers } = yield* sent(dsn, {}, { security: { DSN: Redacted.make("key") } })
        assert.strictEqual(headers.authorization, "DSN key")
      })
  )

  it.effect("29: a name that is too long ends in a hash of the whole", () =>
    Effect.gen(function* () {
      const id = "post-merchants-merchantId-stores-reference-terminalSettings-".repeat(2).slice(0, 104)
      const names = Object.keys(
        yield* definitionsOf(
          documentOf({ "/a": { get: { operationId: id }, put: { operationId: `${id.slice(0, 103)}x` } } })
        )
      )
      assert.deepStrictEqual(
        names.map((name) => [name.length, name.startsWith(`${id.slice(0, 55)}_`)]),
        [
          [64, true],
          [64, true]
        ]
      )
      assert.notStrictEqual(names[0], names[1])
    })
  )

  it.effect("30: no tags, no descriptions, an empty enum", () =>
    Effect.gen(function* () {
      const document = documentOf({
        "/guilds/{id}/emojis": {
          get: {
            operationId: "call",
            parameters: [
              { in: "path", name: "id", required: true, schema: { type: "string", pattern: "^[0-9]+$" } },
              { in: "query", name: "kind", schema: { type: "string", enum: [] } }
            ]
          }
        }
      })
      const { call } = yield* definitionsOf(document, { include: ["guilds"] })
      assert.strictEqual(call!.description, "GET /guilds/{id}/emojis")
      assert.deepStrictEqual(call!.parameters.properties, {
        path_params: {
          type: "object",
          properties: { id: { type: "string", pattern: "^[0-9]+$" } },
          required: ["id"],
          additionalProperties: false
        },
        query: { type: "object", properties: { kind: { type: "string" } }, additionalProperties: false }
      })
    })
  )
})
