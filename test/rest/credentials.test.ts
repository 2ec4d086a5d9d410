/** No credential is ever in what a model, a span or a log can see. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schedule, Tracer } from "effect"
import { FetchHttpClient, Headers, HttpClient, HttpClientRequest } from "effect/http"
import { ToolFailed } from "effect-toolset"
import { inspect } from "node:util"
import { connect, type ConnectOptions } from "../../src/rest/connect.ts"
import { shortened, withoutCredentials } from "../../src/rest/excerpt.ts"
import { type Answer, recording, type Seen } from "./server.ts"

const secret = "s3cr3t-value"

/** The worst server: it answers with everything that it was sent. */
const echo =
  (status: number) =>
  (seen: Seen): Answer => ({ status, body: JSON.stringify(seen) })

/** Whatever anybody may see of a failed request. */
const visible = (
  answer: (seen: Seen) => Answer,
  options: (baseUrl: string) => ConnectOptions<"retry" | "recover" | "fail">,
  request: HttpClientRequest.HttpClientRequest,
  secrets: ReadonlyArray<string> = []
) =>
  Effect.gen(function* () {
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const { baseUrl, seen } = yield* recording(answer)
    const { client, exchange } = yield* connect("test", options(baseUrl), secrets)
    const error = yield* exchange({
      endpoint: { method: "POST", path: "/x" },
      isIdempotent: false,
      send: client.execute(request),
      read: () => Effect.succeed("fine")
    }).pipe(Effect.flip, Effect.withTracer(tracer))
    assert.isAbove(spans.length, 0)
    const attributes = spans.map((span) => [...span.attributes])
    const text = [
      String(error),
      error.message,
      JSON.stringify(error),
      inspect(error),
      JSON.stringify(attributes)
    ].join("\n")
    return { text, seen }
  })

const post = HttpClientRequest.post("/x")

describe("credentials", () => {
  for (const onError of ["retry", "fail"] as const) {
    it.live(`in headers are sent and never seen (${onError})`, () =>
      Effect.gen(function* () {
        for (const headers of [
          { authorization: `Bearer ${secret}` },
          { "x-api-key": secret },
          { cookie: `session=${secret}; theme=dark` },
          { "x-custom": Redacted.make(secret) },
          { authorization: Redacted.make(`Token token=${secret}`) }
        ]) {
          for (const status of [503, 404, 302]) {
            const { seen, text } = yield* visible(
              echo(status),
              (baseUrl) => ({ baseUrl, headers, onError }),
              post
            )
            assert.include(JSON.stringify(seen[0]?.headers), secret)
            assert.notInclude(text, secret)
          }
        }
      }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
    )
  }

  it.live("that a transform adds, or that the caller names, are never seen", () =>
    Effect.gen(function* () {
      const added = yield* visible(
        echo(500),
        (baseUrl) => ({
          baseUrl,
          transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(secret))
        }),
        post
      )
      assert.notInclude(added.text, secret)
      const request = HttpClientRequest.setHeader(post, "x-tenant-key", secret)
      const named = yield* visible(echo(500), (baseUrl) => ({ baseUrl }), request, ["x-tenant-key"])
      assert.include(JSON.stringify(named.seen), secret)
      assert.notInclude(named.text, secret)
      const application = yield* visible(echo(500), (baseUrl) => ({ baseUrl }), request).pipe(
        Effect.provideService(Headers.CurrentRedactedNames, [/^x-tenant/])
      )
      assert.notInclude(application.text, secret)
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.live("in a query are never seen", () =>
    Effect.gen(function* () {
      const redacted = HttpClientRequest.appendUrlParam(post, "key", Redacted.make(`${secret} &+`))
      const { seen, text } = yield* visible(echo(400), (baseUrl) => ({ baseUrl }), redacted)
      assert.include(seen[0]?.url, secret)
      assert.notInclude(text, secret)
      const named = HttpClientRequest.appendUrlParam(post, "Signature", secret)
      assert.notInclude((yield* visible(echo(400), (baseUrl) => ({ baseUrl }), named)).text, secret)
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.live("in a URL are never seen, whatever becomes of the request", () =>
    Effect.gen(function* () {
      const within = (baseUrl: string) => baseUrl.replace("//", `//user:${secret}@`)
      for (const onError of ["retry", "fail", "recover"] as const) {
        const { text } = yield* visible(echo(500), (baseUrl) => ({ baseUrl: within(baseUrl), onError }), post)
        // What fetch itself says of such a URL is the cause of the error, for the application's own log.
        const said = text.split("\n").filter((line) => !line.includes("Request cannot be constructed"))
        assert.notInclude(said.join("\n"), secret)
      }
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.live("that an error of the API repeats are cut out of its details", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* recording(() => ({ status: 401 }))
      const { client, exchange } = yield* connect("test", { baseUrl, headers: { "x-api-key": secret } })
      const error = yield* Effect.flip(
        exchange({
          endpoint: { method: "GET", path: "/x" },
          isIdempotent: true,
          send: client.get("/x"),
          read: () => Effect.succeed("fine"),
          declared: () => Effect.succeed({ why: [`no such key: ${secret}`, 1, null], more: { key: secret } })
        })
      )
      assert.instanceOf(error, ToolFailed)
      assert.deepStrictEqual(error.details, {
        why: ["no such key: <redacted>", 1, null],
        more: { key: "<redacted>" }
      })
      assert.notInclude(error.message, secret)
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.live("that are short or empty do not eat the text", () =>
    Effect.gen(function* () {
      const { text } = yield* visible(
        () => ({ status: 400, body: "a bad banana" }),
        (baseUrl) => ({
          baseUrl,
          headers: { authorization: "a", "x-api-key": "" },
          schedule: Schedule.recurs(1)
        }),
        post
      )
      assert.include(text, "a bad banana")
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )
})

describe("an excerpt", () => {
  const names = { headers: ["authorization"], query: ["key"] }

  it("leaves out a secret in each of the forms that it may be repeated in", () => {
    const request = HttpClientRequest.get("https://user:passw0rd@a.test/", {
      headers: { authorization: "Basic abcdefgh==" },
      urlParams: { key: "a b&c=d/e" }
    })
    for (const text of ["Basic abcdefgh==", "abcdefgh==", "a b&c=d/e", "a%20b%26c%3Dd%2Fe", "passw0rd"]) {
      assert.strictEqual(
        withoutCredentials(`<${text}>`, request, names).replace(/=+>$/, ">"),
        "<<redacted>>",
        text
      )
    }
    assert.strictEqual(withoutCredentials("Basic: use Bearer", request, names), "Basic: use Bearer")
  })

  it("is at most 500 characters and an ellipsis, well formed, and the whole of a short text", () => {
    assert.strictEqual(shortened("  short\n"), "short")
    assert.strictEqual(shortened("x".repeat(500)), "x".repeat(500))
    assert.strictEqual(shortened("x".repeat(501)), `${"x".repeat(500)}…`)
    assert.strictEqual(shortened(`${"x".repeat(499)}😀y`), `${"x".repeat(499)}…`)
    assert.strictEqual(shortened("\ud800"), "\ufffd")
  })
})
