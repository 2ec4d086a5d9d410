import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import {
  ApprovalRequired,
  CallDeferred,
  ModelRetry,
  ToolCall,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { budget } from "../../src/toolset/dispatch.ts"
import { admission, outcome } from "./admitting.ts"
import { answering, defect, tag, tools } from "./asking.ts"

describe("a name that nobody offers", () => {
  it.effect("is sent back to the model with the names that there are, sorted (P35, P68)", () =>
    Effect.gen(function* () {
      const admitted = yield* admission(tools("b", "a"), { name: "x" })
      assert.isUndefined(admitted.tool)
      assert.isUndefined(admitted.args)
      const refused = yield* admitted.perform
      assert.instanceOf(refused, ModelRetry)
      assert.strictEqual(refused, admitted.refused)
      assert.deepStrictEqual(
        [refused.reason, refused.message],
        ["unknown-tool", "Unknown tool name: 'x'. Available tools: 'a', 'b'"]
      )
    })
  )

  it.effect("is sent back without any, where there are none (P67)", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* outcome(Toolset.empty, { name: "foobar" }), {
        message: "Unknown tool name: 'foobar'. No tools available."
      })
    })
  )

  it.effect("is answered before its arguments are looked at", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* outcome(answering("t"), { name: "u", args: "nope" }), {
        reason: "unknown-tool"
      })
    })
  )
})

describe("a call that is admitted", () => {
  it.effect("has decoded and validated arguments before anything runs (2.4)", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const say = (text: string) => Effect.sync(() => void events.push(text))
      const tool = Toolset.tool("t", {
        parameters: Schema.Struct({ n: Schema.FiniteFromString }),
        validateArgs: ({ n }) => say(`validate ${n}`),
        handler: ({ n }) => Effect.as(say(`handle ${n}`), n)
      }).pipe(Toolset.wrapper((call, next) => Effect.andThen(say("wrap"), next(call))))
      const { args, perform, refused } = yield* admission(tool, { args: { n: "3" } })
      assert.deepStrictEqual([args?.value, args?.raw, refused], [{ n: 3 }, { n: "3" }, undefined])
      assert.deepStrictEqual(events, ["validate 3"])
      assert.deepStrictEqual(yield* perform, { _tag: "Returned", result: new ToolReturn({ value: 3 }) })
      assert.deepStrictEqual(events, ["validate 3", "wrap", "handle 3"])
    })
  )

  const signals = [
    new ModelRetry({ message: "Again." }),
    new ToolFailed({ message: "Disk full." }),
    new ApprovalRequired({ metadata: { a: 1 } }),
    new CallDeferred({ metadata: { reason: "x" } })
  ]
  for (const signal of signals) {
    it.effect(
      `ends with the very signal that is given on its way: ${signal._tag} (P70, P75, P112, P113)`,
      () =>
        Effect.gen(function* () {
          const failing = () => Effect.fail(signal)
          const performing = [
            Toolset.tool("t", { handler: failing }),
            Toolset.tool("t", { requiresApproval: failing, handler: () => Effect.void }),
            answering("t").pipe(Toolset.wrapper(failing)),
            answering("t").pipe(Toolset.approvalRequired(failing))
          ]
          for (const tool of performing) {
            const admitted = yield* admission(tool)
            assert.isUndefined(admitted.refused)
            assert.strictEqual(yield* admitted.perform, signal)
          }
          const refused = yield* admission(
            Toolset.tool("t", { validateArgs: failing, handler: () => Effect.void })
          )
          assert.strictEqual(refused.refused, signal)
          assert.deepStrictEqual(refused.args?.value, {})
          assert.strictEqual(yield* refused.perform, signal)
        })
    )
  }

  it.effect("fails with what is no signal, and dies of what it dies of (P73)", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* tag(outcome(Toolset.tool("t", { handler: () => Effect.fail("own") }))), "own")
      assert.strictEqual(yield* tag(outcome(answering("t", 1n))), "ToolResultError")
      assert.strictEqual(
        yield* defect(outcome(Toolset.tool("t", { handler: () => Effect.die("broken") }))),
        "broken"
      )
      const validating = Toolset.tool("t", {
        validateArgs: () => Effect.fail("own"),
        handler: () => Effect.void
      })
      assert.strictEqual(yield* tag(admission(validating)), "own")
    })
  )

  it.effect("knows the call as the model made it, and the tool as it was declared (P19, P31, P107)", () =>
    Effect.gen(function* () {
      const whoami = Toolset.tool("t", {
        handler: () => Effect.map(ToolCall, ({ progress: _, ...call }) => call)
      }).pipe(Toolset.renamed({ u: "t" }), Toolset.prefixed("p"), Toolset.withId("id"))
      const call = { id: "call-9", name: "p_u" }
      const given = { attempt: 1, maxRetries: 1, approved: true, metadata: { by: "Ada" } }
      assert.deepStrictEqual(yield* outcome(whoami, call, given), {
        _tag: "Returned",
        result: new ToolReturn({
          value: { id: "call-9", name: "t", exposedName: "p_u", ...given, lastAttempt: true }
        })
      })
    })
  )

  it.effect(
    "has its last attempt when its budget is spent: the tool's own, else the one given (2.5, P56, P65)",
    () =>
      Effect.gen(function* () {
        const seeing = (maxRetries?: number) =>
          Toolset.tool("t", {
            maxRetries,
            handler: () => Effect.map(ToolCall, ({ lastAttempt, maxRetries }) => [maxRetries, lastAttempt])
          })
        const table: ReadonlyArray<[own: number | undefined, given: number, attempt: number, seen: unknown]> =
          [
            [undefined, 1, 0, [1, false]],
            [undefined, 1, 1, [1, true]],
            [undefined, 0, 0, [0, true]],
            [3, 0, 2, [3, false]],
            [3, 0, 3, [3, true]],
            [0, 5, 0, [0, true]]
          ]
        for (const [own, maxRetries, attempt, value] of table) {
          assert.deepStrictEqual(yield* outcome(seeing(own), {}, { attempt, maxRetries }), {
            _tag: "Returned",
            result: new ToolReturn({ value })
          })
          const { tool } = yield* admission(seeing(own))
          assert.strictEqual(budget(tool!, maxRetries), (value as ReadonlyArray<number>)[0])
        }
      })
  )

  it.effect("is bounded by the timeout given, where its tool has none (P85)", () =>
    Effect.gen(function* () {
      const timeout = Duration.seconds(10)
      const sleeping = (own?: Duration.Input) =>
        Toolset.tool("t", { timeout: own, handler: () => Effect.sleep("1 minute") })
      const cases = [
        [sleeping(), "10"],
        [sleeping("100 millis"), "0.1"],
        [sleeping("20 seconds"), "20"],
        [sleeping().pipe(Toolset.timeout("20 seconds")), "20"],
        [
          answering("t").pipe(
            Toolset.wrapper((call, next) => Effect.andThen(Effect.sleep("1 minute"), next(call)))
          ),
          "10"
        ],
        [
          Toolset.tool("t", { validateArgs: () => Effect.sleep("1 minute"), handler: () => Effect.void }),
          "10"
        ]
      ] as const
      for (const [tool, seconds] of cases) {
        const fiber = yield* Effect.forkChild(outcome(tool, {}, { timeout }))
        yield* TestClock.adjust("1 minute")
        assert.deepInclude(yield* Fiber.join(fiber), {
          _tag: "ModelRetry",
          reason: "timeout",
          message: `Timed out after ${seconds} seconds.`
        })
      }
    })
  )
})
