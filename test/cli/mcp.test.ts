import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { json, recording, type Seen } from "../rest/server.ts"
import { document, folderWith, library } from "./library.ts"
import { greeting, spoken } from "./running.ts"

const key = "k3y-for-the-library"

const called = (id: number, name: string, args: object = {}) => ({
  id,
  method: "tools/call",
  params: { name, arguments: args }
})

/** Serves a document over an API, says a few things, and gives what was answered, said and sent. */
const serving = (
  flags: ReadonlyArray<string>,
  messages: ReadonlyArray<object>,
  { env = {}, text = document }: { env?: Record<string, string>; text?: string } = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { baseUrl, seen } = yield* library
      const folder = yield* folderWith({ "library.yaml": text })
      const args = ["mcp", "--openapi", join(folder, "library.yaml"), "--base-url", `${baseUrl}/v1`, ...flags]
      const { answers, err, out } = yield* spoken(args, [...greeting(), ...messages], env)
      return { answers, err, out, seen }
    })
  )

const textIn = (result: { content: ReadonlyArray<{ text: string }> }) => result.content[0]!.text

describe("mcp", { timeout: 60_000 }, () => {
  it.live("serves what the flags leave, and calls the API with the token, which nobody sees", () =>
    Effect.gen(function* () {
      const flags = ["--exclude", "DELETE", "--prefix", "library", "--rename", "find=getBook", "--token", key]
      const { answers, err, out, seen } = yield* serving(
        [...flags, "--log-level", "trace"],
        [
          { id: 1, method: "tools/list" },
          called(2, "library_find", { path_params: { isbn: "978" } }),
          called(3, "library_addBook", { request_body: { title: "Emma" } }),
          called(4, "library_find", { path_params: { isbn: "missing" } }),
          called(5, "library_find", { path_params: {} })
        ]
      )
      assert.strictEqual(answers.get(0).serverInfo.name, "effect-toolset")
      const tools = answers.get(1).tools as ReadonlyArray<any>
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        ["library_listBooks", "library_addBook", "library_find"]
      )
      assert.strictEqual(tools[2].description, "One book.")
      assert.deepInclude(tools[2].annotations, { readOnlyHint: true, destructiveHint: false })
      assert.deepInclude(answers.get(2).structuredContent, {
        method: "GET",
        url: "/v1/books/978",
        key: "***"
      })
      assert.strictEqual(answers.get(3).structuredContent.body, '{"title":"Emma"}')
      assert.isTrue(answers.get(4).isError)
      assert.strictEqual(
        textIn(answers.get(4)),
        'GET /books/{isbn} returned 404: {"error":"no such book, ***"}'
      )
      assert.isTrue(answers.get(5).isError)
      assert.include(textIn(answers.get(5)), 'Missing key\n  at ["path_params"]["isbn"]')
      assert.deepStrictEqual(
        seen.map(({ headers }) => headers["x-api-key"]),
        [key, key, key]
      )
      // Standard output is the protocol's, and what is logged has no secrets.
      assert.deepStrictEqual(out, [])
      assert.include(err, "Serving 3 tools of ")
      assert.include(err, "1 operation is no tool, as 'list' says")
      assert.notInclude(err + JSON.stringify([...answers]), key)
    })
  )

  it.live("takes the token from the environment, and prefers the flag", () =>
    Effect.gen(function* () {
      const env = { API_TOKEN: "of-the-environment" }
      const first = yield* serving([], [called(1, "listBooks")], { env })
      assert.strictEqual(first.seen[0]!.headers["x-api-key"], "of-the-environment")
      const second = yield* serving(["--token", key], [called(1, "listBooks")], { env })
      assert.strictEqual(second.seen[0]!.headers["x-api-key"], key)
    })
  )

  it.live("makes no call that needs approval for a client that cannot ask, and says so", () =>
    Effect.gen(function* () {
      const { answers, seen } = yield* serving(
        ["--require-approval", "POST"],
        [called(1, "addBook", { request_body: {} }), called(2, "listBooks")]
      )
      assert.isTrue(answers.get(1).isError)
      assert.strictEqual(textIn(answers.get(1)), "The call waits for an approval. Nobody can be asked here.")
      assert.deepStrictEqual(
        seen.map(({ method }) => method),
        ["GET"]
      )
    })
  )

  it.live("sends the headers that were given", () =>
    Effect.gen(function* () {
      const { seen } = yield* serving(
        ["--header", "X-Version=2", "--header", "X-Team=a=b"],
        [called(1, "listBooks")]
      )
      assert.deepInclude(seen[0]!.headers, { "x-version": "2", "x-team": "a=b" })
    })
  )

  const schemes = {
    bearer: { type: "http", scheme: "bearer" },
    basic: { type: "http", scheme: "basic" },
    query: { type: "apiKey", in: "query", name: "api_key" },
    oauth: { type: "oauth2", flows: {} },
    mutual: { type: "mutualTLS" }
  }
  const securing: ReadonlyArray<
    readonly [
      string,
      ReadonlyArray<keyof typeof schemes>,
      ReadonlyArray<string>,
      (seen: Seen) => unknown,
      unknown
    ]
  > = [
    ["as a bearer token", ["bearer"], [], ({ headers }) => headers.authorization, "Bearer user:password"],
    ["for OAuth", ["oauth"], [], ({ headers }) => headers.authorization, "Bearer user:password"],
    [
      "as user and password",
      ["basic"],
      [],
      ({ headers }) => headers.authorization,
      `Basic ${btoa("user:password")}`
    ],
    ["as a key in the query", ["query"], [], ({ url }) => url, "/v1/a?api_key=user%3Apassword"],
    [
      "for the scheme that is named",
      ["basic", "bearer"],
      ["--token-for", "bearer"],
      ({ headers }) => headers.authorization,
      "Bearer user:password"
    ],
    [
      "as a bearer token, where the document has no scheme",
      [],
      [],
      ({ headers }) => headers.authorization,
      "Bearer user:password"
    ],
    [
      "as a bearer token, where it has none that a token fills",
      ["mutual"],
      [],
      ({ headers }) => headers.authorization,
      "Bearer user:password"
    ],
    [
      "unless a header says otherwise",
      [],
      ["--header", "Authorization=Token x"],
      ({ headers }) => headers.authorization,
      "Token x"
    ]
  ]
  for (const [how, names, flags, what, expected] of securing) {
    it.live(`sends the token ${how}`, () =>
      Effect.gen(function* () {
        const text = JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Secured", version: "1" },
          paths: { "/a": { get: { operationId: "a" } } },
          security: names.map((name) => ({ [name]: [] })),
          components: { securitySchemes: Object.fromEntries(names.map((name) => [name, schemes[name]])) }
        })
        const { seen } = yield* serving([...flags, "--token", "user:password"], [called(1, "a")], { text })
        assert.strictEqual(what(seen[0]!), expected)
      })
    )
  }

  it.live("sends the token to no server that only an operation names", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { baseUrl, seen } = yield* recording(() => json({ ok: true }))
        const text = JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Elsewhere", version: "1" },
          servers: [{ url: "https://api.example.com" }],
          paths: { "/a": { get: { operationId: "a", servers: [{ url: baseUrl }] } } },
          components: { securitySchemes: { bearer: schemes.bearer } }
        })
        const folder = yield* folderWith({ "a.json": text })
        const args = ["mcp", "--openapi", join(folder, "a.json"), "--token", key]
        yield* spoken(args, [...greeting(), called(1, "a")])
        assert.strictEqual(seen.length, 1)
        assert.isUndefined(seen[0]!.headers.authorization)
      })
    )
  )
})
