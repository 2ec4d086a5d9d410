/** What a call gives: results, failures by policy, and what nobody may read in them. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted, Schedule, Tracer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { Toolset } from "effect-toolset"
import * as OpenApiToolset from "effect-toolset/OpenApiToolset"
import { type Answer, json, recording } from "../rest/server.ts"
import { definitionsOf, documentOf, type Fields, operationOf, served, reasonsOf } from "./served.ts"

const ok = (content: Fields): Fields => ({ responses: { 200: { content } } })
const jsonAnswer = ok({ "application/json": { schema: {} } })

/** What a call gives, or what it says instead. */
const result = (operation: Fields, answer: Answer, options: OpenApiToolset.Options = {}) =>
  Effect.gen(function* () {
    const { call } = yield* served(operationOf(operation), options, () => answer)
    return yield* Effect.match(call("call", {}), {
      onSuccess: (value) => ({ value }),
      onFailure: (error) => ({ tag: error._tag, message: error.message })
    })
  })

describe("results", () => {
  it.effect("JSON as it is, whatever the schema says", () =>
    Effect.gen(function* () {
      const schema = { type: "object", required: ["a"] }
      const operation = ok({ "application/json": { schema } })
      assert.deepStrictEqual(yield* result(operation, json([1, null])), { value: [1, null] })
    })
  )

  it.effect("nothing is null, text is text, and JSON that nobody declared is JSON", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* result(jsonAnswer, { status: 204 }), { value: null })
      assert.deepStrictEqual(yield* result({}, { body: "plain" }), { value: "plain" })
      assert.deepStrictEqual(yield* result({}, json({ a: 1 })), { value: { a: 1 } })
      const text = ok({ "text/csv": {} })
      assert.deepStrictEqual(yield* result(text, { body: "a,b" }), { value: "a,b" })
    })
  )

  it.effect("a success that is no JSON where JSON is declared is told", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* result(jsonAnswer, { body: "<html>" }), {
        tag: "ToolFailed",
        message: "GET /call returned 200, but not what the API declares: a body that is not JSON: <html>"
      })
    })
  )

  it.effect("bytes that are no text are told; text is read in the charset that it comes with", () =>
    Effect.gen(function* () {
      const binary = new Uint8Array([0xff, 0xfe, 0x41])
      for (const [operation, type, charset] of [
        [{}, "image/png", "utf-8"],
        [ok({ "text/plain": {} }), "text/plain", "utf-8"],
        [jsonAnswer, "application/json", "utf-8"],
        [{}, "text/plain; charset=nonsense", "nonsense"]
      ] as const) {
        assert.deepStrictEqual(
          yield* result(operation, { headers: { "content-type": type }, body: binary }),
          {
            tag: "ToolFailed",
            message: `GET /call returned 200, but not what the API declares: a body that is not text in ${charset}`
          }
        )
      }
      const latin = (type: string, text: string): Answer => ({
        headers: { "content-type": `${type}; charset="ISO-8859-1"` },
        body: Buffer.from(text, "latin1")
      })
      assert.deepStrictEqual(yield* result({}, latin("text/csv", "Zoë,é")), { value: "Zoë,é" })
      assert.deepStrictEqual(yield* result(jsonAnswer, latin("application/json", '{"a":"é"}')), {
        value: { a: "é" }
      })
      const secret = { headers: { "x-key": Redacted.make("pässword") } }
      const echoed = yield* result({}, latin("text/plain", "It was <pässword>."), secret)
      assert.deepStrictEqual(echoed, { value: "It was <***>." })
      assert.deepStrictEqual(yield* result({}, { body: "\ufffd is a character" }), {
        value: "\ufffd is a character"
      })
    })
  )

  it.effect("lists are cut, and the schema allows for it", () =>
    Effect.gen(function* () {
      const list = ok({ "application/json": { schema: { type: "array", items: { type: "integer" } } } })
      const cut = { items: [1, 2], truncated: true, total_items: 3, returned_items: 2 }
      assert.deepStrictEqual(yield* result(list, json([1, 2, 3]), { maxItems: 2 }), { value: cut })
      assert.deepStrictEqual(yield* result(list, json([1, 2]), { maxItems: 2 }), { value: [1, 2] })
      const raised = yield* result(list, json([1, 2, 3]), { maxItems: 2, onTruncate: "raise" })
      assert.strictEqual("tag" in raised ? raised.tag : undefined, "ToolFailed")
      const { call } = yield* definitionsOf(operationOf(list), { maxItems: 2 })
      assert.strictEqual((call!.returns!.anyOf as Array<unknown>).length, 2)
    })
  )
})

describe("failures", () => {
  it.effect("by status: what may be gone the next time may be tried again, the rest is told", () =>
    Effect.gen(function* () {
      for (const status of [408, 429, 500, 502, 503, 504]) {
        const { message, tag } = (yield* result(jsonAnswer, json({ why: "busy" }, status))) as Fields
        assert.deepStrictEqual([tag, message], ["ModelRetry", `GET /call returned ${status}: {"why":"busy"}`])
      }
      for (const status of [302, 400, 401, 404, 409, 422, 501]) {
        const { tag } = (yield* result(jsonAnswer, json({}, status, { location: "/elsewhere" }))) as Fields
        assert.strictEqual(tag, "ToolFailed")
      }
      const own = (yield* result(jsonAnswer, json({}, 500), { retryOn: [] })) as Fields
      assert.strictEqual(own.tag, "ToolFailed")
    })
  )

  it.effect("a lost connection, a timeout: told, or left in E", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* result(jsonAnswer, "hang up"), {
        tag: "ToolFailed",
        message: "GET /call got no answer: the connection failed."
      })
      const left = (yield* result(jsonAnswer, json({}, 503), { onError: "fail" })) as Fields
      assert.strictEqual(left.tag, "HttpClientError")
      assert.notMatch(left.message, /127\.0\.0\.1|http:/)
      const never = (yield* result(jsonAnswer, json({}, 503), { onError: "recover" })) as Fields
      assert.strictEqual(never.tag, "ToolFailed")
      const chosen = (yield* result(jsonAnswer, json({}, 404), { onError: () => "retry" })) as Fields
      assert.strictEqual(chosen.tag, "ModelRetry")
    })
  )

  it.effect("are sent again where that is harmless: by method, or by a key", () =>
    Effect.gen(function* () {
      const post = (parameters: ReadonlyArray<Fields>) =>
        documentOf({
          "/call": { post: { operationId: "call", parameters, responses: jsonAnswer.responses } }
        })
      const key = { in: "header", name: "Idempotency-Key", schema: { type: "string" } }
      const options = { schedule: Schedule.recurs(2) }
      for (const [document, requests] of [
        [operationOf(jsonAnswer), 3],
        [post([]), 1],
        [post([key]), 3]
      ] as const) {
        const { call, seen } = yield* served(document, options, () => json({}, 503))
        yield* Effect.flip(call("call", {}))
        assert.strictEqual(seen.length, requests)
        assert.strictEqual(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size, 1)
      }
    })
  )

  it.effect("of two calls have two idempotency keys, also where the model gives both one id", () =>
    Effect.gen(function* () {
      const key = { in: "header", name: "Idempotency-Key", schema: { type: "string" } }
      const document = documentOf({
        "/call": { post: { operationId: "call", parameters: [key], responses: jsonAnswer.responses } }
      })
      const { call, seen } = yield* served(document, {}, () => json({}))
      yield* call("call", {})
      yield* call("call", {})
      assert.strictEqual(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size, 2)
    })
  )

  it.effect("have a path that begins with /, so that it is no part of the host", () =>
    Effect.gen(function* () {
      for (const path of ["{region}/x", ".evil.test/x", "@evil.test/x", ":41997/x", ""]) {
        const document = documentOf({
          [path]: { get: { operationId: "x", responses: jsonAnswer.responses } }
        })
        const { skipped } = yield* reasonsOf(document)
        assert.deepStrictEqual(skipped, [`* ${path}: its path does not begin with /`])
      }
    })
  )

  it.effect("have parameters whose names can be written in a URL", () =>
    Effect.gen(function* () {
      const parameters = [{ in: "query", name: "\ud800 %", schema: { type: "string" } }]
      const { skipped } = yield* reasonsOf(operationOf({ parameters, responses: jsonAnswer.responses }))
      assert.include(skipped[0], "a parameter has the place")
    })
  )

  it.effect("never show credentials, nor do spans", () =>
    Effect.gen(function* () {
      const scheme = (place: string, name: string) => ({ type: "apiKey", in: place, name })
      const document = operationOf(jsonAnswer, {
        security: [{ header: [], query: [], cookie: [] }],
        components: {
          securitySchemes: {
            header: scheme("header", "X-Own-Key"),
            query: scheme("query", "q-key"),
            cookie: scheme("cookie", "c-key")
          }
        }
      })
      const security = {
        header: Redacted.make("header-secret"),
        query: Redacted.make("query-secret"),
        cookie: Redacted.make("cookie-secret")
      }
      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const { call, seen } = yield* served(
        document,
        { security, headers: { "x-other": Redacted.make("other-secret") } },
        ({ headers, url }) => json({ headers, url }, 404)
      )
      const error = yield* Effect.flip(call("call", {})).pipe(Effect.withTracer(tracer))
      const { headers, url } = seen[0]!
      assert.deepStrictEqual(
        [headers["x-own-key"], headers.cookie, headers["x-other"], url],
        ["header-secret", "c-key=cookie-secret", "other-secret", "/api/call?q-key=query-secret"]
      )
      const written = spans.map(({ attributes }) => JSON.stringify([...attributes])).join()
      assert.isNotEmpty(spans)
      for (const text of [error.message, String(error), JSON.stringify(error), written]) {
        assert.notMatch(text, /-secret/)
      }
    })
  )

  it.effect("what echoes in part is cut too, and an excerpt is short", () =>
    Effect.gen(function* () {
      const { message } = (yield* result(jsonAnswer, { status: 500, body: "x".repeat(10_000) })) as Fields
      assert.isBelow(message.length, 600)
    })
  )
})

describe("clients", () => {
  it.effect("the one in the environment, derived, and opened with the toolset", () =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(() => json({}))
      const opened: Array<string> = []
      const client = (yield* HttpClient.HttpClient).pipe(
        HttpClient.mapRequest((request) => {
          opened.push("environment")
          return HttpClientRequest.setHeader(request, "x-environment", "yes")
        })
      )
      const toolset = yield* OpenApiToolset.make(operationOf({}), {
        baseUrl,
        transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("x-own", "yes"))
      })
      const context = Context.make(HttpClient.HttpClient, client)
      yield* Toolset.call(toolset, "call", {}).pipe(Effect.provideContext(context))
      assert.deepStrictEqual([seen[0]!.headers["x-environment"], seen[0]!.headers["x-own"]], ["yes", "yes"])
      assert.deepStrictEqual(opened, ["environment"])
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
