/** Schemas of OpenAPI as draft 2020-12, for each direction. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { definitionsOf, documentOf, type Fields, schemaBothWays } from "./served.ts"

const components = (schemas: Fields): Fields => ({ components: { schemas } })

describe("schemas", () => {
  it.effect("a property called __proto__ is a property", () =>
    Effect.map(
      schemaBothWays(JSON.parse(`{"type":"object","properties":{"__proto__":{"type":"string"}}}`)),
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
      const { request, response } = yield* schemaBothWays(
        { $ref: "#/components/schemas/User" },
        components({ User: schema, Url: { type: "string", readOnly: true } })
      ).pipe(
        Effect.map(({ $defs, response }) => ({
          request: ($defs as Fields).User,
          response: (response!.$defs as Fields).User
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
      const plain = yield* schemaBothWays({ oneOf: [a] })
      assert.deepStrictEqual([plain.request, plain.response], [{ anyOf: [a] }, { oneOf: [a] }])
      const { request } = yield* schemaBothWays({ oneOf: [a], anyOf: [{}], allOf: [{}] })
      assert.deepStrictEqual(request, { anyOf: [{}], allOf: [{}, { anyOf: [a] }] })
    })
  )

  it.effect("references keep what stands beside them, and nothing is expanded", () =>
    Effect.gen(function* () {
      const { $defs, request } = yield* schemaBothWays(
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
      const { $defs, request } = yield* schemaBothWays(
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
