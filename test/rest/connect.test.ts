/** What an opened toolset sends its requests with. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import { ToolsetDefinitionError } from "effect-toolset"
import { connect, type ConnectOptions } from "../../src/rest/connect.ts"

describe("what cannot be connected", () => {
  const flaw = (options: ConnectOptions<"retry">) =>
    Effect.flip(connect("test", options)).pipe(Effect.provide(FetchHttpClient.layer))

  it.effect("is a definition error", () =>
    Effect.gen(function* () {
      for (const timeout of [0, -1, "0 seconds"] as const) {
        const error = yield* flaw({ timeout })
        assert.instanceOf(error, ToolsetDefinitionError)
        assert.match(error.message, /timeout/)
      }
      for (const baseUrl of [
        "example.com",
        "ftp://example.com",
        "http://",
        "http://a.test/?x=1",
        "http://a.test/#x",
        ""
      ]) {
        const error = yield* flaw({ baseUrl })
        assert.match(error.message, /baseUrl/, baseUrl)
      }
      for (const baseUrl of ["http://a.test", "https://a.test/v1/", new URL("http://a.test/v1"), "/api"]) {
        yield* connect("test", { baseUrl }).pipe(Effect.provide(FetchHttpClient.layer))
      }
    })
  )

  it.effect("is what has headers that nobody could send", () =>
    Effect.gen(function* () {
      for (const name of ["a b", "a:", "", "ä"]) {
        const error = yield* flaw({ headers: { [name]: "1" } })
        assert.include(error.message, `Its \`headers\` have '${name}', which is no name of a header.`)
      }
      for (const value of ["hunter22\r\nx-b: 2", "hunter22\u0000", "hunter22 €"]) {
        for (const given of [value, Redacted.make(value)]) {
          const error = yield* flaw({ headers: { "x-a": given } })
          assert.include(error.message, "Its `headers` give 'x-a' a value that cannot be sent.")
          assert.notInclude(error.message, "hunter22")
        }
      }
      // As a file ends that holds a key.
      const headers = { "x-a": Redacted.make("hunter22\n"), "X-B": "é\t1", "x-c": "" }
      yield* connect("test", { headers }).pipe(Effect.provide(FetchHttpClient.layer))
    })
  )

  it.effect("does not repeat credentials of a base URL", () =>
    Effect.gen(function* () {
      const error = yield* flaw({ baseUrl: "http://user:hunter22@a.test/?x=1" })
      assert.notMatch(error.message, /hunter22/)
    })
  )
})

describe("a client that is no client of the network", () => {
  it.effect("is derived from like any other, and used as it is", () =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const given = HttpClient.make((request, url) => {
        urls.push(url.href)
        return Effect.succeed(HttpClientResponse.fromWeb(request, new Response("ok")))
      })
      const { client, exchange } = yield* connect("test", { baseUrl: "http://a.test/v1" }).pipe(
        Effect.provideService(HttpClient.HttpClient, given)
      )
      const value = yield* exchange({
        endpoint: { method: "GET", path: "/x" },
        isIdempotent: true,
        send: client.get("/x"),
        read: (_response, text) => Effect.succeed(text)
      })
      assert.strictEqual(value, "ok")
      assert.deepStrictEqual(urls, ["http://a.test/v1/x"])
    })
  )
})
