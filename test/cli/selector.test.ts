import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { selecting } from "../../src/cli/selector.ts"

const all = [
  { name: "listUsers", group: "users", method: "GET", path: "/users" },
  { name: "getUser", group: "users", method: "GET", path: "/users/{id}" },
  { name: "addUser", group: "users", method: "POST", path: "/users" },
  { name: "get", group: "root", method: "GET", path: "/a+b(c)" },
  { name: undefined, group: "files", method: "PUT", path: "/files/{id}" },
  { name: "PING", group: "API", method: "PATCH", path: "/ping" }
]
const nth = (...texts: ReadonlyArray<string>) => {
  const selects = Result.getOrThrow(selecting("include", texts, all))
  return all.flatMap((one, i) => (selects(one) ? [i] : []))
}

describe("a selector", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
    ["listUsers", [0]],
    ["users", [0, 1, 2]],
    ["*User*", [0, 1, 2]],
    ["*", [0, 1, 2, 3, 4, 5]],
    ["GET", [0, 1, 3]],
    ["get", [3]],
    ["/users", [0, 2]],
    ["/users/*", [1]],
    ["/users*", [0, 1, 2]],
    ["/users/{id}", [1]],
    ["GET /users", [0]],
    ["GET  /users*", [0, 1]],
    ["GET/users", [0]],
    [" POST ", [2]],
    // Nothing in a path is a pattern but the star.
    ["/a+b(c)", [3]],
    ["/*(c)", [3]],
    // What is no tool can still be meant.
    ["files", [4]],
    ["PUT", [4]],
    [" users ", [0, 1, 2]],
    // A method that no tool has is no mistake.
    ["DELETE", []],
    // Not all that is in capitals is a method.
    ["API", [5]],
    ["PING", [5]]
  ]
  for (const [text, expected] of cases) {
    it(`'${text}' selects what it says`, () => assert.deepStrictEqual(nth(text), expected))
  }

  it("of several any may hold", () => {
    assert.deepStrictEqual(nth("POST", "get"), [2, 3])
    assert.deepStrictEqual(nth(), [])
  })

  for (const text of ["", "nobody", "DELET", "/nowhere", "POST /users/*", "listusers", "a+b", "("]) {
    it(`'${text}', which selects nothing, is a mistake that says what there is`, () => {
      const failure = Result.getOrThrow(Result.flip(selecting("exclude", ["users", text], all)))
      assert.strictEqual(
        failure.message,
        `--exclude '${text}' selects nothing. There are the groups 'users', 'root', 'files', 'API'; ` +
          "the names 'listUsers', 'getUser', 'addUser', 'get', 'PING'."
      )
    })
  }

  it("is not answered with a thousand names", () => {
    const many = Array.from({ length: 1000 }, (_, i) => ({ ...all[0]!, name: `tool${i}` }))
    const failure = Result.getOrThrow(Result.flip(selecting("include", ["x"], many)))
    assert.match(failure.message, /'tool19' and 980 more\.$/)
  })
})
