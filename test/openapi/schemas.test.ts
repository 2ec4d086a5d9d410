/** Schemas of OpenAPI as draft 2020-12, for each direction. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, JsonSchema } from "effect"
import { documentOf, definitionsOf, type Fields } from "./served.ts"

const components = (schemas: Fields): Fields => ({ components: { schemas } })

/** A schema as the model is told it: of what it sends, and of what it reads. */
const both = (schema: unknown, rest: Fields = {}) =>
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

/** What a schema becomes in both directions. */
const becomes: ReadonlyArray<readonly [what: string, schema: unknown, expected: unknown]> = [
  ["types", { type: ["string", "null", "file", "string"] }, { type: ["string", "null"] }],
  ["a type that is none", { type: "file" }, {}],
  ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
  ["nullable types", { type: ["string"], nullable: true }, { type: ["string", "null"] }],
  ["nullable null", { type: "null", nullable: true }, { type: "null" }],
  ["nullable: false", { type: "string", nullable: false }, { type: "string" }],
  [
    "nullable beside an enum",
    { type: "string", enum: ["a"], nullable: true },
    { type: ["string", "null"], enum: ["a", null] }
  ],
  ["nullable alone", { nullable: true }, {}],
  [
    "nullable allOf",
    { allOf: [{ type: "object" }], nullable: true },
    { anyOf: [{ allOf: [{ type: "object" }] }, { type: "null" }] }
  ],
  [
    "nullable anyOf",
    { anyOf: [{ type: "string" }], nullable: true },
    { anyOf: [{ anyOf: [{ type: "string" }] }, { type: "null" }] }
  ],
  [
    "exclusive bounds of 3.0",
    { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true },
    { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 2 }
  ],
  ["inclusive bounds of 3.0", { minimum: 1, exclusiveMinimum: false }, { minimum: 1 }],
  ["exclusive bounds of 3.1", { minimum: 0, exclusiveMinimum: 1 }, { minimum: 0, exclusiveMinimum: 1 }],
  ["an exclusive bound without one", { exclusiveMinimum: true }, {}],
  ["numbers that are none", { minimum: "1", multipleOf: 0, maxLength: -1, minItems: 1.5 }, {}],
  ["required", { type: "object", required: ["a", "a", 1] }, { type: "object", required: ["a"] }],
  ["required: true", { type: "string", required: true }, { type: "string" }],
  ["required: []", { type: "object", required: [] }, { type: "object" }],
  ["enum", { enum: ["a", "a", null, { b: 1 }, { b: 1 }] }, { enum: ["a", null, { b: 1 }] }],
  ["an empty enum", { type: "string", enum: [] }, { type: "string" }],
  ["const and default", { const: { a: [1] }, default: null }, { const: { a: [1] }, default: null }],
  ["a list of nothing in particular", { type: "array" }, { type: "array", items: {} }],
  ["items: []", { type: "array", items: [] }, { type: "array", items: {} }],
  [
    "tuples",
    { type: "array", prefixItems: [{ type: "string" }] },
    { type: "array", prefixItems: [{ type: "string" }] }
  ],
  [
    "booleans",
    { type: "object", properties: { a: true, b: false }, additionalProperties: false },
    { type: "object", properties: { a: true, b: false }, additionalProperties: false }
  ],
  [
    "additionalProperties",
    { additionalProperties: { nullable: true, type: "string" } },
    { additionalProperties: { type: ["string", "null"] } }
  ],
  [
    "keywords of OpenAPI and others",
    {
      type: "object",
      xml: {},
      externalDocs: {},
      example: 1,
      examples: [1],
      "x-a": 1,
      $id: "a",
      $anchor: "b",
      $comment: "c",
      $schema: "d",
      $dynamicRef: "#e",
      title: "T",
      format: "f",
      deprecated: true
    },
    { type: "object", title: "T", format: "f", deprecated: true }
  ],
  [
    "annotations that are no text",
    { type: "string", description: 5, title: [], format: {} },
    { type: "string" }
  ],
  [
    "names that objects have",
    {
      type: "object",
      properties: { constructor: { type: "string" }, toString: {} },
      required: ["constructor"]
    },
    {
      type: "object",
      properties: { constructor: { type: "string" }, toString: {} },
      required: ["constructor"]
    }
  ],
  [
    "all of logic",
    { allOf: [{ not: { type: "string" } }], if: {}, then: {}, else: {}, anyOf: [] },
    { allOf: [{ not: { type: "string" } }], if: {}, then: {}, else: {} }
  ],
  ["a map that is none", { properties: [], patternProperties: 1, allOf: {} }, {}]
]

describe("schemas", () => {
  for (const [what, schema, expected] of becomes) {
    it.effect(what, () =>
      Effect.map(both(schema), ({ request, response }) => {
        assert.deepStrictEqual(request, expected)
        assert.deepStrictEqual(response, expected)
      })
    )
  }

  it.effect("a property called __proto__ is a property", () =>
    Effect.map(
      both(JSON.parse(`{"type":"object","properties":{"__proto__":{"type":"string"}}}`)),
      ({ request }) =>
        assert.strictEqual(
          JSON.stringify(request),
          `{"type":"object","properties":{"__proto__":{"type":"string"}}}`
        )
    )
  )

  it.effect("readOnly is for reading, writeOnly for writing, through references and in `required` too", () =>
    Effect.gen(function* () {
      const schema = {
        type: "object",
        required: ["id", "secret", "name", "url"],
        properties: {
          id: { type: "string", readOnly: true },
          url: { $ref: "#/components/schemas/Url" },
          secret: { type: "string", writeOnly: true },
          name: { type: "string" }
        }
      }
      const { request, response } = yield* both(
        { $ref: "#/components/schemas/User" },
        components({ User: schema, Url: { type: "string", readOnly: true } })
      ).pipe(
        Effect.map(({ $defs, response }) => ({
          request: ($defs as Fields).User,
          response: (response?.$defs as Fields).User
        }))
      )
      assert.deepStrictEqual(
        [Object.keys(request.properties), request.required],
        [
          ["secret", "name"],
          ["secret", "name"]
        ]
      )
      assert.deepStrictEqual(
        [Object.keys(response.properties), response.required],
        [
          ["id", "url", "name"],
          ["id", "name", "url"]
        ]
      )
    })
  )

  it.effect("oneOf is anyOf in what a model sends, beside an anyOf too, and stays in what it reads", () =>
    Effect.gen(function* () {
      const a = { type: "string" }
      const plain = yield* both({ oneOf: [a] })
      assert.deepStrictEqual([plain.request, plain.response], [{ anyOf: [a] }, { oneOf: [a] }])
      const { request } = yield* both({ oneOf: [a], anyOf: [{}], allOf: [{}] })
      assert.deepStrictEqual(request, { anyOf: [{}], allOf: [{}, { anyOf: [a] }] })
    })
  )

  it.effect("references keep what stands beside them, and nothing is expanded", () =>
    Effect.gen(function* () {
      const { $defs, request } = yield* both(
        { $ref: "#/components/schemas/A", description: "Mine", nullable: true },
        components({
          A: { type: "object", properties: { b: { $ref: "#/components/schemas/B" } } },
          B: { $ref: "#/components/schemas/C" },
          C: { type: "string" },
          D: {}
        })
      )
      assert.deepStrictEqual(request, {
        anyOf: [{ $ref: "#/$defs/A", description: "Mine" }, { type: "null" }]
      })
      assert.deepStrictEqual($defs, {
        A: { type: "object", properties: { b: { $ref: "#/$defs/C" } } },
        C: { type: "string" }
      })
    })
  )

  it.effect("definitions have names of their own", () =>
    Effect.gen(function* () {
      const { $defs, request } = yield* both(
        {
          type: "object",
          properties: {
            a: { $ref: "#/components/schemas/a%20b" },
            b: { $ref: "#/components/schemas/a~1b" },
            c: { $ref: "#/components/schemas/a_b" }
          }
        },
        components({ "a b": { type: "string" }, "a/b": { type: "integer" }, a_b: { type: "boolean" } })
      )
      const refs = Object.values(request.properties).map((property: any) =>
        property.$ref.slice("#/$defs/".length)
      )
      assert.deepStrictEqual(refs, ["a_b", "a_b_2", "a_b_3"])
      assert.deepStrictEqual(
        refs.map((name) => ($defs as Fields)[name].type),
        ["string", "integer", "boolean"]
      )
    })
  )

  it.effect("what effect's own converter makes of well-formed schemas is the same", () =>
    Effect.gen(function* () {
      const wellFormed = [
        "exclusive bounds of 3.0",
        "inclusive bounds of 3.0",
        "nullable",
        "additionalProperties"
      ]
      const schemas = becomes
        .filter(([what]) => wellFormed.includes(what))
        .map(([, schema]) => schema as JsonSchema.JsonSchema)
      assert.strictEqual(schemas.length, 4)
      for (const schema of schemas) {
        const { response } = yield* both(schema)
        assert.deepStrictEqual(response, JsonSchema.fromSchemaOpenApi3_0(schema).schema)
      }
    })
  )

  it.effect(
    "several successes are alternatives, one without content is null, and a broken one costs the schema alone",
    () =>
      Effect.gen(function* () {
        const of = (schema: unknown) => ({ content: { "application/json": { schema } } })
        const returns = (responses: Fields) =>
          Effect.map(
            definitionsOf(documentOf({ "/call": { get: { operationId: "call", responses } } })),
            ({ call }) => call!.returns
          )
        assert.deepStrictEqual(
          yield* returns({ 200: of({ type: "string" }), 201: of({ type: "string" }), 404: of({}) }),
          { type: "string" }
        )
        assert.deepStrictEqual(
          yield* returns({ 200: of({ type: "string" }), 202: of({ type: "integer" }), 204: {} }),
          {
            anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }]
          }
        )
        assert.deepStrictEqual(yield* returns({ default: of({ type: "boolean" }) }), { type: "boolean" })
        assert.deepStrictEqual(yield* returns({ 200: { content: { "text/csv": {} } } }), { type: "string" })
        assert.isUndefined(yield* returns({ 204: {} }))
        assert.isUndefined(yield* returns({ 200: of(5) }))
      })
  )
})
