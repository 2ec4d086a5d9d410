/** What the model is asked for. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { api } from "./api.ts"
import { apiOf, only, reasonOf } from "./only.ts"

const meta = HttpApiToolset.ToolMeta

/** The parts of a request as the model is told of them, shortened to types. */
const shapeOf = (schema: any): unknown =>
  schema.properties === undefined
    ? (schema.type ?? schema)
    : Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [
          schema.required?.includes(name) ? name : `${name}?`,
          shapeOf(property)
        ])
      )

const shapes = Object.fromEntries(
  Effect.runSync(HttpApiToolset.report(api)).tools.map((tool) => [tool.name, shapeOf(tool.parameters)])
)

describe("the arguments", () => {
  it("are the parts of the request, by their decoded types, those without a required field optional", () => {
    assert.deepStrictEqual(shapes, {
      get_users_id: { path_params: { id: "integer" } },
      list_users: { "query?": { "search?": "string", "limit?": "integer" } },
      delete_users_id: { path_params: { id: "integer" } },
      put_users_id_name: { path_params: { id: "integer" }, request_body: "string" },
      get_files_name: { path_params: { name: "string" } },
      get_files_name_versions_version: {
        path_params: { name: "string", version: "string" },
        "query?": { "raw?": "boolean" }
      },
      post_orders: {
        request_body: { item: "string", "count?": "integer", "due?": "string", price: "number" }
      },
      post_orders_form: { request_body: { item: "string", count: "integer" } },
      post_orders_ping: {},
      post_orders_optional: { "request_body?": { "note?": "string" } }
    })
  })

  it("are closed, keep descriptions, and say what a value is", () => {
    const { parameters } = only(
      HttpApiEndpoint.get("x", "/x/:at", {
        params: { at: Schema.Int.annotate({ description: "When." }) },
        query: { tags: Schema.Array(Schema.Literals(["a", "b"])) }
      }).annotate(meta, {})
    )
    assert.deepStrictEqual(parameters, {
      type: "object",
      properties: {
        path_params: {
          type: "object",
          properties: {
            at: { type: "integer", description: "When.", minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 }
          },
          required: ["at"],
          additionalProperties: false
        },
        query: {
          type: "object",
          properties: { tags: { type: "array", items: { type: "string", enum: ["a", "b"] } } },
          required: ["tags"],
          additionalProperties: false
        }
      },
      required: ["path_params", "query"],
      additionalProperties: false
    })
  })

  it("may leave out a body of which every field is optional, also where it is one of a class", () => {
    class Note extends Schema.Class<Note>("Note")({ text: Schema.optionalKey(Schema.String) }) {}
    for (const payload of [Note, Schema.Struct({ text: Schema.optionalKey(Schema.String) })]) {
      const { parameters } = only(HttpApiEndpoint.post("x", "/x", { payload }).annotate(meta, {}))
      assert.isUndefined(parameters.required)
      const { required = [] } = only(HttpApiEndpoint.post("x", "/x", { payload }).annotate(meta, {}), {
        flat: true
      }).parameters
      assert.deepStrictEqual(required, [])
    }
  })

  it("may leave out a body that may be nothing", () => {
    const payload = [Schema.Struct({ a: Schema.String }), HttpApiSchema.NoContent]
    const shape = shapeOf(
      only(HttpApiEndpoint.post("x", "/x", { payload } as never).annotate(meta, {})).parameters
    )
    assert.deepStrictEqual(shape, { "request_body?": { a: "string" } })
  })

  it("may be one of several bodies", () => {
    const payload = [Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.Int })]
    const { parameters } = only(HttpApiEndpoint.post("x", "/x", { payload } as never).annotate(meta, {}))
    const { request_body } = parameters.properties as Record<string, any>
    assert.deepStrictEqual(request_body.anyOf.map(shapeOf), [{ a: "string" }, { b: "integer" }])
  })

  it("of a GET with a payload have it as their body", () => {
    const endpoint = HttpApiEndpoint.get("x", "/x", { payload: { q: Schema.String } }).annotate(meta, {})
    assert.deepStrictEqual(shapeOf(only(endpoint).parameters), { request_body: { q: "string" } })
  })
})

describe("headers", () => {
  const headers = {
    "x-tenant": Schema.String,
    "x-page": Schema.optionalKey(Schema.Int),
    authorization: Schema.optionalKey(Schema.String)
  }
  const endpoint = HttpApiEndpoint.get("x", "/x", { headers }).annotate(meta, {})
  const shape = (options: HttpApiToolset.Options) => shapeOf(only(endpoint, options).parameters)

  it("are configuration: the model is not asked for them", () => {
    assert.deepStrictEqual(shape({ headers: { "X-Tenant": "a" } }), {})
    assert.deepStrictEqual(shape({ headers: { "x-tenant": Redacted.make("a") } }), {})
    assert.match(reasonOf(endpoint) ?? "", /headers/)
    assert.match(reasonOf(endpoint, { headers: { "x-tenant": "a", "x-page": "one" } }) ?? "", /headers/)
  })

  it("are asked for where that is asked for, but for credentials and what is given", () => {
    assert.deepStrictEqual(shape({ headerParams: true }), {
      headers: { "x-tenant": "string", "x-page?": "integer" }
    })
    assert.deepStrictEqual(shape({ headerParams: true, headers: { "x-tenant": "a" } }), {
      "headers?": { "x-page?": "integer" }
    })
  })

  it("that are credentials are never asked for, also where they are required", () => {
    const locked = HttpApiEndpoint.get("x", "/x", { headers: { authorization: Schema.String } }).annotate(
      meta,
      {}
    )
    assert.match(reasonOf(locked, { headerParams: true }) ?? "", /headers/)
    const given = only(locked, { headerParams: true, headers: { Authorization: "x" } })
    assert.deepStrictEqual(shapeOf(given.parameters), {})
  })
})

describe("flat arguments", () => {
  const shape = (endpoint: any) => shapeOf(only(endpoint, { flat: true }).parameters)

  it("are the fields of all parts", () => {
    const { tools } = Effect.runSync(HttpApiToolset.report(api, { flat: true, exclude: { users: ["PUT"] } }))
    assert.deepStrictEqual(Object.fromEntries(tools.map((tool) => [tool.name, shapeOf(tool.parameters)])), {
      get_users_id: { id: "integer" },
      list_users: { "search?": "string", "limit?": "integer" },
      delete_users_id: { id: "integer" },
      get_files_name: { name: "string" },
      get_files_name_versions_version: { name: "string", version: "string", "raw?": "boolean" },
      post_orders: { item: "string", "count?": "integer", "due?": "string", price: "number" },
      post_orders_form: { item: "string", count: "integer" },
      post_orders_ping: {},
      post_orders_optional: { "note?": "string" }
    })
  })

  it("keep the name of a part that has no fields", () => {
    const payload = Schema.Array(Schema.String)
    const endpoint = HttpApiEndpoint.post("x", "/x/:id", { params: { id: Schema.Int }, payload }).annotate(
      meta,
      {}
    )
    assert.deepStrictEqual(shape(endpoint), { id: "integer", request_body: "array" })
  })

  it("keep the definitions that their fields refer to", () => {
    interface Tree {
      readonly label: string
      readonly children: ReadonlyArray<Tree>
    }
    const Tree = Schema.Struct({
      label: Schema.String,
      children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
    }).annotate({ identifier: "Tree" })
    const endpoint = HttpApiEndpoint.post("x", "/x/:id", {
      params: { id: Schema.Int },
      payload: Tree
    }).annotate(meta, {})
    const { parameters } = only(endpoint, { flat: true })
    assert.deepStrictEqual(Object.keys(parameters.properties as object), ["id", "label", "children"])
    assert.isDefined(parameters.$defs)
  })

  it("whose names clash are refused, and say which", () => {
    const endpoint = HttpApiEndpoint.put("x", "/x/:id", {
      params: { id: Schema.Int },
      query: { name: Schema.optionalKey(Schema.String) },
      payload: Schema.Struct({ id: Schema.Int, name: Schema.String })
    }).annotate(meta, {})
    const error = Effect.runSync(Effect.flip(HttpApiToolset.report(apiOf(endpoint), { flat: true })))
    assert.match(
      error.message,
      /PUT \/x\/:id \(users\.x\) has more than one 'id', 'name' among its arguments\./
    )
  })

  it.effect("are refused with words about the fields that the model knows", () =>
    Effect.gen(function* () {
      const toolset = HttpApiToolset.make(api, { flat: true, include: ["orders"], baseUrl: "http://a.test" })
      const refused = (args: unknown) =>
        Effect.map(Effect.flip(Toolset.call(toolset, "post_orders", args)), ({ message }) => message)
      assert.strictEqual(
        yield* refused({ item: 3, count: 1.5 }),
        'Invalid arguments: Expected string\n  at ["item"]\nExpected an integer\n  at ["count"]\nMissing key\n  at ["price"]'
      )
      assert.match(yield* refused({ item: "a", price: 1, extra: true }), /at \["extra"\]/)
      assert.match(yield* refused({ request_body: { item: "a", price: 1 } }), /at \["request_body"\]/)
      assert.match(yield* refused([]), /Invalid arguments/)
      assert.match(yield* refused(null), /Invalid arguments/)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
