/** No credential is ever in what a model, a span or a log can see. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schedule, Tracer } from "effect"
import { FetchHttpClient, Headers, HttpClient, HttpClientRequest } from "effect/http"
import { ToolFailed } from "effect-toolset"
import { inspect } from "node:util"
import { connect, type ConnectOptions } from "../../src/rest/connect.ts"
import { credentialsOf } from "../../src/rest/credentials.ts"
import { hiding } from "../../src/secrets/hiding.ts"
import { shortened } from "../../src/rest/excerpt.ts"
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
  headers: ReadonlyArray<string> = []
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
    const { client, exchange } = yield* connect("test", options(baseUrl), { headers, secrets: [] })
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
        why: ["no such key: ***", 1, null],
        more: { key: "***" }
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

/** What servers make of a value: as others write it, more than once, and inside of other texts. */
const forms: Readonly<Record<string, (value: string) => string>> = {
  itself: (value) => value,
  "a URL": encodeURIComponent,
  "a URL in a URL": (value) => encodeURIComponent(encodeURIComponent(value)),
  "a form": (value) => new URLSearchParams({ value }).toString().slice("value=".length),
  JSON: (value) => JSON.stringify(value).slice(1, -1),
  "JSON in JSON": (value) => JSON.stringify(JSON.stringify(value)),
  base64: (value) => Buffer.from(value).toString("base64"),
  "base64 of URLs": (value) => Buffer.from(value).toString("base64url"),
  "a pair of basic authentication": (value) => Buffer.from(`someone:${value}`).toString("base64"),
  "base64 of more": (value) => Buffer.from(JSON.stringify({ headers: [`x${value}`] })).toString("base64")
}

/** Whether a text has the value, in any of those forms. */
const shows = (text: string, value: string): ReadonlyArray<string> =>
  Object.keys(forms).filter((form) => text.includes(forms[form]!(value)))

describe("credentials in another form", () => {
  const values = ["s3cr3t-value", 'pä55 w/rd+"=&%', "Zm9v.YmFyYmF6.c2lnbmF0dXJl"]

  for (const [name, write] of Object.entries(forms)) {
    it.live(`${name}: in errors, in what successes are not, and in successes`, () =>
      Effect.gen(function* () {
        for (const value of values) {
          const given = {
            "a key": { headers: { "x-key": Redacted.make(value) } },
            "a part of a header": { headers: { "x-auth": Redacted.make(`Token v=1, token="${value}"`) } },
            "a bearer token": {
              transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(value))
            },
            "a password": {
              transformClient: HttpClient.mapRequest(HttpClientRequest.basicAuth("me", Redacted.make(value)))
            },
            "a key in a query": {
              transformClient: HttpClient.mapRequest(
                HttpClientRequest.appendUrlParam("key", Redacted.make(value))
              )
            }
          }
          for (const [what, options] of Object.entries(given)) {
            if (what.includes("header") && /[ "=]/.test(value)) continue
            if (what.includes("key") && !/^[\x20-\x7e]*$/.test(value)) continue
            if (what.includes("bearer") && !/^[\x20-\x7e]*$/.test(value)) continue
            for (const status of [400, 503]) {
              const body = `It was <${write(value)}>.`
              const { text } = yield* visible(
                () => ({ status, body }),
                (baseUrl) => ({ baseUrl, ...options }),
                post
              )
              assert.deepStrictEqual(shows(text, value), [], `${what} ${value}: ${text}`)
              assert.include(text, "It was <")
            }
          }
          const { baseUrl } = yield* recording(() => ({
            body: JSON.stringify({ was: write(value), other: "kept" })
          }))
          const { client, exchange } = yield* connect("test", { baseUrl, headers: given["a key"].headers })
          const send = client.get("/x").pipe(Effect.provideService(HttpClient.HttpClient, client))
          const endpoint = { method: "GET", path: "/x" }
          const asked = { endpoint, isIdempotent: true, send }
          if (!/^[\x20-\x7e]*$/.test(value)) continue
          const read = yield* exchange({ ...asked, read: (_, text) => Effect.succeed(JSON.parse(text)) })
          assert.deepStrictEqual(shows(JSON.stringify(read), value), [])
          assert.strictEqual(read.other, "kept")
          const unread = yield* Effect.flip(exchange({ ...asked, read: (_, text) => Effect.fail(text) }))
          assert.deepStrictEqual(shows(unread.message, value), [])
        }
      }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
    )
  }

  it("is found in what a header is made of, and not in its names", () => {
    const names = { headers: ["authorization", "cookie"], query: ["key"] }
    const found = (request: HttpClientRequest.HttpClientRequest, text: string) =>
      hiding(credentialsOf(request, names))(text)
    const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
      HttpClientRequest.get(url, { headers })
    const basic = get("https://a.test/", { authorization: `Basic ${btoa("someone:passw0rd")}` })
    assert.strictEqual(found(basic, "someone:passw0rd, Basic auth"), "***, Basic auth")
    assert.strictEqual(found(basic, "passw0rd of someone"), "*** of someone")
    const token = get("https://a.test/", {
      authorization: `Signature keyId="secret-id",signature="c2ln/bmF0+dXJl=="`
    })
    assert.strictEqual(found(token, "Signature secret-id c2ln/bmF0+dXJl=="), "Signature *** ***")
    const cookie = get("https://a.test/", { cookie: "session=abcdefgh; sessions=12345678" })
    assert.strictEqual(found(cookie, "sessions abcdefgh 12345678"), "sessions *** ***")
    const url = get("https://someone:p%C3%A4ssw0rd@a.test/")
    assert.strictEqual(found(url, "pässw0rd p%C3%A4ssw0rd"), "*** ***")
  })
})

describe("an excerpt", () => {
  it("is at most 500 characters and an ellipsis, well formed, and the whole of a short text", () => {
    assert.strictEqual(shortened("  short\n"), "short")
    assert.strictEqual(shortened("x".repeat(500)), "x".repeat(500))
    assert.strictEqual(shortened("x".repeat(501)), `${"x".repeat(500)}…`)
    assert.strictEqual(shortened(`${"x".repeat(499)}😀y`), `${"x".repeat(499)}…`)
    assert.strictEqual(shortened("\ud800"), "\ufffd")
  })
})
