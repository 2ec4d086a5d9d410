/** An object that is written as parameters of its own cannot be taken for others: they are the document's, or a key. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { bodyOf, documentOf, type Fields, refused, secret, sent } from "./served.ts"

const query = (name: string, rest: Fields = {}): Fields => ({ in: "query", name, schema: {}, ...rest })
const free = query("free", { schema: { type: "object", additionalProperties: true } })
const deep = (name: string) => query(name, { style: "deepObject", explode: true })

const options = { security: { key: secret("the-real-key") } }
const document = (...parameters: ReadonlyArray<Fields>): Fields =>
  documentOf(
    { "/call?beta=true": { get: { operationId: "call", parameters } } },
    {
      security: [{ key: [] }],
      components: {
        securitySchemes: {
          key: { type: "apiKey", in: "query", name: "api_key" },
          other: { type: "apiKey", in: "query", name: "signature" }
        }
      }
    }
  )

/** Every name that is not the model's to choose. */
const reserved = ["api_key", "signature", "limit", "ids[]", "beta", "filter", "filter[admin]"]

/** What servers take for the same name, in this or that language. */
const alike: ReadonlyArray<(name: string) => string> = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => ` ${name}`,
  (name) => name.replace("_", "."),
  (name) => name.replace("_", " "),
  (name) => name.replace("_", "["),
  (name) => `${name}\0x`,
  (name) => name.replace(/(\[\])?$/, "[]"),
  (name) => name.replace(/(\[\])?$/, "[x][y]"),
  (name) => name.replace("[]", "")
]

describe("names that a value chooses in a query", () => {
  const all = document(free, query("limit"), query("ids[]"), deep("filter"), query("filter[admin]"))

  for (const name of reserved) {
    it.effect(`cannot be '${name}', nor what a server may take for it`, () =>
      Effect.gen(function* () {
        for (const write of alike) {
          const { message, requests, tag } = yield* refused(
            all,
            { query: { free: { [write(name)]: "x" } } },
            options
          )
          assert.deepStrictEqual([requests, tag], [0, "ModelRetry"], write(name))
          assert.strictEqual(
            message,
            `Invalid arguments: query.free must not have ${JSON.stringify(write(name))}: that is another parameter.`
          )
        }
      })
    )
  }

  it.effect("of a deep object cannot be those of another parameter", () =>
    Effect.gen(function* () {
      for (const key of ["admin", "ADMIN", "admin][x"]) {
        const { message, requests } = yield* refused(all, { query: { filter: { [key]: true } } }, options)
        assert.strictEqual(requests, 0)
        assert.include(message, `query.filter must not have ${JSON.stringify(`filter[${key}]`)}`)
      }
      const { url } = yield* sent(all, { query: { filter: { administrator: true } } }, options)
      assert.strictEqual(url, "/api/call?beta=true&filter%5Badministrator%5D=true&api_key=the-real-key")
    })
  )

  it.effect("of two objects cannot be the same", () =>
    Effect.gen(function* () {
      const two = document(free, query("more"))
      const args = { query: { free: { a: 1, b: 2 }, more: { b: 3 } } }
      assert.strictEqual(
        (yield* refused(two, args, options)).message,
        `Invalid arguments: query.more must not have "b": that is another parameter.`
      )
    })
  )

  it.effect("are free otherwise, and come in the order of the parameters, the key last", () =>
    Effect.gen(function* () {
      const args = {
        query: {
          limit: 1,
          free: { z: 1, "a&api_key": "x=y&api_key=z", limits: 2, filters: 3, free: 4 },
          "ids[]": [1, 2]
        }
      }
      const { url } = yield* sent(all, args, options)
      assert.strictEqual(
        url,
        "/api/call?beta=true&z=1&a%26api_key=x%3Dy%26api_key%3Dz&limits=2&filters=3&free=4" +
          "&limit=1&ids%5B%5D=1&ids%5B%5D=2&api_key=the-real-key"
      )
    })
  )

  it.effect("are names on the wire only where the document says so", () =>
    Effect.gen(function* () {
      for (const rest of [{ explode: false }, { content: { "application/json": {} }, schema: undefined }]) {
        const { url } = yield* sent(
          document(query("free", rest)),
          { query: { free: { api_key: 1 } } },
          options
        )
        assert.deepStrictEqual([...new URL(url, "http://x").searchParams.getAll("api_key")], ["the-real-key"])
      }
    })
  )

  const names = Schema.Record(
    Schema.Union([
      Schema.String,
      Schema.Literals(["api_key", "Api.Key", "limit", "filter[admin]", "__proto__"])
    ]),
    Schema.String
  )
  it.effect.prop(
    "whatever they are, what the document and the configuration send arrives once",
    { free: names, filter: names },
    ({ filter, free }) =>
      Effect.gen(function* () {
        const args = { query: { free, filter, limit: 1 } }
        const urls = yield* Effect.match(sent(all, args, options), {
          onSuccess: ({ url }) => [url],
          onFailure: () => []
        })
        for (const url of urls) {
          const { searchParams } = new URL(url, "http://x")
          assert.deepStrictEqual(searchParams.getAll("api_key"), ["the-real-key"])
          assert.deepStrictEqual(searchParams.getAll("limit"), ["1"])
          assert.deepStrictEqual(searchParams.getAll("beta"), ["true"])
          assert.isFalse(searchParams.has("filter[admin]"))
        }
      }),
    { arbitrary: { runs: 60 }, timeout: 60_000 }
  )
})

describe("names that a value chooses in a form", () => {
  const form = (schema: unknown) =>
    bodyOf({ "application/x-www-form-urlencoded": { schema, encoding: { meta: { style: "form" } } } })
  const own = {
    type: "object",
    properties: { amount: { type: "integer", maximum: 10 }, meta: { type: "object" } }
  }

  for (const [what, schema] of Object.entries({ "its schema": own, "a part of it": { allOf: [own] } })) {
    it.effect(`cannot be those of ${what}`, () =>
      Effect.gen(function* () {
        const { message, requests } = yield* refused(form(schema), {
          request_body: { meta: { amount: 1000 } }
        })
        assert.strictEqual(requests, 0)
        assert.include(message, `request_body.meta must not have "amount": that is another parameter.`)
        const { body } = yield* sent(form(schema), { request_body: { meta: { colour: "red" }, amount: 1 } })
        assert.strictEqual(body, "colour=red&amount=1")
      })
    )
  }

  it.effect("cannot be those that are there", () =>
    Effect.gen(function* () {
      const { message } = yield* refused(form({ type: "object" }), { request_body: { x: 1, meta: { x: 2 } } })
      assert.include(message, `request_body.meta must not have "x"`)
    })
  )
})

describe("names that a value chooses in a path", () => {
  const matrix = (name: string): Fields => ({ in: "path", name, style: "matrix", explode: true, schema: {} })
  const document = documentOf({
    "/call{point}{user}": { get: { operationId: "call", parameters: [matrix("point"), matrix("user")] } }
  })

  it.effect("cannot be those of another parameter, nor the same twice", () =>
    Effect.gen(function* () {
      const { url } = yield* sent(document, { path_params: { point: { x: 1, y: 2 }, user: "me" } })
      assert.strictEqual(url, "/api/call;x=1;y=2;user=me")
      for (const path_params of [
        { point: { user: "admin" }, user: "me" },
        { point: { USER: "admin" }, user: "me" },
        { point: { x: 1 }, user: { x: 2 } }
      ]) {
        const { message, requests } = yield* refused(document, { path_params })
        assert.strictEqual(requests, 0)
        assert.match(
          message,
          /path_params\.(point|user) must not have "(user|USER|x)": that is another parameter/
        )
      }
    })
  )
})
