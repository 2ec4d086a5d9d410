import { assert, describe, it } from "@effect/vitest"
import { ModelRetry, ToolFailed, ToolReturn } from "effect-toolset"
import { modelResult, returned, retryText } from "../../src/toolset/outcome.ts"

describe("what the model reads of a call", () => {
  it("is the value of its result, and neither its metadata nor its content", () => {
    const result = new ToolReturn({ value: { a: 1 }, metadata: { secret: true } })
    assert.deepStrictEqual(modelResult(returned(result)), { a: 1 })
    assert.isNull(modelResult(returned(new ToolReturn({ value: null }))))
  })

  it("is the message of a retry, a blank line, and what to do (2.4)", () => {
    assert.strictEqual(retryText("Too small."), "Too small.\n\nFix the errors and try again.")
    for (const reason of ["body", "arguments", "timeout", "unknown-tool", undefined] as const) {
      const signal = new ModelRetry({ message: "Too small.", reason })
      assert.strictEqual(modelResult(signal), "Too small.\n\nFix the errors and try again.")
    }
  })

  it("is the message of a failure, and its details where it has any (P70)", () => {
    assert.strictEqual(modelResult(new ToolFailed({ message: "Disk full." })), "Disk full.")
    for (const details of [{ free: 0 }, [], null, 0, ""]) {
      assert.deepStrictEqual(modelResult(new ToolFailed({ message: "Disk full.", details })), {
        message: "Disk full.",
        details
      })
    }
  })
})
