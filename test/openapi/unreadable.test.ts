/** Schemas that the default validator cannot read: everything else is checked, and the report says so. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { JsonSchemaValidator } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { anywhere, documentOf, type Fields, refused, sent, served } from "./served.ts"

describe("arguments", () => {
  /** What effect's importer cannot read. */
  const unreadable = {
    type: "object",
    properties: { a: { type: ["string", "null"] }, b: { type: "string" } },
    additionalProperties: false,
    anyOf: [{ required: ["a"] }, { required: ["b"] }]
  }

  /** A document in which one place, or several, have a schema that cannot be read. */
  const odd = (...names: ReadonlyArray<string>) => {
    const schema = (name: string, otherwise: Fields): Fields =>
      names.includes(name) ? { $ref: "#/components/schemas/Odd" } : otherwise
    const parameter = (place: string, name: string) => ({
      in: place,
      name,
      required: place === "path" || name === "q",
      schema: schema(name, { type: "integer" })
    })
    return documentOf(
      {
        "/call/{id}": {
          post: {
            operationId: "call",
            parameters: [
              parameter("path", "id"),
              parameter("query", "q"),
              parameter("query", "r"),
              parameter("header", "h")
            ],
            requestBody: {
              required: true,
              content: {
                "application/json": {
                  schema: schema("body", { type: "object", properties: { n: { type: "integer" } } })
                }
              }
            }
          }
        }
      },
      { components: { schemas: { Odd: unreadable } } }
    )
  }

  const places: Fields = {
    id: `["path_params"]["id"]`,
    q: `["query"]["q"]`,
    r: `["query"]["r"]`,
    h: `["headers"]["h"]`,
    body: `["request_body"]["n"]`
  }

  for (const names of [
    ["q"],
    ["id"],
    ["h"],
    ["body"],
    ["q", "r"],
    ["id", "q", "r", "h"],
    ["q", "body"],
    Object.keys(places)
  ]) {
    it.effect(
      `of which ${names.join(" and ")} cannot be read are checked but for those, and the report says so`,
      () =>
        Effect.gen(function* () {
          const options = { headerParams: true }
          const wrong = {
            path_params: { id: "x", more: 1 },
            query: { q: "x", r: "x" },
            headers: { h: "x" },
            request_body: { n: "x" },
            extra: 1
          }
          const { message, requests } = yield* refused(odd(...names), wrong, options)
          assert.strictEqual(requests, 0)
          for (const [name, place] of Object.entries(places)) {
            assert.strictEqual(message.includes(place), !names.includes(name), `${name}: ${message}`)
          }
          assert.include(message, `["path_params"]["more"]`)
          assert.include(message, `["extra"]`)
          const missing = yield* refused(odd(...names), { path_params: {}, request_body: {} }, options)
          assert.match(missing.message, /Missing key\s+at \["path_params"\]\["id"\]/)
          assert.match(missing.message, /Missing key\s+at \["query"\]/)

          const { remarks } = yield* OpenApiToolset.report(odd(...names), { ...anywhere, ...options })
          const called = {
            id: "path_params.id",
            q: "query.q",
            r: "query.r",
            h: "headers.h",
            body: "the body"
          }
          assert.deepStrictEqual(
            remarks.map(({ reason }) => reason.replace(/:.*/s, "")),
            names.map((name) => `${called[name as "id"]} is not checked before it is sent`)
          )
        })
    )
  }

  it.effect("that effect cannot read are all given to a validator that can", () =>
    Effect.gen(function* () {
      const ajv = new Ajv2020({ strict: false })
      const compile: JsonSchemaValidator.Compile = (schema) => {
        const check = ajv.compile(schema)
        return (value) => Effect.sync(() => (check(value) ? undefined : ajv.errorsText(check.errors)))
      }
      const call = (args: unknown) =>
        refused(odd("q", "r", "body"), args, { headerParams: true }).pipe(
          Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, compile)
        )
      const right = { path_params: { id: 1 }, query: { q: { a: "x" } }, request_body: { b: "x" } }
      for (const [args, where] of [
        [{ ...right, query: { q: {} } }, "query/q must have required property"],
        [{ ...right, query: { q: { a: "x" }, r: { a: "x", c: 1 } } }, "query/r must NOT have additional"],
        [{ ...right, request_body: {} }, "request_body must have required property"],
        [{ ...right, path_params: { id: "x" } }, "path_params/id must be integer"]
      ] as const) {
        assert.include((yield* call(args)).message, where)
      }
      const { seen } = yield* served(odd("q", "r", "body"), { headerParams: true }).pipe(
        Effect.tap(({ call }) => call("call", right)),
        Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, compile),
        Effect.scoped
      )
      assert.strictEqual(seen[0]?.url, "/api/call/1?a=x")
    })
  )

  it.effect("with patterns are not checked against them, and the report says so", () =>
    Effect.gen(function* () {
      const slug = { type: "string", pattern: "^[a-z]+$" }
      const patterned = (schemas: Fields) =>
        documentOf(
          {
            "/call": {
              post: {
                operationId: "call",
                parameters: [{ in: "query", name: "q", schema: schemas.q }],
                requestBody: { content: { "application/json": { schema: schemas.body } } },
                responses: { 200: { content: { "application/json": { schema: slug } } } }
              }
            }
          },
          {
            components: {
              schemas: {
                Slug: slug,
                Holder: { type: "object", properties: { s: { $ref: "#/components/schemas/Slug" } } }
              }
            }
          }
        )
      const said = (schemas: Fields) =>
        Effect.map(OpenApiToolset.report(patterned(schemas), anywhere), ({ remarks }) =>
          remarks.map(({ pointer, reason }) => `${reason.split(":")[0]} (${pointer})`)
        )
      const plain = { type: "string" }
      assert.deepStrictEqual(yield* said({ q: plain, body: plain }), [])
      assert.deepStrictEqual(yield* said({ q: slug, body: plain }), [
        "its pattern is left to the server (#/paths/~1call/post/parameters/0/schema)"
      ])
      assert.deepStrictEqual(yield* said({ q: plain, body: { $ref: "#/components/schemas/Holder" } }), [
        "its pattern is left to the server (#/components/schemas/Slug)"
      ])
      const three = {
        type: "object",
        properties: { pattern: slug, x: { pattern: "(?i)a" } },
        patternProperties: { "^x": {} }
      }
      assert.deepStrictEqual(yield* said({ q: plain, body: three }), [
        "its 3 patterns are left to the server (#/paths/~1call/post/requestBody/content/application~1json/schema/properties/pattern)"
      ])
      // A property of that name is none.
      assert.deepStrictEqual(
        yield* said({ q: plain, body: { type: "object", properties: { pattern: plain } } }),
        []
      )
      const { url } = yield* sent(patterned({ q: slug, body: plain }), { query: { q: "A" } })
      assert.strictEqual(url, "/api/call?q=A")
      const other = OpenApiToolset.report(patterned({ q: slug, body: slug }), anywhere).pipe(
        Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, () => () => Effect.succeed(undefined))
      )
      assert.deepStrictEqual((yield* other).remarks, [])
    })
  )
})
