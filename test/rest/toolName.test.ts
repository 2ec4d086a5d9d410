/** Names that models accept. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { hash, toolName } from "../../src/rest/toolName.ts"

describe("toolName", () => {
  it("replaces what providers refuse", () => {
    assert.strictEqual(toolName("repos/get-content"), "repos_get-content")
    assert.strictEqual(toolName("Get all  users!"), "Get_all_users")
    assert.strictEqual(toolName("already_fine-1"), "already_fine-1")
  })

  it("ends what is too long in a hash of the whole", () => {
    const [a, b] = ["a", "b"].map((end) => toolName(`${"x".repeat(104)}${end}`))
    assert.match(a!, /^x{55}_[0-9a-f]{8}$/)
    assert.match(b!, /^x{55}_[0-9a-f]{8}$/)
    assert.notStrictEqual(a, b)
    assert.strictEqual(toolName("x".repeat(64)), "x".repeat(64))
    assert.strictEqual(toolName("x".repeat(65)).length, 64)
  })

  it.prop("gives a name of at most 64 characters that all providers accept", [Schema.String], ([text]) => {
    assert.match(toolName(text), /^[a-zA-Z0-9_-]{0,64}$/)
    assert.strictEqual(toolName(toolName(text)), toolName(text))
  })

  it("hashes as FNV-1a does", () => {
    assert.strictEqual(hash(""), "811c9dc5")
    assert.strictEqual(hash("a"), "e40c292c")
    assert.strictEqual(hash("foobar"), "bf9cf968")
  })
})
