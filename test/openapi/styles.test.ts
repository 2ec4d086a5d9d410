/** The table "Style Examples" of the specification (3.1.1), on the wire. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bodyOf, documentOf, type Fields, operationOf, refused, sent } from "./served.ts"

const string = "blue"
const array = ["blue", "black", "brown"]
const object = { R: 100, G: 200, B: 150 }

const inPath = (style: string, explode: boolean, value: unknown) =>
  Effect.map(
    sent(
      documentOf({
        "/{color}": {
          get: {
            operationId: "call",
            parameters: [{ in: "path", name: "color", style, explode, schema: {} }]
          }
        }
      }),
      { path_params: { color: value } }
    ),
    ({ url }) => url.slice("/api/".length)
  )

const inQuery = (style: string | undefined, explode: boolean | undefined, value: unknown) =>
  Effect.map(
    sent(operationOf({ parameters: [{ in: "query", name: "color", style, explode, schema: {} }] }), {
      query: { color: value }
    }),
    ({ url }) => url.slice("/api/call".length)
  )

const paths: ReadonlyArray<readonly [string, boolean, unknown, string]> = [
  ["matrix", false, string, ";color=blue"],
  ["matrix", false, array, ";color=blue,black,brown"],
  ["matrix", false, object, ";color=R,100,G,200,B,150"],
  ["matrix", true, string, ";color=blue"],
  ["matrix", true, array, ";color=blue;color=black;color=brown"],
  ["matrix", true, object, ";R=100;G=200;B=150"],
  ["label", false, string, ".blue"],
  ["label", false, array, ".blue,black,brown"],
  ["label", false, object, ".R,100,G,200,B,150"],
  ["label", true, string, ".blue"],
  ["label", true, array, ".blue.black.brown"],
  ["label", true, object, ".R=100.G=200.B=150"],
  ["simple", false, string, "blue"],
  ["simple", false, array, "blue,black,brown"],
  ["simple", false, object, "R,100,G,200,B,150"],
  ["simple", true, string, "blue"],
  ["simple", true, array, "blue,black,brown"],
  ["simple", true, object, "R=100,G=200,B=150"]
]

const queries: ReadonlyArray<readonly [string | undefined, boolean | undefined, unknown, string]> = [
  ["form", false, "", "?color="],
  ["form", false, string, "?color=blue"],
  ["form", false, array, "?color=blue,black,brown"],
  ["form", false, object, "?color=R,100,G,200,B,150"],
  ["form", true, "", "?color="],
  ["form", true, string, "?color=blue"],
  ["form", true, array, "?color=blue&color=black&color=brown"],
  ["form", true, object, "?R=100&G=200&B=150"],
  ["spaceDelimited", false, array, "?color=blue%20black%20brown"],
  ["spaceDelimited", false, object, "?color=R%20100%20G%20200%20B%20150"],
  ["pipeDelimited", false, array, "?color=blue%7Cblack%7Cbrown"],
  ["pipeDelimited", false, object, "?color=R%7C100%7CG%7C200%7CB%7C150"],
  ["deepObject", true, object, "?color[R]=100&color[G]=200&color[B]=150"],
  ["deepObject", true, { in: ["a", "b"] }, "?color[in]=a&color[in]=b"],
  // The style and what it says of lists where nothing is said, or something that does not belong there.
  [undefined, undefined, array, "?color=blue&color=black&color=brown"],
  ["simple", undefined, array, "?color=blue&color=black&color=brown"],
  ["pipeDelimited", undefined, array, "?color=blue%7Cblack%7Cbrown"],
  // What is empty is absent.
  ["form", true, [], ""],
  ["form", false, [], ""],
  ["form", true, {}, ""],
  ["form", true, [["a", "b"], { c: 1 }], "?color=%5B%22a%22%2C%22b%22%5D&color=%7B%22c%22%3A1%7D"],
  ["form", true, null, ""],
  ["form", true, 0, "?color=0"],
  ["form", true, false, "?color=false"],
  ["form", true, "a b&c=d#e+f%é😀'(!*)", `?color=a%20b%26c%3Dd%23e%2Bf%25%C3%A9%F0%9F%98%80%27%28%21%2A%29`]
]

describe("styles of parameters", () => {
  for (const [style, explode, value, expected] of paths) {
    it.effect(`path ${style}${explode ? " exploded" : ""} ${JSON.stringify(value)}`, () =>
      Effect.map(inPath(style, explode, value), (actual) => assert.strictEqual(actual, expected))
    )
  }

  for (const [style, explode, value, expected] of queries) {
    it.effect(`query ${style} ${explode} ${JSON.stringify(value)}`, () =>
      Effect.map(inQuery(style, explode, value), (actual) => assert.strictEqual(actual, expected))
    )
  }

  it.effect("headers are exposed, with lists in them", () =>
    Effect.gen(function* () {
      const document = operationOf({
        parameters: ["x-list", "x-object"].map((name) => ({ in: "header", name, schema: {} }))
      })
      const args = { headers: { "x-list": array, "x-object": object } }
      const { headers } = yield* sent(document, args, { headerParams: true })
      assert.deepStrictEqual(
        [headers["x-list"], headers["x-object"]],
        ["blue,black,brown", "R,100,G,200,B,150"]
      )
    })
  )
})

describe("values in paths", () => {
  const document = documentOf({
    "/users/{id}/posts": {
      get: { operationId: "call", parameters: [{ in: "path", name: "id", schema: {} }] }
    }
  })
  const url = (id: unknown) => Effect.map(sent(document, { path_params: { id } }), ({ url }) => url)

  const kept: ReadonlyArray<readonly [unknown, string]> = [
    ["a b?x=1#y", "a%20b%3Fx%3D1%23y"],
    ["a/b\\c", "a%2Fb%5Cc"],
    ["%2e%2e", "%252e%252e"],
    ["é✓\r\n", "%C3%A9%E2%9C%93%0D%0A"],
    [3, "3"],
    [145.56, "145.56"],
    ["...", "..."]
  ]
  for (const [value, expected] of kept) {
    it.effect(`${JSON.stringify(value)} stays one segment`, () =>
      Effect.map(url(value), (actual) => assert.strictEqual(actual, `/api/users/${expected}/posts`))
    )
  }

  for (const value of [
    "",
    ".",
    "..",
    "../x",
    "a/../b",
    "a//b",
    "/a",
    "a/",
    "a\\..\\b",
    "\ud800",
    [],
    {},
    null
  ]) {
    it.effect(`${JSON.stringify(value)} is refused, and nothing is sent`, () =>
      Effect.map(refused(document, { path_params: { id: value } }), ({ message, requests, tag }) => {
        assert.deepStrictEqual([requests, tag], [0, "ModelRetry"])
        assert.match(message, /path_params/)
      })
    )
  }

  it.effect("lists and objects are looked into", () =>
    Effect.gen(function* () {
      const query = operationOf({ parameters: [{ in: "query", name: "q", schema: {} }] })
      for (const value of [["a", "\ud800"], { a: "\ud800" }, { "\ud800": "a" }]) {
        assert.match(
          (yield* refused(query, { query: { q: value } })).message,
          /query\.q is not well-formed Unicode/
        )
      }
      const { message } = yield* refused(
        document,
        { path_params: { id: ["a", "b/c"] } },
        { slashes: "refuse" }
      )
      assert.match(message, /must not contain a slash/)
      assert.match((yield* refused(document, { path_params: { id: ["a/../b"] } })).message, /segment/)
    })
  )

  it.effect("what values make of a segment together is checked too", () =>
    Effect.gen(function* () {
      const pair = documentOf({ "/{a}{b}/x": { get: { operationId: "call" } } })
      const { message, requests } = yield* refused(pair, { path_params: { a: ".", b: "." } })
      assert.strictEqual(requests, 0)
      assert.isNotEmpty(message)
      const dots = documentOf({ "/{a}.{b}": { get: { operationId: "call" } } })
      assert.strictEqual((yield* sent(dots, { path_params: { a: "x", b: "y" } })).url, "/api/x.y")
    })
  )
})

describe("bodies", () => {
  const form = (encoding: Fields | undefined, body: unknown) =>
    sent(
      bodyOf({
        "application/x-www-form-urlencoded": { schema: { type: "object" }, ...(encoding && { encoding }) }
      }),
      { request_body: body }
    )

  it.effect("forms: values, lists, objects as JSON, and what `encoding` says of them", () =>
    Effect.gen(function* () {
      const plain = yield* form(undefined, {
        a: "x y&z",
        list: [1, 2],
        object: { b: 1 },
        none: null,
        no: false
      })
      assert.strictEqual(plain.headers["content-type"], "application/x-www-form-urlencoded")
      assert.strictEqual(plain.body, "a=x+y%26z&list=1&list=2&object=%7B%22b%22%3A1%7D&no=false")
      const styled = yield* form(
        { list: { style: "pipeDelimited", explode: false }, object: { style: "deepObject", explode: true } },
        { list: [1, 2], object: { b: 1 } }
      )
      assert.strictEqual(styled.body, "list=1%7C2&object[b]=1")
    })
  )

  it.effect("text is sent as it is", () =>
    Effect.gen(function* () {
      const request = yield* sent(bodyOf({ "text/plain": { schema: { type: "string" } } }), {
        request_body: "é\n"
      })
      assert.deepStrictEqual([request.body, request.headers["content-type"]], ["é\n", "text/plain"])
    })
  )

  it.effect("JSON of any name", () =>
    Effect.gen(function* () {
      for (const type of ["application/json; charset=utf-8", "application/vnd.x.v2+json", "text/json"]) {
        const request = yield* sent(bodyOf({ [type]: {} }), { request_body: ["\ud800"] })
        assert.deepStrictEqual([request.body, request.headers["content-type"]], [`["\\ud800"]`, type])
      }
    })
  )

  it.effect("a body that is not required may be left out", () =>
    Effect.gen(function* () {
      const document = bodyOf({ "application/json": { schema: { type: "object" } } }, false)
      const request = yield* sent(document, {})
      assert.deepStrictEqual([request.body, request.headers["content-type"]], ["", undefined])
      const required = yield* refused(bodyOf({ "application/json": {} }), {})
      assert.match(required.message, /Missing key\s+at \["request_body"\]/)
    })
  )
})
