import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { Agent, ApprovalRequired, CallDeferred, ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answering, Broken, counting, sources, tag } from "./asking.ts"

const broken = new Broken({ who: "line" })
/** Fails so many times, then gives the count. */
const flaky = (failures: number) =>
  counting("a", (count) => (count <= failures ? Effect.fail(broken) : Effect.succeed(count)))

describe("retried", () => {
  for (const [name, source] of Object.entries(sources)) {
    it.effect(`calls a tool of ${name} again until it succeeds (B35)`, () =>
      Effect.gen(function* () {
        const { calls, tool } = flaky(2)
        const retried = source(tool).pipe(Toolset.retried(Schedule.recurs(5)))
        assert.strictEqual(yield* Toolset.call(retried, "a", { n: 1 }), 3)
        assert.deepStrictEqual(calls, [{ n: 1 }, { n: 1 }, { n: 1 }])
      })
    )
  }

  it.effect("fails with the last failure when the schedule is done (B35)", () =>
    Effect.gen(function* () {
      const { calls, tool } = counting("a", (count) => Effect.fail(new Broken({ who: `attempt ${count}` })))
      const error = yield* Effect.flip(Toolset.call(tool.pipe(Toolset.retried(Schedule.recurs(2))), "a", {}))
      assert.strictEqual(error.message, "attempt 3 is broken")
      assert.strictEqual(calls.length, 3)
    })
  )

  it.effect("waits as the schedule says", () =>
    Effect.gen(function* () {
      const { calls, tool } = flaky(2)
      const retried = tool.pipe(Toolset.retried(Schedule.spaced("1 minute")))
      const fiber = yield* Effect.forkChild(Toolset.call(retried, "a", {}))
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(calls.length, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(calls.length, 2)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(fiber), 3)
    })
  )

  it.effect("never retries a signal, a result that is not JSON, arguments, or a defect", () =>
    Effect.gen(function* () {
      const signals = [
        new ModelRetry({ message: "again" }),
        new ToolFailed({ message: "no" }),
        new ApprovalRequired({}),
        new CallDeferred({})
      ]
      for (const signal of signals) {
        const { calls, tool } = counting("a", () => Effect.fail(signal))
        const error = yield* Effect.flip(
          Toolset.call(tool.pipe(Toolset.retried(Schedule.recurs(3))), "a", {})
        )
        assert.strictEqual(error, signal)
        assert.strictEqual(calls.length, 1)
      }
      const odd = counting("a", () => Effect.succeed(new Map()))
      const retried = odd.tool.pipe(Toolset.retried(Schedule.recurs(3)))
      assert.strictEqual(yield* tag(Toolset.call(retried, "a", {})), "ToolResultError")
      assert.strictEqual(yield* tag(Toolset.call(retried, "a", { n: "x" })), "ModelRetry")
      assert.strictEqual(odd.calls.length, 1)
      const dying = counting("a", () => Effect.die("dead"))
      yield* Effect.exit(Toolset.call(dying.tool.pipe(Toolset.retried(Schedule.recurs(3))), "a", {}))
      assert.strictEqual(dying.calls.length, 1)
    })
  )

  it.effect("shows the schedule failures alone, each call from the start", () =>
    Effect.gen(function* () {
      const seen = yield* Ref.make<ReadonlyArray<string>>([])
      const schedule = Schedule.identity<Broken>().pipe(
        Schedule.while(({ attempt, input }) =>
          Effect.as(
            Ref.update(seen, (all) => [...all, input.who]),
            attempt <= 2
          )
        )
      )
      const { tool } = counting("a", (count) =>
        Effect.fail(count === 2 ? new ToolFailed({ message: "no" }) : new Broken({ who: `${count}` }))
      )
      const session = yield* Toolset.open(tool.pipe(Toolset.retried(schedule)))
      assert.strictEqual(yield* tag(session.call("a", {})), "ToolFailed")
      assert.strictEqual(yield* tag(session.call("a", {})), "Broken")
      assert.deepStrictEqual(yield* Ref.get(seen), ["1", "3", "4", "5"])
    })
  )

  it.effect("leaves a failure alone that the schedule is not for (B35)", () =>
    Effect.gen(function* () {
      const onlyLine = Schedule.forever.pipe(
        Schedule.setInputType<Broken>(),
        Schedule.while(({ input }) => input.who === "line")
      )
      const { calls, tool } = counting("a", (count) =>
        Effect.fail(count === 1 ? broken : new Broken({ who: "disk" }))
      )
      const error = yield* Effect.flip(Toolset.call(tool.pipe(Toolset.retried(onlyLine)), "a", {}))
      assert.strictEqual(error.message, "disk is broken")
      assert.strictEqual(calls.length, 2)
    })
  )

  it.effect("costs no model turn, and is one call to what is outside", () =>
    Effect.gen(function* () {
      const outside: Array<string> = []
      const { calls, tool } = flaky(2)
      const tools = tool.pipe(
        Toolset.retried(Schedule.recurs(5)),
        Toolset.wrapper((call, next) =>
          Effect.tap(next(call), () => Effect.sync(() => outside.push(call.tool.name)))
        )
      )
      const model = ScriptedModel.layer([ScriptedModel.calls({ a: {} }), ScriptedModel.text("done")])
      const { usage } = yield* Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "go" }).pipe(
        Effect.provide(model)
      )
      assert.strictEqual(usage.requests, 2)
      assert.strictEqual(usage.toolCalls, 1)
      assert.deepStrictEqual([calls.length, outside], [3, ["a"]])
    })
  )

  it.effect("is bounded as a whole by a timeout outside, and does not repeat one that is inside", () =>
    Effect.gen(function* () {
      const { calls, tool } = counting("a", () =>
        Effect.andThen(Effect.sleep("2 seconds"), Effect.fail(broken))
      )
      const after = <A, E>(call: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(tag(call))
          yield* TestClock.adjust("1 minute")
          return yield* Fiber.join(fiber)
        })
      const outside = tool.pipe(Toolset.retried(Schedule.forever), Toolset.timeout("5 seconds"))
      assert.strictEqual(yield* after(Toolset.call(outside, "a", {})), "ModelRetry")
      assert.strictEqual(calls.length, 3)
      const inside = tool.pipe(Toolset.timeout("1 second"), Toolset.retried(Schedule.forever))
      assert.strictEqual(yield* after(Toolset.call(inside, "a", {})), "ModelRetry")
      assert.strictEqual(calls.length, 4)
    })
  )

  it.effect("can fail with the schedule's own failure", () =>
    Effect.gen(function* () {
      const schedule = Schedule.forever.pipe(Schedule.while(() => Effect.fail("schedule" as const)))
      const { tool } = flaky(9)
      assert.strictEqual(yield* tag(Toolset.call(tool.pipe(Toolset.retried(schedule)), "a", {})), "schedule")
    })
  )

  it.effect("is the identity for what does not fail, and once again for no recurrence", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* Toolset.call(answering("a").pipe(Toolset.retried(Schedule.forever)), "a", {}),
        "a"
      )
      const { calls, tool } = flaky(1)
      assert.strictEqual(
        yield* tag(Toolset.call(tool.pipe(Toolset.retried(Schedule.recurs(0))), "a", {})),
        "Broken"
      )
      assert.strictEqual(calls.length, 1)
    })
  )
})
