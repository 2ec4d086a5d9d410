/** Calls of tools of the AI SDK that come to no result. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Agent, ToolFailed, Toolset } from "effect-toolset"
import * as AiSdk from "effect-toolset/AiSdk"
import { ScriptedModel } from "effect-toolset/testing"
import * as z from "zod"
import { asCall, retry, tag } from "../toolset/asking.ts"
import { call, tools } from "./tools.ts"

describe("a tool that throws", () => {
  const throwing: ReadonlyArray<[when: string, execute: () => unknown]> = [
    [
      "at once",
      () => {
        throw new Error("upstream returned 503")
      }
    ],
    ["later", () => Promise.reject(new Error("upstream returned 503"))],
    [
      "while it yields",
      async function* () {
        yield 1
        throw new Error("upstream returned 503")
      }
    ]
  ]
  const failing = (execute: unknown, onError?: "retry" | "recover" | "fail") =>
    Toolset.call(tools({ execute }, { onError }), "t", {})
  for (const [when, execute] of throwing) {
    it.effect(`${when} does what its toolset's policy says`, () =>
      Effect.gen(function* () {
        const message = "upstream returned 503"
        assert.deepStrictEqual(yield* retry(failing(execute)), ["body", message])
        assert.deepStrictEqual(yield* retry(failing(execute, "retry")), ["body", message])
        assert.deepStrictEqual(yield* Effect.flip(failing(execute, "recover")), new ToolFailed({ message }))
        const error = yield* Effect.flip(failing(execute, "fail"))
        assert.instanceOf(error, AiSdk.AiSdkToolError)
        assert.strictEqual(error.message, `The tool 't' failed: ${message}`)
        assert.strictEqual((error.cause as Error).message, message)
      })
    )
  }

  it.effect("a failure of a schema of its own has done nothing that the model could mend", () =>
    Effect.gen(function* () {
      const execute = () => z.object({ row: z.string() }).parse({})
      assert.strictEqual((yield* retry(failing(execute)))[0], "body")
      assert.strictEqual(yield* tag(failing(execute, "fail")), "AiSdkToolError")
    })
  )

  const thrown: ReadonlyArray<[what: string, cause: unknown, text: string]> = [
    ["a text", "no network", "no network"],
    ["nothing", undefined, "The tool failed."],
    ["null", null, "The tool failed."],
    ["an error without words", new TypeError(""), "TypeError"],
    ["an object", { code: 7 }, '{"code":7}'],
    [
      "what cannot be asked",
      Object.defineProperty({}, "message", { get: () => assert.fail("Asked.") }),
      "The tool failed."
    ],
    [
      "an error with a stack in its message",
      new Error("Bad row.\n    at parse (/home/me/db.ts:3:7)\n    at file:///srv/app.mjs:1:1\nSee the log."),
      "Bad row.\nSee the log."
    ]
  ]
  for (const [what, cause, text] of thrown) {
    it.effect(`may throw ${what}`, () =>
      Effect.gen(function* () {
        const [, message] = yield* retry(failing(() => Promise.reject(cause)))
        assert.strictEqual(message, text)
      })
    )
  }

  it.effect("a long one is cut", () =>
    Effect.gen(function* () {
      const [, message] = yield* retry(failing(() => Promise.reject(new Error("x".repeat(9000)))))
      assert.strictEqual(message!.length, 4001)
    })
  )
})

describe("a call that is interrupted", () => {
  /** Interrupts a call once its tool says that it has begun. */
  const interrupting = (execute: (begun: () => void, signal: AbortSignal) => unknown): Effect.Effect<void> =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const toolset = tools({
        execute: (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
          execute(() => Deferred.doneUnsafe(begun, Effect.void), abortSignal)
      })
      const fiber = yield* Effect.forkChild(Toolset.call(toolset, "t", {}))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
    })

  it.effect("aborts the signal of the tool, and does not wait for it", () =>
    Effect.gen(function* () {
      let given: AbortSignal | undefined
      yield* interrupting((begun, signal) => {
        given = signal
        begun()
        return new Promise(() => {})
      })
      assert.isTrue(given?.aborted)
    })
  )

  it.effect("ends what yields", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<string>()
      yield* interrupting(async function* (begun, signal) {
        try {
          yield 1
          begun()
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
        } finally {
          Deferred.doneUnsafe(ended, Effect.succeed("ended"))
        }
      })
      assert.strictEqual(yield* Deferred.await(ended), "ended")
    })
  )

  it.effect("ends what has yielded and goes on no more", () =>
    Effect.gen(function* () {
      const reported = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<string>()
      const execute = async function* () {
        try {
          yield 1
          yield 2
        } finally {
          Deferred.doneUnsafe(ended, Effect.succeed("ended"))
        }
      }
      const progress = () => Effect.andThen(Deferred.succeed(reported, undefined), Effect.never)
      const calling = Toolset.call(tools({ execute }), "t", {}).pipe(asCall({ progress }))
      const fiber = yield* Effect.forkChild(calling)
      yield* Deferred.await(reported)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* Deferred.await(ended), "ended")
    })
  )

  it.effect("may be one whose time is over", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<AbortSignal>()
      const execute = (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
        Deferred.doneUnsafe(begun, Effect.succeed(abortSignal))
        return new Promise(() => {})
      }
      const bounded = Toolset.timeout(tools({ execute }), "1 second")
      const fiber = yield* Effect.forkChild(retry(Toolset.call(bounded, "t", {})))
      const signal = yield* Deferred.await(begun)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(fiber), ["timeout", "Timed out after 1 second."])
      assert.isTrue(signal.aborted)
    })
  )

  it.effect("may be the sibling of one that ends the run", () =>
    Effect.gen(function* () {
      let given: AbortSignal | undefined
      let begin = () => {}
      const begun = new Promise<void>((resolve) => (begin = resolve))
      const hanging = (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
        given = abortSignal
        begin()
        return new Promise(() => {})
      }
      const failing = () => begun.then(() => Promise.reject(new Error("Disk full.")))
      const toolsets = [
        Toolset.prefixed(tools({ execute: hanging }), "a"),
        Toolset.prefixed(tools({ execute: failing }, { onError: "fail" }), "b")
      ]
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets }), { prompt: "Go." }))
      assert.instanceOf(error, AiSdk.AiSdkToolError)
      assert.isTrue(given?.aborted)
      assert.lengthOf(yield* ScriptedModel.requests, 1)
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([ScriptedModel.calls({ a_t: {}, b_t: {} }), ScriptedModel.text("Never said.")])
      )
    )
  )

  it.effect("is one whose signal stays as it is where the call has ended", () =>
    Effect.gen(function* () {
      let given: AbortSignal | undefined
      yield* call({
        execute: (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
          given = abortSignal
          return 1
        }
      })
      assert.isFalse(given?.aborted)
    })
  )
})
