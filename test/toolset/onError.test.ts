import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Logger } from "effect"
import { ApprovalRequired, CallDeferred, ModelRetry, RunContext, ToolFailed, Toolset } from "effect-toolset"
import { answering, conflict, defect, flaw, names, retry, runOf, tag } from "./asking.ts"

const offline = Toolset.tool("t", { handler: () => Effect.fail("offline" as const) })
const unopened = Toolset.unwrap(Effect.as(Effect.fail("no connection" as const), answering("t")))
const unlisted = answering("t").pipe(Toolset.filtered(() => Effect.fail("no list" as const)))

/** What is said at warning level, and the result. */
const warned = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel}: ${String(message)}`))
    const result = yield* effect.pipe(Effect.provide(Logger.layer([logger])))
    return [result, lines] as const
  })

describe("onError", () => {
  it.effect("recover tells the model that the call failed", () =>
    Effect.gen(function* () {
      const calm: Toolset.Toolset = offline.pipe(Toolset.onError("recover"))
      const error = yield* Effect.flip(Toolset.call(calm, "t", {}))
      assert.instanceOf(error, ToolFailed)
      assert.strictEqual(error.message, "offline")
      assert.isUndefined(error.details)
    })
  )

  it.effect("retry asks the model to try again", () =>
    Effect.gen(function* () {
      const calm: Toolset.Toolset = Toolset.onError(offline, "retry")
      assert.deepStrictEqual(yield* retry(Toolset.call(calm, "t", {})), ["body", "offline"])
    })
  )

  it("fail leaves the toolset what it is", () => {
    const same: Toolset.Toolset<"offline"> = offline.pipe(Toolset.onError("fail"))
    assert.strictEqual(same, offline)
  })

  it.effect("leaves signals what they are", () =>
    Effect.gen(function* () {
      for (const signal of [
        new ModelRetry({ message: "Again." }),
        new ToolFailed({ message: "No." }),
        new ApprovalRequired({}),
        new CallDeferred({})
      ]) {
        for (const mode of ["recover", "retry"] as const) {
          const tool = Toolset.tool("t", { handler: () => Effect.fail(signal) }).pipe(Toolset.onError(mode))
          assert.strictEqual(yield* Effect.flip(Toolset.call(tool, "t", {})), signal)
        }
      }
    })
  )

  it.effect("leaves a bad result, bad arguments and a missing tool what they are", () =>
    Effect.gen(function* () {
      for (const mode of ["recover", "retry"] as const) {
        const calm = answering("t", 1n).pipe(Toolset.onError(mode))
        assert.strictEqual(yield* tag(Toolset.call(calm, "t", {})), "ToolResultError")
        assert.deepStrictEqual((yield* retry(Toolset.call(calm, "t", { a: 1 })))[0], "arguments")
        assert.strictEqual(yield* tag(Toolset.call(calm, "u", {})), "ToolNotFound")
      }
    })
  )

  it.effect("never recovers defects or interruption", () =>
    Effect.gen(function* () {
      for (const mode of ["recover", "retry"] as const) {
        const dying = Toolset.tool("t", { handler: () => Effect.die("broken") }).pipe(Toolset.onError(mode))
        assert.strictEqual(yield* defect(Toolset.call(dying, "t", {})), "broken")
        const interrupted = Toolset.tool("t", { handler: () => Effect.interrupt }).pipe(Toolset.onError(mode))
        const exit = yield* Effect.exit(Toolset.call(interrupted, "t", {}))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      }
    })
  )

  it.effect("covers validators, predicates and wrappers inside it, and nothing outside", () =>
    Effect.gen(function* () {
      const failing = () => Effect.fail("down" as const)
      const inside: ReadonlyArray<Toolset.Toolset<"down">> = [
        Toolset.tool("t", { validateArgs: failing, handler: () => Effect.void }),
        Toolset.tool("t", { requiresApproval: failing, handler: () => Effect.void }),
        answering("t").pipe(Toolset.approvalRequired(failing)),
        answering("t").pipe(Toolset.wrapper(failing))
      ]
      for (const toolset of inside) {
        const calm: Toolset.Toolset = toolset.pipe(Toolset.onError("recover"))
        assert.strictEqual(yield* tag(Toolset.call(calm, "t", {})), "ToolFailed")
      }
      const outside: Toolset.Toolset<"down"> = answering("t").pipe(
        Toolset.onError("recover"),
        Toolset.wrapper(failing)
      )
      assert.strictEqual(yield* Effect.flip(Toolset.call(outside, "t", {})), "down")
    })
  )

  it.effect(
    "leaves a toolset without tools that cannot be opened or listed, with a warning, and others as they are",
    () =>
      Effect.gen(function* () {
        for (const [toolset, text] of [
          [unopened, "no connection"],
          [unlisted, "no list"]
        ] as const) {
          for (const mode of ["recover", "retry"] as const) {
            const calm: Toolset.Toolset = toolset.pipe(Toolset.onError(mode))
            const [listed, lines] = yield* warned(names(Toolset.combined(answering("a"), calm)))
            assert.deepStrictEqual(listed, ["a"])
            assert.deepStrictEqual(lines, [`Warn: ${toolset.label} is left without tools: ${text}`])
          }
        }
      })
  )

  it.effect("lists again at the next step what could not be listed at this one", () =>
    Effect.gen(function* () {
      const flaky = answering("t").pipe(
        Toolset.filtered((_, { step }) => (step === 1 ? Effect.fail("not yet") : true)),
        Toolset.onError("recover")
      )
      const { tools } = yield* Toolset.open(flaky)
      const inStep = (step: number) => Effect.provideService(tools, RunContext, runOf({ step }))
      const [[before], lines] = yield* warned(Effect.all([inStep(1)]))
      assert.deepStrictEqual(before, [])
      assert.strictEqual(lines.length, 1)
      assert.strictEqual((yield* inStep(2)).length, 1)
    })
  )

  const mute: Toolset.Toolset = answering("t").pipe(
    Toolset.withInstructions(Effect.fail("lost")),
    Toolset.onError("recover")
  )

  it.effect("leaves a toolset without instructions whose instructions fail, and its tools as they are", () =>
    Effect.gen(function* () {
      const session = yield* Toolset.open(mute)
      const instructions = Effect.provideService(session.instructions, RunContext, runOf())
      const [said, lines] = yield* warned(instructions)
      assert.deepStrictEqual(said, [])
      assert.strictEqual(lines.length, 1)
      assert.include(lines[0], "lost")
      assert.strictEqual(yield* session.call("t", {}), "t")
    })
  )

  it.effect("does not warn that tools are left out where instructions are", () =>
    Effect.gen(function* () {
      const { instructions } = yield* Toolset.open(mute)
      const [, lines] = yield* warned(Effect.provideService(instructions, RunContext, runOf()))
      assert.notInclude(lines[0], "without tools")
    })
  )

  it.effect("does not hide that a toolset is put together wrongly", () =>
    Effect.gen(function* () {
      const recover = Toolset.onError("recover")
      yield* flaw(Toolset.list(answering("t").pipe(Toolset.timeout(0), recover)))
      yield* flaw(Toolset.list(answering("t").pipe(Toolset.renamed({ x: "y" }), recover)))
      yield* flaw(
        Toolset.list(
          answering("t").pipe(
            Toolset.prepared(([t]) => [t!, t!]),
            recover
          )
        )
      )
      yield* conflict(Toolset.list(Toolset.combined(answering("t"), answering("t")).pipe(recover)))
    })
  )

  it.effect("of a call changes neither the listing nor a call that succeeds", () =>
    Effect.gen(function* () {
      const calm = answering("t").pipe(Toolset.onError("recover"))
      assert.deepStrictEqual(yield* Toolset.list(calm), yield* Toolset.list(answering("t")))
      assert.strictEqual(yield* Toolset.call(calm, "t", {}), "t")
    })
  )
})

describe("the option onError of a tool", () => {
  const failing = () => Effect.fail("down" as const)

  it.effect("decides about the handler's failures", () =>
    Effect.gen(function* () {
      const of = <Mode extends "fail" | "recover" | "retry">(onError: Mode) =>
        Toolset.tool("t", { onError, handler: failing })
      const fail: Toolset.Toolset<"down"> = of("fail")
      const recover: Toolset.Toolset = of("recover")
      const again: Toolset.Toolset = of("retry")
      assert.strictEqual(yield* Effect.flip(Toolset.call(fail, "t", {})), "down")
      assert.strictEqual(yield* tag(Toolset.call(recover, "t", {})), "ToolFailed")
      assert.deepStrictEqual(yield* retry(Toolset.call(again, "t", {})), ["body", "down"])
    })
  )

  it.effect("leaves those of its validator and of its approval predicate", () =>
    Effect.gen(function* () {
      const onError = "recover" as const
      const handler = () => Effect.void
      for (const tool of [
        Toolset.tool("t", { onError, validateArgs: failing, handler }),
        Toolset.tool("t", { onError, requiresApproval: failing, handler })
      ]) {
        const typed: Toolset.Toolset<"down"> = tool
        assert.strictEqual(yield* Effect.flip(Toolset.call(typed, "t", {})), "down")
      }
    })
  )

  it.effect("leaves signals, a bad result and defects what they are", () =>
    Effect.gen(function* () {
      const call = (handler: () => Effect.Effect<unknown, ToolFailed>) =>
        Toolset.call(Toolset.tool("t", { onError: "retry", handler }), "t", {})
      const signal = new ToolFailed({ message: "No." })
      assert.strictEqual(yield* Effect.flip(call(() => Effect.fail(signal))), signal)
      assert.strictEqual(yield* tag(call(() => Effect.succeed(1n))), "ToolResultError")
      assert.strictEqual(yield* defect(call(() => Effect.die("broken"))), "broken")
    })
  )
})
