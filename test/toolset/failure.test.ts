import { assert, describe, it } from "@effect/vitest"
import { Data, Schema } from "effect"
import { ApprovalRequired, CallDeferred, ModelRetry, ToolFailed, ToolResultError } from "effect-toolset"
import { failureText, isCallSignal, policy, signalFor } from "../../src/toolset/failure.ts"

class Said extends Schema.TaggedError<Said>()("Said", { message: Schema.String }) {}
class WithFields extends Schema.TaggedError<WithFields>()("WithFields", { id: Schema.String }) {}
class Bare extends Schema.TaggedError<Bare>()("Bare", {}) {}
class OfData extends Data.TaggedError("OfData")<{ readonly id: string }> {}

const circular: Record<string, unknown> = { _tag: "Circular" }
circular["self"] = circular

describe("a failure in words", () => {
  const table: ReadonlyArray<[what: string, failure: unknown, text: string]> = [
    ["a text", "offline", "offline"],
    ["a number", 404, "404"],
    ["a bigint", 1n, "1"],
    ["null", null, "null"],
    ["undefined", undefined, "undefined"],
    ["a symbol", Symbol("x"), "Symbol(x)"],
    ["an error", new RangeError("too far"), "too far"],
    ["a tagged error with a message", new Said({ message: "hi" }), "hi"],
    ["a tagged error with fields", new WithFields({ id: "x" }), `WithFields: {"id":"x"}`],
    ["a tagged error without fields", new Bare({}), "Bare"],
    ["a tagged error of Data", new OfData({ id: "y" }), `OfData: {"id":"y"}`],
    ["a tagged object", { _tag: "Plain", a: 1 }, `Plain: {"a":1}`],
    ["an object with a message", { message: "m", a: 1 }, "m"],
    ["an object whose message is none", { message: 3 }, `{"message":3}`],
    ["an object", { a: 1 }, `{"a":1}`],
    ["an array", [1, 2], "[1,2]"],
    ["fields that are not JSON", { _tag: "Big", n: 1n }, "Big"],
    ["fields that contain themselves", circular, "Circular"]
  ]
  for (const [what, failure, text] of table) {
    it(`says what ${what} says`, () => assert.strictEqual(failureText(failure), text))
  }

  it("never says a stack", () => {
    for (const failure of [new Error("m"), new Error(""), new Bare({}), new WithFields({ id: "x" })]) {
      assert.notInclude(failureText(failure), "failure.test.ts")
    }
  })
})

describe("a policy", () => {
  const signals = [
    new ModelRetry({ message: "Again.", reason: "timeout" }),
    new ToolFailed({ message: "No." }),
    new ApprovalRequired({}),
    new CallDeferred({}),
    new ToolResultError({ toolName: "t", path: [], problem: "It is a Map." })
  ]

  it("leaves signals what they are", () => {
    for (const signal of signals) {
      assert.isTrue(isCallSignal(signal))
      assert.strictEqual(policy("recover")(signal), signal)
      assert.strictEqual(policy("retry")(signal), signal)
    }
  })

  it("knows signals by their class, not by their tag", () => {
    const alike = { _tag: "ModelRetry", message: "Again." }
    assert.isFalse(isCallSignal(alike))
    assert.instanceOf(policy("recover")(alike), ToolFailed)
  })

  it("turns a failure into a failed result, or into a retry that the body asked for", () => {
    const recovered = signalFor("recover", "offline")
    assert.instanceOf(recovered, ToolFailed)
    assert.strictEqual(recovered.message, "offline")
    const retried = signalFor("retry", "offline")
    assert.instanceOf(retried, ModelRetry)
    assert.deepStrictEqual([retried.message, retried.reason], ["offline", "body"])
  })
})
