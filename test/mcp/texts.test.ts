import { assert, describe, it } from "@effect/vitest"
import { Redacted, Schema } from "effect"
import { withoutFrames } from "../../src/interop/readable.ts"
import { forModel } from "../../src/mcp/hidden.ts"
import { hiding, secretsGiven } from "../../src/secrets/hiding.ts"
import { defaultClientInfo } from "../../src/mcp/connecting.ts"
import { validName } from "../../src/toolset/validName.ts"
import manifest from "../../package.json" with { type: "json" }

describe("a name from elsewhere", () => {
  it.prop("is one that providers accept", [Schema.String], ([name]) =>
    /^[a-zA-Z0-9_-]{1,64}$/.test(validName(name))
  )

  it.prop(
    "stays what it is once it is one",
    [Schema.String],
    ([name]) => validName(validName(name)) === validName(name)
  )

  it("is changed as little as may be", () => {
    assert.strictEqual(validName("get_user-2"), "get_user-2")
    assert.strictEqual(validName("files.read"), "files_read")
    assert.strictEqual(validName("a b/c"), "a_b_c")
    assert.strictEqual(validName("größe"), "gr__e")
    assert.strictEqual(validName("👍"), "_")
    assert.strictEqual(validName("x".repeat(64)), "x".repeat(64))
    assert.match(validName("x".repeat(65)), /^x{55}_[0-9a-f]{8}$/)
    assert.notStrictEqual(validName("x".repeat(65)), validName("x".repeat(66)))
  })
})

describe("what is shown", () => {
  it("has no secrets in it: neither whole ones nor the token of a scheme", () => {
    const hide = hiding(
      secretsGiven([Redacted.make("Bearer abcdef"), "plain", Redacted.make("abcdefgh"), undefined])
    )
    assert.strictEqual(hide("abcdefgh Bearer abcdef abcdef plain"), "*** *** *** plain")
    // What is this short is everywhere.
    assert.strictEqual(hiding(secretsGiven([Redacted.make("a")]))("banana"), "banana")
  })

  it("has no stack in it", () => {
    const stack = new Error("one\ntwo").stack!
    assert.strictEqual(withoutFrames(stack), "Error: one\ntwo")
    assert.strictEqual(withoutFrames("meet me\n    at noon"), "meet me\n    at noon")
  })

  it("is bounded for a model", () => {
    assert.strictEqual(
      forModel(" x \n", (text) => text),
      "x"
    )
    assert.lengthOf(
      forModel("x".repeat(9999), (text) => text),
      4001
    )
  })
})

it("presents itself as the package that it is", () => {
  assert.deepStrictEqual(defaultClientInfo, { name: manifest.name, version: manifest.version })
})
