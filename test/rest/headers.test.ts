/** Which headers a model may be asked for, and what it may write into them. */
import { assert, describe, it } from "@effect/vitest"
import { headerProblem, mayBeAsked } from "../../src/rest/headers.ts"
import { asked, brokenValues, neverAsked } from "./neverAsked.ts"

describe("headers", () => {
  it("that say who asks, frame a request, or make another one of it, are never asked for", () => {
    assert.deepStrictEqual(
      neverAsked.filter((name) => mayBeAsked(name.toLowerCase())),
      []
    )
    assert.deepStrictEqual(
      asked.filter((name) => !mayBeAsked(name.toLowerCase())),
      []
    )
  })

  it("have names and values that can be sent", () => {
    for (const name of ["", "a b", "a\r\nb", "é", "a:b", "a(b)"]) {
      assert.strictEqual(headerProblem(name, "x"), "is no name of a header.", name)
    }
    for (const name of neverAsked) {
      assert.strictEqual(headerProblem(name, "x"), "is a header that only the application sets.")
    }
    for (const value of brokenValues) {
      assert.strictEqual(headerProblem("x-a", value), "has characters that no header can have.")
    }
    for (const value of ["", " ", "a\tb", "\u00e9", "~".repeat(9000)]) {
      assert.isUndefined(headerProblem("x-a", value))
    }
  })
})
