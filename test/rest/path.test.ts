/** No value can reach another path. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { encoded, filled, type Template, valueProblem } from "../../src/rest/path.ts"

/** Where servers end up that resolve dots before they decode, and where those that do after. */
const resolutions = (path: string): ReadonlyArray<string> => [
  new URL(path, "http://a.test").pathname,
  decodeURIComponent(path)
    .split(/[/\\]/)
    .reduce<ReadonlyArray<string>>(
      (above, part) => (part === ".." ? above.slice(0, -1) : part === "." ? above : [...above, part]),
      []
    )
    .join("/")
]

const template: Template = [[""], ["users"], [{ name: "id" }], ["posts"]]

const fill = (value: string) =>
  Result.flatMap(encoded(value), (text) => filled(template, new Map([["id", text]])))

describe("a value for a path", () => {
  it("must not be empty, nor lead elsewhere, nor be malformed", () => {
    for (const slashes of ["refuse", "encode"] as const) {
      assert.strictEqual(valueProblem("", slashes), "must not be empty.")
      for (const value of [".", ".."]) assert.match(valueProblem(value, slashes) ?? "", /part/)
      for (const value of ["\ud800", "a\udfff", "\udc00\ud800"]) {
        assert.strictEqual(valueProblem(value, slashes), "is not well-formed Unicode.")
      }
      for (const value of [
        "a",
        "...",
        "a.b",
        ".a",
        "..a",
        "é✓",
        "😀",
        "a b?x=1#y",
        "%2e%2e",
        "%2F",
        "a\r\nb",
        "\0",
        "*"
      ]) {
        assert.isUndefined(valueProblem(value, slashes), value)
      }
    }
  })

  it("has no slash, unless slashes are encoded, and then no part that leads elsewhere", () => {
    for (const value of ["a/b", "a\\b", "/", "a/", "/a", "a/../b", "..\\b"]) {
      assert.match(valueProblem(value, "refuse") ?? "", /slash/, value)
    }
    for (const value of ["a/b", "src/index.ts", "a\\b", "a/...", "refs/heads/x"]) {
      assert.isUndefined(valueProblem(value, "encode"), value)
    }
    for (const value of ["/", "a/", "/a", "a//b", "a/../b", "..\\b", "a\\.", "./a", "../../../user/keys"]) {
      assert.match(valueProblem(value, "encode") ?? "", /part/, value)
    }
  })
})

describe("a path", () => {
  it.prop("keeps its segments, however a server reads it", [Schema.String], ([value]) => {
    if (valueProblem(value, "encode") !== undefined) return
    const path = Result.getOrThrow(fill(value))
    assert.match(path, /^\/users\/[A-Za-z0-9._~%-]+\/posts$/)
    for (const resolved of resolutions(path)) {
      assert.isTrue(resolved.startsWith("/users/") && resolved.endsWith("/posts"), resolved)
    }
    assert.strictEqual(decodeURIComponent(path.slice("/users/".length, -"/posts".length)), value)
  })

  const hostile = [
    "",
    ".",
    "..",
    "/",
    "\\",
    "a",
    "%2e",
    "%2F",
    "?",
    "#",
    ";",
    ":",
    "@",
    "é",
    "\ud800",
    "\0",
    "\r\n",
    " "
  ]

  it("keeps its segments for every combination of what is hostile", () => {
    for (const a of hostile)
      for (const b of hostile)
        for (const c of hostile) {
          const value = `${a}${b}${c}`
          if (valueProblem(value, "encode") !== undefined) continue
          const path = Result.getOrThrow(fill(value))
          for (const resolved of resolutions(path)) {
            assert.isTrue(
              resolved.startsWith("/users/") && resolved.endsWith("/posts"),
              JSON.stringify(value)
            )
          }
          if (valueProblem(value, "refuse") === undefined)
            assert.strictEqual(decodeURIComponent(path).split("/").length, 4)
        }
  })

  it("is checked after several values have filled one segment", () => {
    const dots: Template = [[""], [".", { name: "a" }], ["x"]]
    assert.isTrue(Result.isFailure(filled(dots, new Map([["a", "."]]))))
    assert.deepStrictEqual(filled(dots, new Map([["a", "b"]])), Result.succeed("/.b/x"))
    const range: Template = [[""], ["compare"], [{ name: "base" }, "...", { name: "head" }]]
    const up: Template = [[""], ["compare"], [{ name: "base" }, "..", { name: "head" }]]
    assert.deepStrictEqual(
      filled(
        range,
        new Map([
          ["base", "v1"],
          ["head", "a%2Fb"]
        ])
      ),
      Result.succeed("/compare/v1...a%2Fb")
    )
    assert.isTrue(
      Result.isFailure(
        filled(
          up,
          new Map([
            ["base", "a%2F"],
            ["head", "%2Fb"]
          ])
        )
      )
    )
    for (const value of ["", ".", "..", "a%2F..", "%2f", "a%5C%2e".replace("%2e", "."), "%5c"]) {
      assert.isTrue(Result.isFailure(filled(template, new Map([["id", value]]))), value)
    }
  })

  it("leaves out what is optional and not there, and keeps what is literal", () => {
    assert.deepStrictEqual(filled(template, new Map()), Result.succeed("/users/posts"))
    assert.deepStrictEqual(filled([[""], ["a"], [""]], new Map()), Result.succeed("/a/"))
  })
})

describe("encoding", () => {
  it("escapes everything that is not unreserved", () => {
    assert.deepStrictEqual(encoded("a b?x=1#y"), Result.succeed("a%20b%3Fx%3D1%23y"))
    assert.deepStrictEqual(encoded("!'()*~-._"), Result.succeed("%21%27%28%29%2A~-._"))
    assert.deepStrictEqual(encoded("é✓"), Result.succeed("%C3%A9%E2%9C%93"))
    assert.isTrue(Result.isFailure(encoded("\ud800")))
  })

  it.prop("is undone by decoding", [Schema.String], ([text]) => {
    const result = encoded(text)
    assert.strictEqual(Result.isSuccess(result), text.isWellFormed())
    if (Result.isSuccess(result)) assert.strictEqual(decodeURIComponent(result.success), text)
  })
})
