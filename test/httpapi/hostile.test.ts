/** What a model sends reaches its endpoint as it is, or is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { Toolset } from "effect-toolset"
import * as HttpApiToolset from "effect-toolset/HttpApiToolset"
import { api } from "./api.ts"
import { calling, served } from "./calling.ts"

/** Values that a model should not send, or that mean something in a URL. */
const hostile = [
  ["", ".", "..", "/", "//", "../", "../..", "/..", "..\\", "\\", "a/b", "a\\b", "a/../b", "./a", "a/."],
  ["?", "#", "?x=1", "#x", "a?b#c", "%", "%2e", "%2e%2e", "%2f", "%2F..", "%252e", "%zz", "&", "=", "+", ";"],
  [" ", "  a  ", "\t", "\n", "\r\n", "a\r\nx-evil: 1", "\0", "\u007f", "\u2028", ":", "@"],
  ["é✓", "😀", "\ud800", "\udfff", "a\ud800", "\udc00\ud800", "\ufeff", "e\u0301"],
  ["...", ".a", "a.", "..a", "*", "!'()", "~", "null", "undefined", "__proto__", "x".repeat(90)],
  ["http://evil.test", "//evil.test", "javascript:alert(1)", "admin", "secret", "versions"]
].flat()

describe("a value in a path", () => {
  served("arrives as it is or is refused, and reaches nothing else", (seen) =>
    Effect.gen(function* () {
      const call = yield* calling()
      for (const name of hostile) {
        const before = seen.length
        const result = yield* call("get_files_name", { path_params: { name } })
        if (String(result).startsWith("ModelRetry: Invalid arguments: name ")) {
          assert.strictEqual(seen.length, before, `${JSON.stringify(name)} was sent`)
        } else {
          assert.strictEqual(result, name)
          assert.strictEqual(seen.length, before + 1)
          assert.match(seen[before]!.line, /^GET \/files\/[^/?#]+$/)
        }
      }
    })
  )

  served("is refused where nothing else helps: empty, dots, slashes, malformed Unicode", () =>
    Effect.gen(function* () {
      const call = yield* calling()
      const refused: Array<string> = []
      for (const name of hostile) {
        const result = yield* call("get_files_name", { path_params: { name } })
        if (String(result).startsWith("ModelRetry")) refused.push(name)
      }
      assert.deepStrictEqual(
        refused,
        hostile.filter((name) => /^$|^\.\.?$|[/\\]/.test(name) || !name.isWellFormed())
      )
    })
  )

  served("with several of them arrives in its own place", (seen) =>
    Effect.gen(function* () {
      const call = yield* calling()
      for (const [i, name] of hostile.entries()) {
        // Each value beside another one, and beside one that is harmless.
        for (const version of ["1", hostile[(i * 7 + 3) % hostile.length]!]) {
          const result = yield* call("get_files_name_versions_version", { path_params: { name, version } })
          if (!String(result).startsWith("ModelRetry")) {
            assert.deepStrictEqual(result, { name, version, raw: false })
            assert.match(seen.at(-1)!.line, /^GET \/files\/[^/?#]+\/versions\/[^/?#]+$/)
          }
        }
      }
    })
  )

  served("may have slashes where the option says so, and still no part that leads elsewhere", (seen) =>
    Effect.gen(function* () {
      const call = yield* calling({ slashes: "encode" })
      assert.strictEqual(
        yield* call("get_files_name", { path_params: { name: "src/index.ts" } }),
        "src/index.ts"
      )
      assert.strictEqual(seen[0]?.line, "GET /files/src%2Findex.ts")
      for (const name of [
        "",
        ".",
        "..",
        "/",
        "a/",
        "/a",
        "a//b",
        "../../users",
        "a/../..",
        "a\\..\\b",
        "\ud800/a"
      ]) {
        assert.match(
          String(yield* call("get_files_name", { path_params: { name } })),
          /^ModelRetry: Invalid arguments/
        )
      }
      assert.strictEqual(seen.length, 1)
    })
  )

  served("says what was wrong, in flat form too", () =>
    Effect.gen(function* () {
      const call = yield* calling()
      assert.strictEqual(
        yield* call("get_files_name_versions_version", { path_params: { name: "", version: "a/b" } }),
        'ModelRetry: Invalid arguments: name must not be empty.\nversion must not contain a slash: "a/b".'
      )
      const flat = yield* calling({ flat: true, include: ["files"] })
      assert.strictEqual(
        yield* flat("get_files_name", { name: ".." }),
        'ModelRetry: Invalid arguments: name must not have an empty, "." or ".." part: "..".'
      )
    })
  )
})

describe("any text in a path", () => {
  const toolset = HttpApiToolset.make(api, {
    baseUrl: "http://a.test",
    slashes: "encode",
    include: ["files"]
  })

  it.effect.prop("is refused, or is one segment of it", [Schema.String, Schema.String], ([name, version]) =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const client = HttpClient.make((request, url) => {
        urls.push(url.pathname + url.search)
        return Effect.succeed(
          HttpClientResponse.fromWeb(request, Response.json({ name, version, raw: true }))
        )
      })
      const args = { path_params: { name, version }, query: {} }
      const result = yield* Toolset.call(toolset, "get_files_name_versions_version", args).pipe(
        Effect.provideService(HttpClient.HttpClient, client),
        Effect.result
      )
      if (Result.isFailure(result)) {
        assert.strictEqual(result.failure._tag, "ModelRetry")
        assert.deepStrictEqual(urls, [])
      } else {
        assert.strictEqual(urls.length, 1)
        assert.deepStrictEqual(urls[0]!.split("/").map(decodeURIComponent), [
          "",
          "files",
          name,
          "versions",
          version
        ])
      }
    })
  )
})

describe("a value of another type", () => {
  served("is refused before anything is sent", (seen) =>
    Effect.gen(function* () {
      const call = yield* calling()
      for (const id of ["3", "../1", 1.5, null, -0.1, Infinity, true, [], {}, "", "1e3"]) {
        assert.match(
          String(yield* call("get_users_id", { path_params: { id } })),
          /^ModelRetry: Invalid arguments/
        )
      }
      for (const args of [
        {},
        { path_params: {} },
        { path_params: { id: 1, extra: 1 } },
        { path_params: { id: 1 }, query: {} },
        { path_params: [1] },
        { id: 1 },
        null,
        "x",
        []
      ]) {
        assert.match(String(yield* call("get_users_id", args)), /^ModelRetry: Invalid arguments/)
      }
      assert.deepStrictEqual(seen, [])
    })
  )

  served("that is legal arrives, however odd", (seen) =>
    Effect.gen(function* () {
      const call = yield* calling()
      for (const id of [0, -1, 2 ** 53 - 1]) {
        assert.propertyVal((yield* call("get_users_id", { path_params: { id } })) as object, "id", id)
      }
      for (const search of hostile.filter((text) => text.isWellFormed())) {
        yield* call("list_users", { query: { search, limit: 1 } })
        const url = new URL(seen.at(-1)!.line.slice("GET ".length), "http://a.test")
        assert.strictEqual(url.pathname, "/users")
        assert.deepStrictEqual(
          [...url.searchParams],
          [
            ["search", search],
            ["limit", "1"]
          ]
        )
      }
      const items = yield* Effect.forEach(
        hostile.filter((text) => text.isWellFormed()),
        (item) =>
          Effect.map(
            call("post_orders_form", { request_body: { item, count: 1 } }),
            (result) => [item, result] as const
          )
      )
      for (const [item, result] of items) assert.deepStrictEqual(result, { item, count: 1 })
    })
  )
})
