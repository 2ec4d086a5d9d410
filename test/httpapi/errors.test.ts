/** What becomes of answers that are no success, or not the one that is declared. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { Tool } from "effect/ai"
import { FetchHttpClient, type HttpClient, HttpClientError } from "effect/http"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { type Answer, json, recording } from "../rest/server.ts"
import { api } from "./api.ts"
import { calling, served } from "./calling.ts"
import { apiOf } from "./only.ts"

/** The failure of asking for user 7, of a server that gives this answer. */
const asking = (answer: Answer, options: HttpApiToolset.Options = {}) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* recording(() => answer)
    const toolset = HttpApiToolset.make(api, { baseUrl, ...options })
    return yield* Effect.flip(Toolset.call(toolset, "get_users_id", { path_params: { id: 7 } }))
  })

const live = <A, E>(name: string, test: () => Effect.Effect<A, E, any>) => {
  it.live(name, () => Effect.scoped(Effect.provide(test(), FetchHttpClient.layer) as Effect.Effect<A, E>))
}

const user = { id: 7, name: "Ada", since: "2024-01-01T00:00:00.000Z" }

describe("an error that the API declares", () => {
  const body = '{"_tag":"NotFound","id":404,"at":"2024-01-01T00:00:00.000Z"}'

  served("is told to the model, encoded, with its status", () =>
    Effect.gen(function* () {
      const call = yield* calling()
      assert.strictEqual(
        yield* call("get_users_id", { path_params: { id: 404 } }),
        `ToolFailed: GET /users/:id returned 404: ${body}`
      )
    })
  )

  served("is in the details of the failure", () =>
    Effect.gen(function* () {
      const error = yield* asking(
        json({ _tag: "NotFound", id: 7, at: "2024-01-01T00:00:00Z", extra: 1 }, 404)
      )
      assert.instanceOf(error, ToolFailed)
      assert.deepStrictEqual(error.details, { _tag: "NotFound", id: 7, at: "2024-01-01T00:00:00.000Z" })
    }).pipe(Effect.scoped)
  )

  served("asks the model to try again where its status may be gone the next time", () =>
    Effect.gen(function* () {
      const call = yield* calling()
      assert.strictEqual(
        yield* call("get_users_id", { path_params: { id: 503 } }),
        'ModelRetry: GET /users/:id returned 503: {"_tag":"Busy","queue":3}'
      )
    })
  )

  live("is its text, where the body is another: HTML, half of it, another error, nothing", () =>
    Effect.gen(function* () {
      for (const text of ["<h1>Not here</h1>", '{"_tag":"NotFound"}', '{"_tag":"Busy","queue":1}', "{", ""]) {
        const error = yield* asking({ status: 404, body: text })
        assert.instanceOf(error, ToolFailed)
        assert.isUndefined(error.details)
        assert.strictEqual(error.message, `GET /users/:id returned 404${text === "" ? "." : `: ${text}`}`)
      }
    })
  )

  live("of any size is bounded in the message", () =>
    Effect.gen(function* () {
      const error = yield* asking(
        json({ _tag: "NotFound", id: 7, at: user.since, more: "x".repeat(9000) }, 404)
      )
      assert.isBelow(error.message.length, 600)
    })
  )
})

describe("a status that the API does not declare", () => {
  live("is classified before anything is decoded", () =>
    Effect.gen(function* () {
      for (const [status, tag] of [
        [401, "ToolFailed"],
        [403, "ToolFailed"],
        [409, "ToolFailed"],
        [418, "ToolFailed"],
        [422, "ToolFailed"],
        [501, "ToolFailed"],
        [408, "ModelRetry"],
        [429, "ModelRetry"],
        [500, "ModelRetry"],
        [502, "ModelRetry"],
        [504, "ModelRetry"]
      ] as const) {
        // A body that looks like a success changes nothing.
        const error = yield* asking(json(user, status))
        assert.strictEqual(error._tag, tag, String(status))
        assert.strictEqual(error.message, `GET /users/:id returned ${status}: ${JSON.stringify(user)}`)
      }
    })
  )

  live("that is a redirect is not followed", () =>
    Effect.gen(function* () {
      const elsewhere = yield* recording(() => json(user))
      const error = yield* asking({ status: 302, headers: { location: elsewhere.baseUrl } })
      assert.strictEqual(String(error), "ToolFailed: GET /users/:id returned 302.")
      assert.deepStrictEqual(elsewhere.seen, [])
    })
  )

  live("that is another success is told to the model", () =>
    Effect.gen(function* () {
      const error = yield* asking(json(user, 202))
      assert.strictEqual(
        String(error),
        "ToolFailed: GET /users/:id returned 202, but not what the API declares: undeclared status code"
      )
    })
  )
})

describe("a success that is not what the API declares", () => {
  live("is told to the model, and the body is not", () =>
    Effect.gen(function* () {
      const error = yield* asking(json({ ...user, id: "seven", secret: "hidden" }))
      assert.instanceOf(error, ToolFailed)
      assert.match(error.message, /^GET \/users\/:id returned 200, but not what the API declares: Expected /)
      assert.match(error.message, /\["id"\]/)
      assert.notMatch(error.message, /hidden/)
    })
  )

  live("is no JSON, or nothing", () =>
    Effect.gen(function* () {
      for (const body of ["<html>", "", "[", "\ud800", new Uint8Array([0xff, 0xfe])]) {
        const error = yield* asking({ status: 200, headers: { "content-type": "application/json" }, body })
        assert.strictEqual(error._tag, "ToolFailed")
        assert.match(error.message, /^GET \/users\/:id returned 200, but not what the API declares: /)
      }
    })
  )

  live("may have more than is declared: the model sees what is declared", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* recording(() => json({ ...user, secret: "hidden" }))
      const toolset = HttpApiToolset.make(api, { baseUrl })
      assert.deepStrictEqual(yield* Toolset.call(toolset, "get_users_id", { path_params: { id: 7 } }), user)
    })
  )
})

describe("a success with headers of its own", () => {
  const endpoint = HttpApiEndpoint.get("x", "/x", {
    success: HttpApiSchema.WithHeaders(Schema.Struct({ a: Schema.Int }), {
      "x-total": Schema.FiniteFromString
    })
  }).annotate(HttpApiToolset.ToolMeta, {})

  live("is its body to the model", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* recording(() => json({ a: 1 }, 200, { "x-total": "7" }))
      const toolset = HttpApiToolset.make(apiOf(endpoint), { baseUrl })
      const [tool] = yield* Toolset.list(toolset)
      assert.deepStrictEqual(Object.keys(tool?.returns?.properties as object), ["a"])
      assert.deepStrictEqual(yield* Toolset.call(toolset, "get_users_x", {}), { a: 1 })
    })
  )

  live("is no success without them", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* recording(() => json({ a: 1 }))
      const call = Toolset.call(HttpApiToolset.make(apiOf(endpoint), { baseUrl }), "get_users_x", {})
      assert.strictEqual((yield* Effect.flip(call))._tag, "ToolFailed")
    })
  )
})

describe("an empty answer", () => {
  const void_ = HttpApiEndpoint.delete("x", "/x").annotate(HttpApiToolset.ToolMeta, {})
  const maybe = HttpApiEndpoint.get("x", "/x", {
    success: [Schema.Struct({ a: Schema.Int }), HttpApiSchema.NoContent]
  }).annotate(HttpApiToolset.ToolMeta, {})

  live("is null", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* recording(() => ({ status: 204 }))
      for (const [endpoint, name] of [
        [void_, "delete_users_x"],
        [maybe, "get_users_x"]
      ] as const) {
        const toolset = HttpApiToolset.make(apiOf(endpoint), { baseUrl })
        assert.strictEqual(yield* Toolset.call(toolset, name, {}), null)
      }
    })
  )

  live("beside another one is told apart by its status", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* recording(() => json({ a: 1 }))
      const toolset = HttpApiToolset.make(apiOf(maybe), { baseUrl })
      assert.deepStrictEqual(yield* Toolset.call(toolset, "get_users_x", {}), { a: 1 })
    })
  )
})

describe("a policy", () => {
  live("leaves in `E` what may be gone the next time, for the run's own retry", () =>
    Effect.gen(function* () {
      let count = 0
      const { baseUrl, seen } = yield* recording(() => (count++ < 2 ? { status: 503 } : json(user)))
      const toolset = HttpApiToolset.make(api, { baseUrl, onError: "fail" })
      const call = Toolset.call(toolset, "get_users_id", { path_params: { id: 7 } })
      assert.instanceOf(yield* Effect.flip(call), HttpClientError.HttpClientError)
      const retried = Effect.retry(call, {
        while: (error) => HttpClientError.isHttpClientError(error),
        times: 3
      })
      assert.deepStrictEqual(yield* retried, user)
      assert.strictEqual(seen.length, 3)
      assert.strictEqual((yield* asking({ status: 404 }, { onError: "fail" }))._tag, "ToolFailed")
      assert.strictEqual((yield* asking("hang up", { onError: "fail" }))._tag, "HttpClientError")
    })
  )

  live("of one's own sees what happened", () =>
    Effect.gen(function* () {
      const failures: Array<HttpApiToolset.RequestFailure> = []
      const error = yield* asking(json({ _tag: "Busy", queue: 3 }, 503, { "retry-after": "2" }), {
        onError: (failure) => {
          failures.push(failure)
          return "recover"
        }
      })
      assert.strictEqual(error._tag, "ToolFailed")
      const [failure] = failures
      assert.deepInclude(failure, {
        reason: "status",
        status: 503,
        isTransient: true,
        details: { _tag: "Busy", queue: 3 }
      })
      assert.strictEqual(failure?.endpoint.path, "/users/:id")
      assert.strictEqual(
        failure?.message,
        'GET /users/:id returned 503 (retry after 2 seconds): {"_tag":"Busy","queue":3}'
      )
    })
  )
})

describe("a schedule", () => {
  const post = HttpApiEndpoint.post("x", "/x").annotate(HttpApiToolset.ToolMeta, {})

  const sent = (endpoint: any, name: string): Effect.Effect<number, unknown, HttpClient.HttpClient> =>
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* recording(() => ({ status: 503 }))
      const toolset = HttpApiToolset.make(apiOf(endpoint), { baseUrl, schedule: Schedule.recurs(2) })
      assert.instanceOf(yield* Effect.flip(Toolset.call(toolset, name, {})), ModelRetry)
      return seen.length
    }).pipe(Effect.scoped)

  live("is for methods that are idempotent, and endpoints that say that they are", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* sent(post, "post_users_x"), 1)
      assert.strictEqual(yield* sent(post.annotate(Tool.Idempotent, true), "post_users_x"), 3)
      const get = HttpApiEndpoint.get("x", "/x").annotate(HttpApiToolset.ToolMeta, {})
      assert.strictEqual(yield* sent(get, "get_users_x"), 3)
      assert.strictEqual(yield* sent(get.annotate(Tool.Idempotent, false), "get_users_x"), 1)
    })
  )
})
