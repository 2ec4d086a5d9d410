/** What becomes of each keyword of a schema, in both directions. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, JsonSchema } from "effect"
import { schemaBothWays } from "./served.ts"

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
    { allOf: [{ not: { type: "string" } }], if: {}, else: {}, anyOf: [] },
    { allOf: [{ not: { type: "string" } }], if: {}, else: {} }
  ],
  ["a map that is none", { properties: [], patternProperties: 1, allOf: {} }, {}]
]

describe("keywords of schemas", () => {
  for (const [what, schema, expected] of becomes) {
    it.effect(what, () =>
      Effect.map(schemaBothWays(schema), ({ request, response }) => {
        assert.deepStrictEqual(request, expected)
        assert.deepStrictEqual(response, expected)
      })
    )
  }

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
        const { response } = yield* schemaBothWays(schema)
        assert.deepStrictEqual(response, JsonSchema.fromSchemaOpenApi3_0(schema).schema)
      }
    })
  )
})
