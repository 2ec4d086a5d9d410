/** Arguments of a call: what the model is told of them, and how they are checked. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { JsonSchemaValidator } from "effect-toolset"
import { definitionsOf, documentOf, type Fields, operationOf, refused, sent } from "./served.ts"

describe("arguments", () => {
  const document = documentOf({
    "/call/{id}": {
      get: {
        operationId: "call",
        parameters: [
          { in: "path", name: "id", required: true, schema: { type: "integer" } },
          { in: "query", name: "limit", schema: { type: "integer" } },
          { in: "query", name: "must", required: true, schema: { type: "string" } }
        ]
      }
    }
  })

  it.effect("null stands for what is left out, where it may be", () =>
    Effect.gen(function* () {
      const args = { path_params: { id: 1 }, query: { must: "x", limit: null } }
      assert.strictEqual((yield* sent(document, args)).url, "/api/call/1?must=x")
      const optional = operationOf({
        parameters: [{ in: "query", name: "limit", schema: { type: "integer" } }]
      })
      assert.strictEqual((yield* sent(optional, { query: null })).url, "/api/call")
      assert.match(
        (yield* refused(document, { path_params: { id: 1 }, query: { must: null } })).message,
        /must/
      )
    })
  )

  it.effect("everything that is wrong is said at once, in words of the schema", () =>
    Effect.gen(function* () {
      const { message, requests } = yield* refused(document, {
        path_params: { idd: 1 },
        query: { limit: "x" },
        extra: 1
      })
      assert.strictEqual(requests, 0)
      for (const place of [
        `["path_params"]["idd"]`,
        `["path_params"]["id"]`,
        `["query"]["limit"]`,
        `["extra"]`
      ]) {
        assert.include(message, place)
      }
    })
  )

  it.effect("are described by their parameters and their body, else by their schemas", () =>
    Effect.gen(function* () {
      const parameter = (name: string, rest: Fields) => ({ in: "query", name, ...rest })
      const { call } = yield* definitionsOf(
        documentOf({
          "/call": {
            post: {
              operationId: "call",
              parameters: [
                parameter("a", { description: "Own", schema: { type: "string", description: "Schema's" } }),
                parameter("b", { schema: { type: "string", description: "Schema's" } }),
                parameter("c", { description: "Own", schema: true })
              ],
              requestBody: {
                description: "The body",
                content: { "application/json": { schema: { type: "object" } } }
              }
            }
          }
        })
      )
      const { query, request_body } = call!.parameters.properties as Fields
      assert.deepStrictEqual(query.properties, {
        a: { type: "string", description: "Own" },
        b: { type: "string", description: "Schema's" },
        c: { description: "Own" }
      })
      assert.deepStrictEqual(request_body, { type: "object", description: "The body" })
    })
  )

  it.effect("that are no object are refused, whatever the validator thinks", () =>
    Effect.gen(function* () {
      const lenient: JsonSchemaValidator.Compile = () => () => Effect.succeed(undefined)
      for (const args of [null, 5, [1]]) {
        const { requests, tag } = yield* refused(document, args).pipe(
          Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, lenient)
        )
        assert.deepStrictEqual([requests, tag], [0, "ModelRetry"])
      }
    })
  )

  it.effect("are checked by the validator that is there", () =>
    Effect.gen(function* () {
      const schemas: Array<unknown> = []
      const picky: JsonSchemaValidator.Compile = (schema) => {
        schemas.push(schema)
        return () => Effect.succeed("no")
      }
      const { message } = yield* refused(document, { path_params: { id: 1 } }).pipe(
        Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, picky)
      )
      assert.strictEqual(message, "Invalid arguments: no")
      assert.strictEqual(schemas.length, 1)
    })
  )
})
