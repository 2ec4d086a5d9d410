import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Latch, Schema } from "effect"
import { Agent, RunContext, Toolset, ToolsetDefinitionError } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { inStep, logged, namesOf, textsOf } from "./resources.ts"

class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}

const tool = (name: string) => Toolset.tool(name, { handler: () => Effect.succeed(name) })

describe("unwrap", () => {
  it.effect("runs its effect once per run, when the run opens, and releases with the run", () =>
    Effect.gen(function* () {
      const log = logged()
      const unwrapped = Toolset.unwrap(Effect.as(log.resource("a"), tool("a")))
      const agent = Agent.make({ toolsets: [unwrapped], instructions: Effect.as(log.say("step"), "") })
      yield* Agent.run(agent, { prompt: "Go." })
      assert.deepStrictEqual(yield* log.recent, ["open a", "step", "step", "close a"])
      yield* Agent.run(agent, { prompt: "Go." })
      assert.deepStrictEqual(log.events, ["open a", "step", "step", "close a"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("releases what it acquired in reverse, after everything that was opened later", () =>
    Effect.gen(function* () {
      const log = logged()
      const twice = Toolset.unwrap(
        Effect.as(Effect.andThen(log.resource("a1"), log.resource("a2")), log.leaf("b"))
      )
      yield* Effect.scoped(Toolset.open(Toolset.combined(twice, log.leaf("c"))))
      const opened = ["a1", "a2", "b", "c"]
      assert.deepStrictEqual(log.events, [
        ...opened.map((name) => `open ${name}`),
        ...opened.toReversed().map((name) => `close ${name}`)
      ])
    })
  )

  it.effect("opens what it gives once, also where that occurs elsewhere", () =>
    Effect.gen(function* () {
      const log = logged()
      const a = log.leaf("a")
      const twiceUnwrapped = Toolset.unwrap(
        Effect.succeed(Toolset.unwrap(Effect.succeed(a.pipe(Toolset.prefixed("x")))))
      )
      const session = yield* Toolset.open(
        Toolset.combined(twiceUnwrapped, a, twiceUnwrapped.pipe(Toolset.prefixed("y")))
      )
      assert.deepStrictEqual(yield* namesOf(session).pipe(inStep(1)), ["x_a", "a", "y_x_a"])
      assert.deepStrictEqual(log.events, ["open a"])
    })
  )

  it.effect("gives the tools and instructions of what it gives, also where those change", () =>
    Effect.gen(function* () {
      const changing = Toolset.dynamic(
        Effect.map(RunContext, ({ step }) => tool(`a${step}`).pipe(Toolset.withInstructions(`Step ${step}.`)))
      )
      const session = yield* Toolset.open(Toolset.unwrap(Effect.succeed(changing)))
      for (const step of [1, 2]) {
        assert.deepStrictEqual(yield* namesOf(session).pipe(inStep(step)), [`a${step}`])
        assert.deepStrictEqual(yield* textsOf(session).pipe(inStep(step)), [`Step ${step}.`])
      }
    })
  )

  it.effect("fails the opening with its own failure and releases what it had", () =>
    Effect.gen(function* () {
      const log = logged()
      const bad = Toolset.unwrap(Effect.andThen(log.resource("half"), Effect.fail(new Broken())))
      assert.instanceOf(yield* Effect.flip(Toolset.call(bad, "a", {})), Broken)
      // So it does where what it gives cannot be opened.
      const inner = Toolset.unwrap(Effect.as(log.resource("whole"), bad))
      assert.instanceOf(yield* Effect.flip(Toolset.list(inner)), Broken)
      const half = ["open half", "close half"]
      assert.deepStrictEqual(log.events, [...half, "open whole", ...half, "close whole"])
    })
  )

  it.effect("is interrupted with the opening, in the midst of its effect", () =>
    Effect.gen(function* () {
      const log = logged()
      const slow = Toolset.unwrap(Effect.andThen(log.resource("half"), Effect.never))
      const fiber = yield* Effect.forkChild(Toolset.list(slow), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log.events, ["open half", "close half"])
    })
  )

  it.effect("keeps a fiber of its own running for as long as the run", () =>
    Effect.gen(function* () {
      const log = logged()
      const started = yield* Latch.make()
      const background = Effect.andThen(started.open, Effect.never).pipe(
        Effect.onInterrupt(() => log.say("interrupted"))
      )
      const unwrapped = Toolset.unwrap(
        Effect.as(
          Effect.forkScoped(background),
          Toolset.tool("a", { handler: () => Effect.andThen(started.await, log.say("call")) })
        )
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* Toolset.open(Toolset.combined(log.leaf("b"), unwrapped))
          yield* Effect.andThen(session.call("a", {}), session.call("a", {}))
        })
      )
      assert.deepStrictEqual(log.events, ["open b", "call", "call", "interrupted", "close b"])
    })
  )

  it.effect("needs its services when it is opened, not when it is called", () =>
    Effect.gen(function* () {
      class Who extends Context.Service<Who, string>()("test/Who") {}
      const unwrapped = Toolset.unwrap(
        Effect.map(Who, (who) => Toolset.tool("who", { handler: () => Effect.succeed(who) }))
      )
      const session = yield* Toolset.open(unwrapped).pipe(Effect.provideService(Who, "opening"))
      assert.strictEqual(yield* session.call("who", {}), "opening")
      const called = session.call("who", {}).pipe(Effect.provideService(Who, "caller"))
      assert.strictEqual(yield* called, "opening")
    })
  )

  it.effect("in a choice is opened when that is chosen, and closed when something else is", () =>
    Effect.gen(function* () {
      const log = logged()
      const [a, b] = [log.leaf("a"), log.leaf("b")]
      const session = yield* Toolset.open(
        Toolset.dynamic(Effect.map(RunContext, ({ step }) => (step === 1 ? a : b)))
      )
      assert.deepStrictEqual(log.events, [])
      yield* session.tools.pipe(inStep(1))
      yield* session.tools.pipe(inStep(2))
      assert.deepStrictEqual(log.events, ["open a", "open b", "close a"])
    })
  )

  it.effect("that gives itself is an error, and nothing is left open", () =>
    Effect.gen(function* () {
      const log = logged()
      const itself: Toolset.Toolset = Toolset.unwrap(
        Effect.map(log.resource("a"), (): Toolset.Toolset => Toolset.combined(tool("b"), itself))
      )
      const exit = yield* Effect.exit(Toolset.list(itself))
      assert.instanceOf(yield* Effect.flip(exit), ToolsetDefinitionError)
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(log.events, ["open a", "close a"])
    })
  )
})
