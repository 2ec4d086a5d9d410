/** Endpoints at the edges of what can be declared: paths, bodies and queries that a client has to take care with. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema, SchemaTransformation } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Agent, Toolset, ToolRetriesExceeded, ToolsetDefinitionError } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { ScriptedModel } from "effect-toolset/testing"
import { type Answer, json, recording, type Seen } from "../rest/server.ts"
import { apiOf, only, reasonOf } from "./only.ts"

const meta = HttpApiToolset.ToolMeta

/** The endpoint as the tool `x`. */
const named = (endpoint: any) => endpoint.annotate(meta, { name: "x" })

/** Calls `x` as often as there are arguments: what the calls give, and what reached the server. */
const calling = (
  endpoint: any,
  calls: ReadonlyArray<unknown>,
  options: HttpApiToolset.Options = {},
  answer: (seen: Seen) => Answer = () => ({ status: 204 })
) =>
  Effect.gen(function* () {
    const { baseUrl, seen } = yield* recording(answer)
    const toolset = HttpApiToolset.make(apiOf(named(endpoint)), { baseUrl, ...options })
    const said = yield* Effect.forEach(calls, (args) =>
      Effect.match(Toolset.call(toolset, "x", args), { onSuccess: (value) => value, onFailure: String })
    )
    const lines = seen.map(({ body, method, url }) => `${method} ${url} ${body}`.trim())
    return { said, lines, types: seen.map(({ headers }) => headers["content-type"]) }
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))

describe("parameters of a path", () => {
  const post = HttpApiEndpoint.get("x", "/users/:user_id/posts/:post_id", {
    params: { user_id: Schema.String, post_id: Schema.String.check(Schema.isUUID()) }
  }).annotate(meta, {})

  it("have their types and formats, which are no part of the name", () => {
    const { name, parameters } = only(post)
    assert.strictEqual(name, "get_users_user_id_posts_post_id")
    assert.deepStrictEqual(parameters.required, ["path_params"])
    assert.deepStrictEqual(Object.keys(parameters.properties as object), ["path_params"])
    const { properties, required } = (parameters.properties as Record<string, any>)["path_params"]
    assert.deepStrictEqual(required, ["user_id", "post_id"])
    assert.deepStrictEqual(properties.user_id, { type: "string" })
    assert.include(properties.post_id, { type: "string", format: "uuid" })
  })

  it.live("are checked before anything is sent", () =>
    Effect.gen(function* () {
      const id = "5f2b6f7c-3c5b-4b0e-8f5e-1c2d3e4f5a6b"
      const { lines, said } = yield* calling(post, [
        { path_params: { user_id: "ada", post_id: "one" } },
        { path_params: { user_id: "ada", post_id: id } }
      ])
      assert.deepStrictEqual(said, [
        'ModelRetry: Invalid arguments: Expected a UUID\n  at ["path_params"]["post_id"]',
        null
      ])
      assert.deepStrictEqual(lines, [`GET /users/ada/posts/${id}`])
      const natural = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
      const negative = yield* calling(HttpApiEndpoint.get("x", "/users/:id", { params: { id: natural } }), [
        { path_params: { id: -1 } }
      ])
      assert.deepStrictEqual(negative, {
        said: [
          'ModelRetry: Invalid arguments: Expected a value greater than or equal to 0\n  at ["path_params"]["id"]'
        ],
        lines: [],
        types: []
      })
    })
  )

  it("that nobody declares, or that come twice, leave the endpoint out, with the reason", () => {
    const params = { id: Schema.String }
    for (const [endpoint, reason] of [
      [HttpApiEndpoint.get("x", "/users/:id"), "its path has ':id', and it declares no `params`"],
      [HttpApiEndpoint.get("x", "/users/:id(\\d+)/x"), "its path has ':id', and it declares no `params`"],
      [HttpApiEndpoint.get("x", "/users/:id/:id", { params }), "its path has ':id' more than once"]
    ] as const) {
      assert.strictEqual(reasonOf(named(endpoint)), reason)
    }
  })

  it.live("are those that are declared: another colon is text", () =>
    Effect.gen(function* () {
      const cancel = HttpApiEndpoint.post("x", "/jobs/:id:cancel", { params: { id: Schema.String } })
      const { lines } = yield* calling(cancel, [{ path_params: { id: "7" } }])
      assert.deepStrictEqual(lines, ["POST /jobs/7:cancel"])
    })
  )

  it.live("are never left out where the path needs them, whatever their schemas say", () =>
    Effect.gen(function* () {
      const missing = "ModelRetry: Invalid arguments: id must not be left out."
      for (const [params, flat] of [
        [Schema.Struct({ id: Schema.optionalKey(Schema.String) }), false],
        [Schema.Struct({ id: Schema.optionalKey(Schema.String) }), true],
        [Schema.Struct({ id: Schema.optional(Schema.String) }), false],
        [Schema.Record(Schema.String, Schema.String), false]
      ] as const) {
        const endpoint = HttpApiEndpoint.get("x", "/users/:id", { params: params as never })
        const { lines, said } = yield* calling(endpoint, flat ? [{}] : [{}, { path_params: {} }], { flat })
        assert.deepStrictEqual([...new Set(said)], [missing])
        assert.deepStrictEqual(lines, [])
      }
    })
  )

  it("do not tell two endpoints apart: the names collide, and both have their tool where they are given others", () => {
    const users = (a: object, b: object) =>
      HttpApi.make("one").add(
        HttpApiGroup.make("users").add(
          HttpApiEndpoint.get("a", "/users/:id", { params: { id: Schema.Int } }).annotate(meta, a),
          HttpApiEndpoint.get("b", "/users/:id", { params: { id: Schema.String } }).annotate(meta, b)
        )
      )
    const error = Effect.runSync(Effect.flip(HttpApiToolset.report(users({}, {}))))
    assert.instanceOf(error, ToolsetDefinitionError)
    assert.include(
      error.message,
      "GET /users/:id (users.a) and GET /users/:id (users.b) are all called 'get_users_id'."
    )
    const { tools } = Effect.runSync(HttpApiToolset.report(users({ name: "a" }, { name: "b" })))
    assert.deepStrictEqual(
      tools.map(({ parameters }) => (parameters.properties as any).path_params.properties.id.type),
      ["integer", "string"]
    )
  })
})

describe("a body", () => {
  const A = Schema.Struct({ a: Schema.String })
  const B = Schema.Struct({ b: Schema.Int })

  it("of several kinds is required, unless one of them may be empty", () => {
    const C = Schema.Struct({ c: Schema.optionalKey(Schema.String) })
    const requiredOf = (payload: any, options = {}) =>
      only(named(HttpApiEndpoint.post("x", "/x", { payload })), options).parameters.required ?? []
    for (const options of [{}, { flat: true }]) {
      assert.deepStrictEqual(requiredOf([A, B], options), ["request_body"])
      assert.deepStrictEqual(requiredOf(Schema.Union([A, B]), options), ["request_body"])
      assert.deepStrictEqual(requiredOf(Schema.Union([A, C]), options), [])
    }
    const some = C.check(Schema.makeFilter(({ c }) => c !== undefined))
    assert.deepStrictEqual(requiredOf(some), ["request_body"])
  })

  it.live("of JSON or a form is sent as what it is", () =>
    Effect.gen(function* () {
      const payload = [A, B.pipe(HttpApiSchema.asFormUrlEncoded())] as const
      const { lines, said, types } = yield* calling(HttpApiEndpoint.post("x", "/x", { payload }), [
        { request_body: { a: "s" } },
        { request_body: { b: 3 } },
        {}
      ])
      assert.deepStrictEqual(lines, ['POST /x {"a":"s"}', "POST /x b=3"])
      assert.deepStrictEqual(types, ["application/json", "application/x-www-form-urlencoded"])
      assert.match(String(said[2]), /^ModelRetry: Invalid arguments: Missing key\n {2}at \["request_body"\]/)
    })
  )

  it.live("of a method without one goes into the query", () =>
    Effect.gen(function* () {
      for (const method of ["HEAD", "OPTIONS"] as const) {
        const endpoint = HttpApiEndpoint.make(method)("x", "/x", { payload: { q: Schema.String } })
        const { lines } = yield* calling(endpoint, [{ request_body: { q: "a b" } }])
        assert.deepStrictEqual(lines, [`${method} /x?q=a+b`])
      }
    })
  )

  it.live("of XML is what its schema makes of it: the model sees the decoded side", () =>
    Effect.gen(function* () {
      const Xml = Schema.String.pipe(
        Schema.decodeTo(
          A,
          SchemaTransformation.transform({
            decode: (xml: string) => ({ a: xml.replace(/<\/?a>/g, "") }),
            encode: ({ a }) => `<a>${a}</a>`
          })
        ),
        HttpApiSchema.asText({ contentType: "application/xml" })
      )
      const endpoint = HttpApiEndpoint.post("x", "/x", { payload: Xml, success: Xml })
      const { parameters, returns } = only(named(endpoint))
      for (const schema of [(parameters.properties as Record<string, any>)["request_body"], returns]) {
        assert.deepStrictEqual(schema.properties, { a: { type: "string" } })
      }
      const { lines, said, types } = yield* calling(
        endpoint,
        [{ request_body: { a: "hello" } }],
        {},
        ({ body }) => ({ headers: { "content-type": "application/xml" }, body: body.replace("hello", "bye") })
      )
      assert.deepStrictEqual(
        [lines, types, said],
        [["POST /x <a>hello</a>"], ["application/xml"], [{ a: "bye" }]]
      )
    })
  )
})

describe("a query", () => {
  it.live("has nothing of what is left out", () =>
    Effect.gen(function* () {
      const endpoint = HttpApiEndpoint.get("x", "/x", {
        query: { a: Schema.optional(Schema.String), tags: Schema.Array(Schema.String) }
      })
      const { lines } = yield* calling(endpoint, [
        { query: { a: null, tags: [] } },
        { query: { tags: [] } },
        { query: { a: "", tags: ["x"] } }
      ])
      assert.deepStrictEqual(lines, ["GET /x", "GET /x", "GET /x?a=&tags=x"])
    })
  )
})

describe("an answer", () => {
  it.live("of bytes that are no text is told", () =>
    Effect.gen(function* () {
      const success = Schema.String.pipe(HttpApiSchema.asText())
      const binary = new Uint8Array([0xff, 0xfe, 0x41])
      const saying = (body: string | Uint8Array) =>
        Effect.map(
          calling(HttpApiEndpoint.get("x", "/x", { success }), [{}], {}, () => ({ body })),
          ({ said }) => said[0]
        )
      assert.strictEqual(
        yield* saying(binary),
        "ToolFailed: GET /x returned 200, but not what the API declares: a body that is not text in utf-8"
      )
      assert.strictEqual(yield* saying("\ufffd"), "\ufffd")
    })
  )
})

describe("an opened toolset", () => {
  const endpoint = named(HttpApiEndpoint.get("x", "/x"))

  it.live("whose scope has closed says so, instead of waiting", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(() => ({ status: 204 }))
      const session = yield* Effect.scoped(Toolset.open(HttpApiToolset.make(apiOf(endpoint), { baseUrl })))
      const error = yield* Effect.flip(session.call("x", {}))
      assert.instanceOf(error, ToolsetDefinitionError)
      assert.include(error.message, "The scope that it was opened in has closed.")
      assert.deepStrictEqual(seen, [])
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.live("leaves the client as it was, also when a call is interrupted", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const { baseUrl, seen } = yield* recording(({ url }) => {
        if (url !== "/x") return { status: 204 }
        Deferred.doneUnsafe(arrived, Effect.void)
        return "hang"
      })
      const client = yield* HttpClient.HttpClient
      const toolset = HttpApiToolset.make(apiOf(endpoint), { baseUrl, headers: { "x-toolset": "yes" } })
      const fiber = yield* Effect.forkChild(Toolset.call(toolset, "x", {}))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(fiber)
      yield* client.get(`${baseUrl}/direct`)
      assert.deepStrictEqual(
        seen.map(({ headers, url }) => [url, headers["x-toolset"]]),
        [
          ["/x", "yes"],
          ["/direct", undefined]
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )
})

describe("retries", () => {
  it.live("that nobody gives the tools are those of the run", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(() => json({}, 503))
      const toolset = HttpApiToolset.make(apiOf(named(HttpApiEndpoint.get("x", "/x"))), { baseUrl })
      for (const retries of [0, 2]) {
        const before = seen.length
        const error = yield* Agent.run(Agent.make({ toolsets: [toolset], retries }), { prompt: "go" }).pipe(
          Effect.flip,
          Effect.provide(ScriptedModel.layer(() => ScriptedModel.calls([{ name: "x", args: {} }])))
        )
        assert.instanceOf(error, ToolRetriesExceeded)
        assert.strictEqual(error.maxRetries, retries)
        assert.strictEqual(seen.length - before, retries + 1)
      }
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )
})
