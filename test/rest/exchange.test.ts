/** Requests against a real server: what is sent, how often, and what becomes of what fails. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { ModelRetry, ToolFailed } from "effect-toolset"
import { connect, type ConnectOptions } from "../../src/rest/connect.ts"
import type { OnError } from "../../src/toolset/failure.ts"
import { type Answer, recording, type Seen } from "./server.ts"

type Method = "GET" | "PUT" | "POST" | "DELETE"

/** One request to `/users/7`, named by its template, with the body of a success as text. */
const asking = (
  answer: (seen: Seen, index: number) => Answer,
  options: ConnectOptions<OnError> = {},
  method: Method = "GET"
) =>
  Effect.gen(function* () {
    const { baseUrl, seen } = yield* recording(answer)
    const { client, exchange } = yield* connect("test", { baseUrl, ...options })
    const asked = exchange({
      endpoint: { method, path: "/users/:id" },
      isIdempotent: method !== "POST",
      send: client.execute(HttpClientRequest.make(method)("/users/7")),
      read: (_response, text) => (text === "bad" ? Effect.fail("it is bad") : Effect.succeed(text))
    })
    return { asked, seen }
  })

const layer = FetchHttpClient.layer

/** The failure of one request. */
const failing = (
  answer: (seen: Seen, index: number) => Answer,
  options: ConnectOptions<OnError> = {},
  method: Method = "GET"
) => Effect.flatMap(asking(answer, options, method), ({ asked }) => Effect.flip(asked))

describe("exchange", () => {
  it.effect("gives what is read of a success", () =>
    Effect.gen(function* () {
      const { asked, seen } = yield* asking(() => ({ body: "hello" }))
      assert.strictEqual(yield* asked, "hello")
      assert.deepStrictEqual(
        seen.map(({ method, url }) => `${method} ${url}`),
        ["GET /users/7"]
      )
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  for (const status of [408, 429, 500, 502, 503, 504]) {
    it.effect(`asks the model to try again after ${status}`, () =>
      Effect.gen(function* () {
        const error = yield* failing(() => ({ status, body: "not now" }))
        assert.instanceOf(error, ModelRetry)
        assert.strictEqual(error.message, `GET /users/:id returned ${status}: not now`)
      }).pipe(Effect.scoped, Effect.provide(layer))
    )
  }

  for (const status of [300, 302, 304, 400, 401, 403, 404, 405, 409, 410, 418, 422, 451, 501, 505, 599]) {
    it.effect(`tells the model of ${status}`, () =>
      Effect.gen(function* () {
        const error = yield* failing(() => ({ status, headers: { location: "/elsewhere" } }))
        assert.instanceOf(error, ToolFailed)
        assert.strictEqual(error.message, `GET /users/:id returned ${status}.`)
      }).pipe(Effect.scoped, Effect.provide(layer))
    )
  }
})
