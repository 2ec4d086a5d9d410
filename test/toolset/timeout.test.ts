import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { ModelRetry, ToolReturn, Toolset } from "effect-toolset"
import { answering, approved, flaw, retry, tag } from "./asking.ts"

/** How a call ends when so much time has passed. */
const after = <A, E, R>(time: Duration.Input, call: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(call)
    yield* TestClock.adjust(time)
    return yield* Fiber.join(fiber)
  })

const sleeping = (name = "slow", time: Duration.Input = "1 second") =>
  Toolset.tool(name, { handler: () => Effect.as(Effect.sleep(time), "done") })

const late = ["timeout", "Timed out after 0.1 seconds."]

describe("the option timeout of a tool", () => {
  it.effect("asks for a retry where the handler takes longer (P82)", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("slow", { timeout: "100 millis", handler: () => Effect.sleep("1 second") })
      assert.deepStrictEqual(yield* after("1 second", retry(Toolset.call(tool, "slow", {}))), late)
    })
  )

  it.effect("is not noticed where the handler is in time (P83)", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("t", {
        timeout: "2 seconds",
        handler: () => Effect.as(Effect.sleep("1 second"), 3)
      })
      assert.strictEqual(yield* after("1 second", Toolset.call(tool, "t", {})), 3)
    })
  )

  it.effect("is none where none is set (P84)", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* after("30 days", Toolset.call(sleeping("t", "30 days"), "t", {})), "done")
    })
  )

  it.effect("may be infinite, which is none", () =>
    Effect.gen(function* () {
      const tool = Toolset.timeout(sleeping("t", "30 days"), Duration.infinity)
      assert.strictEqual(yield* after("30 days", Toolset.call(tool, "t", {})), "done")
    })
  )

  it.effect("bounds the handler alone", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("t", {
        timeout: "100 millis",
        validateArgs: () => Effect.sleep("1 second"),
        requiresApproval: () => Effect.as(Effect.sleep("1 second"), false),
        handler: () => Effect.succeed("done")
      })
      assert.strictEqual(yield* after("2 seconds", Toolset.call(tool, "t", {})), "done")
    })
  )

  it.effect("stays a retry of reason timeout under every policy for failures", () =>
    Effect.gen(function* () {
      for (const onError of ["fail", "recover", "retry"] as const) {
        const tool = Toolset.tool("t", { onError, timeout: "100 millis", handler: () => Effect.never })
        assert.deepStrictEqual(yield* after("1 second", retry(Toolset.call(tool, "t", {}))), late)
      }
    })
  )

  for (const timeout of [0, -1, "0 millis", Number.NaN, 0n] as ReadonlyArray<Duration.Input>) {
    it.effect(`cannot be ${typeof timeout === "bigint" ? `${timeout}n` : timeout} (P87)`, () =>
      Effect.gen(function* () {
        const option = yield* flaw(Toolset.list(Toolset.tool("t", { timeout, handler: () => Effect.void })))
        assert.strictEqual(option.source, "tool(t)")
        const combinator = yield* flaw(Toolset.list(Toolset.timeout(answering("t"), timeout)))
        assert.strictEqual(combinator.source, "timeout(tool(t))")
        for (const { hint, problem } of [option, combinator]) {
          assert.include(problem, "The timeout is ")
          assert.strictEqual(hint, "Give a positive duration, or none for no timeout.")
        }
      })
    )
  }
})

describe("timeout", () => {
  it.effect("bounds every source and everything inside it (P88)", () =>
    Effect.gen(function* () {
      const slowly = Effect.sleep("1 second")
      const around = Toolset.wrapper((call, next) => Effect.andThen(slowly, next(call)))
      const all = {
        handler: sleeping("t"),
        wrapper: around(answering("t")),
        external: around(Toolset.external([{ name: "t" }])),
        unwrapped: Toolset.unwrap(Effect.succeed(sleeping("t"))),
        chosen: Toolset.dynamic(Effect.succeed(sleeping("t"))),
        combined: Toolset.combined(sleeping("t"), answering("u")),
        renamed: Toolset.prefixed(sleeping("t"), "x").pipe(Toolset.renamed({ t: "x_t" })),
        gate: Toolset.approvalRequired(answering("t"), () => Effect.as(slowly, false)),
        validator: Toolset.tool("t", { validateArgs: () => slowly, handler: () => Effect.void }),
        decoding: Toolset.tool("t", {
          parameters: Schema.Struct({ a: Schema.optionalKey(Schema.String) }).pipe(
            Schema.middlewareDecoding((decoding) => Effect.andThen(slowly, decoding))
          ),
          handler: () => Effect.void
        })
      }
      for (const [kind, toolset] of Object.entries(all)) {
        const call = Toolset.call(Toolset.timeout(toolset, "100 millis"), "t", {})
        assert.deepStrictEqual(yield* after("1 second", retry(call)), late, kind)
      }
    })
  )

  it.effect("bounds validateArgs too, and then the handler does not run", () =>
    Effect.gen(function* () {
      let calls = 0
      const tool = Toolset.tool("t", {
        validateArgs: () => Effect.never,
        handler: () => Effect.sync(() => calls++)
      }).pipe(Toolset.timeout("100 millis"))
      assert.deepStrictEqual(yield* after("1 second", retry(Toolset.call(tool, "t", {}))), late)
      assert.strictEqual(calls, 0)
    })
  )

  it.effect("bounds nothing outside it", () =>
    Effect.gen(function* () {
      const tool = answering("t", "done").pipe(
        Toolset.timeout("100 millis"),
        Toolset.wrapper((call, next) => Effect.andThen(Effect.sleep("1 second"), next(call)))
      )
      assert.strictEqual(yield* after("1 second", Toolset.call(tool, "t", {})), "done")
    })
  )

  it.effect("of several is the shortest, whatever their order (P85)", () =>
    Effect.gen(function* () {
      const own = Toolset.tool("t", { timeout: "100 millis", handler: () => Effect.never })
      for (const tool of [
        own.pipe(Toolset.timeout("10 seconds")),
        sleeping("t").pipe(Toolset.timeout("100 millis"), Toolset.timeout("10 seconds")),
        sleeping("t").pipe(Toolset.timeout("10 seconds"), Toolset.timeout("100 millis"))
      ]) {
        assert.deepStrictEqual(yield* after("1 second", retry(Toolset.call(tool, "t", {}))), late)
      }
    })
  )

  it.effect("interrupts what it bounds, and its finalizers have run before the error surfaces", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const say = (text: string) => Effect.sync(() => void events.push(text))
      const tool = Toolset.tool("t", {
        handler: () =>
          Effect.acquireRelease(say("open"), () =>
            Effect.andThen(Effect.sleep("5 seconds"), say("closed"))
          ).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => say("interrupted"))
          )
      }).pipe(Toolset.timeout("100 millis"))
      const surfaced = Effect.tapError(Toolset.call(tool, "t", {}), () => say("error"))
      assert.deepStrictEqual(yield* after("10 seconds", retry(surfaced)), late)
      assert.deepStrictEqual(events, ["open", "interrupted", "closed", "error"])
    })
  )

  it.effect("aborts the signal of a promise, and does not wait for one that goes on", () =>
    Effect.gen(function* () {
      const given: Array<AbortSignal> = []
      const tool = Toolset.tool("t", {
        handler: () => Effect.promise((signal) => (given.push(signal), new Promise<string>(() => {})))
      })
      const bounded = tool.pipe(Toolset.timeout("100 millis"))
      assert.deepStrictEqual(yield* after("1 second", retry(Toolset.call(bounded, "t", {}))), late)
      assert.deepStrictEqual(
        given.map((signal) => signal.aborted),
        [true]
      )
    })
  )

  it.effect("is another thing than a timeout of the body's own, which stays its typed failure (P89)", () =>
    Effect.gen(function* () {
      const handler = () => Effect.timeout(Effect.never, "100 millis")
      const free = Toolset.tool("t", { handler })
      for (const tool of [
        free,
        Toolset.tool("t", { timeout: "10 seconds", handler }),
        free.pipe(Toolset.timeout("10 seconds"))
      ]) {
        assert.strictEqual(yield* after("1 second", tag(Toolset.call(tool, "t", {}))), "TimeoutError")
      }
    })
  )

  it.effect("leaves what fails in time as it is, also a retry", () =>
    Effect.gen(function* () {
      const signal = new ModelRetry({ message: "Again." })
      const tool = Toolset.tool("t", { handler: () => Effect.fail(signal) }).pipe(Toolset.timeout("1 second"))
      assert.strictEqual(yield* Effect.flip(Toolset.call(tool, "t", {})), signal)
    })
  )

  it.effect("gives an approved call its whole time", () =>
    Effect.gen(function* () {
      const tool = sleeping("t").pipe(Toolset.approvalRequired(), Toolset.timeout("2 seconds"))
      assert.strictEqual(yield* tag(Toolset.call(tool, "t", {})), "ApprovalRequired")
      assert.strictEqual(yield* after("1 second", approved(Toolset.call(tool, "t", {}))), "done")
    })
  )

  it.effect("can be answered by a wrapper around it", () =>
    Effect.gen(function* () {
      const tool = sleeping("t").pipe(
        Toolset.timeout("100 millis"),
        Toolset.wrapper((call, next) =>
          Effect.catchTag(next(call), "ModelRetry", ({ reason }) =>
            Effect.succeed(new ToolReturn({ value: reason }))
          )
        )
      )
      assert.strictEqual(yield* after("1 second", Toolset.call(tool, "t", {})), "timeout")
    })
  )
})
