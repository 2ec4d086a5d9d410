import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Latch, Ref, Schema, Scope } from "effect"
import { Agent, RunContext, Toolset, ToolsetDefinitionError } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { ending, inStep, logged, namesOf, others, textsOf } from "./resources.ts"

class Who extends Context.Service<Who, string>()("test/Who") {}
class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}

describe("shared", () => {
  it.effect(
    "P138: opens nothing until a run does; the first opens, the last closes, the next opens again",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const shared = yield* Toolset.shared(log.leaf("a"))
        assert.deepStrictEqual(log.events, [])
        const [first, second] = [yield* Scope.make(), yield* Scope.make()]
        yield* Scope.provide(Toolset.open(shared), first)
        yield* Scope.provide(Toolset.open(shared), second)
        yield* Toolset.call(shared, "a", {})
        yield* Scope.close(first, Exit.void)
        assert.deepStrictEqual(log.events, ["open a", "use a", "use a"])
        yield* Scope.close(second, Exit.void)
        assert.strictEqual(log.events.at(-1), "close a")
        log.events.length = 0
        yield* Toolset.list(shared)
        assert.deepStrictEqual(log.events, ["open a", "close a"])
      })
  )

  it.effect("is one for concurrent runs of agents, and one in each however often it occurs there", () =>
    Effect.gen(function* () {
      const log = logged()
      const bothRunning = yield* Latch.make()
      let running = 0
      const meet = Effect.suspend(() => (++running === 2 ? bothRunning.open : bothRunning.await))
      const shared = yield* Toolset.shared(log.leaf("a", { during: meet }))
      const toolsets = [shared.pipe(Toolset.prefixed("x")), shared.pipe(Toolset.prefixed("y"))]
      const run = Agent.run(Agent.make({ toolsets }), { prompt: "Go." }).pipe(
        Effect.provide(ScriptedModel.layer([ScriptedModel.calls({ x_a: {} }), ScriptedModel.text("Done.")]))
      )
      yield* Effect.all([run, run], { concurrency: "unbounded" })
      const uses = Array.from({ length: 4 }, () => "use a")
      assert.deepStrictEqual(log.events, ["open a", ...uses, "close a"])
      assert.deepStrictEqual(log.flaws, [])
    })
  )

  it.effect("an opening that fails fails for all who wait for it, and is tried again by the next run", () =>
    Effect.gen(function* () {
      let attempts = 0
      const gate = yield* Latch.make()
      const flaky = Toolset.unwrap(
        Effect.suspend(() =>
          ++attempts === 1
            ? Effect.andThen(gate.await, Effect.fail(new Broken()))
            : Effect.succeed(Toolset.empty)
        )
      )
      const shared = yield* Toolset.shared(flaky)
      const fibers = [
        yield* Effect.forkChild(Toolset.list(shared), { startImmediately: true }),
        yield* Effect.forkChild(Toolset.list(shared), { startImmediately: true })
      ]
      yield* gate.open
      for (const fiber of fibers) assert.deepStrictEqual(yield* ending(fiber), Exit.fail(new Broken()))
      assert.strictEqual(attempts, 1)
      assert.deepStrictEqual(yield* Toolset.list(shared), [])
    })
  )

  it.effect("a run that is interrupted while it opens takes no other with it, nor the resource", () =>
    Effect.gen(function* () {
      const log = logged()
      const gate = yield* Latch.make()
      const shared = yield* Toolset.shared(log.leaf("a", { first: gate.await }))
      const list = Effect.map(Toolset.list(shared), (tools) => tools.length)
      const first = yield* Effect.forkChild(list, { startImmediately: true })
      const second = yield* Effect.forkChild(list, { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* gate.open
      assert.deepStrictEqual(yield* ending(second), Exit.succeed(1))
      assert.deepStrictEqual(log.events, ["open a", "close a"])
    })
  )

  it.effect("a run that is interrupted or fails in a call leaves it open for the other", () =>
    Effect.gen(function* () {
      const log = logged()
      const how = yield* Ref.make<Effect.Effect<void, Broken>>(Effect.never)
      const shared = yield* Toolset.shared(log.leaf("a", { during: Effect.flatten(Ref.get(how)) }))
      const session = yield* Toolset.open(shared)
      const interrupted = yield* Effect.forkChild(Toolset.call(shared, "a", {}), { startImmediately: true })
      yield* others
      yield* Fiber.interrupt(interrupted)
      yield* Ref.set(how, Effect.fail(new Broken()))
      assert.instanceOf(yield* Effect.flip(Toolset.call(shared, "a", {})), Broken)
      yield* Ref.set(how, Effect.void)
      assert.strictEqual(yield* session.call("a", {}), "a")
      assert.notInclude(log.events, "close a")
    })
  )

  it.effect("an opening that everybody was interrupted in is abandoned, and leaves nothing open", () =>
    Effect.gen(function* () {
      const log = logged()
      const slow = Toolset.unwrap(Effect.andThen(log.resource("half"), Effect.never))
      const shared = yield* Toolset.shared(slow)
      const list = Effect.forkChild(Toolset.list(shared), { startImmediately: true })
      const fibers = [yield* list, yield* list]
      yield* Fiber.interrupt(fibers[0]!)
      assert.deepStrictEqual(log.events, ["open half"])
      yield* Fiber.interrupt(fibers[1]!)
      assert.deepStrictEqual(log.events, ["open half", "close half"])
    })
  )

  it.effect("the RunContext stays each run's own, also at the same time", () =>
    Effect.gen(function* () {
      const meeting = yield* Latch.make()
      const told = Toolset.tool("a", {
        handler: () =>
          Effect.andThen(
            meeting.await,
            Effect.map(RunContext, ({ step }) => `called in ${step}`)
          )
      }).pipe(
        Toolset.filtered((_, { step }) => step < 10),
        Toolset.withInstructions(Effect.map(RunContext, ({ step }) => `asked in ${step}`))
      )
      const shared = yield* Toolset.shared(Toolset.unwrap(Effect.succeed(told)))
      const [one, other] = [yield* Toolset.open(shared), yield* Toolset.open(shared)]
      const calls = Effect.all([one.call("a", {}).pipe(inStep(1)), other.call("a", {}).pipe(inStep(2))], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        yield* Effect.andThen(Effect.forkChild(Effect.andThen(others, meeting.open)), calls),
        ["called in 1", "called in 2"]
      )
      assert.deepStrictEqual(yield* textsOf(other).pipe(inStep(3)), ["asked in 3"])
      assert.deepStrictEqual(yield* namesOf(one).pipe(inStep(10)), [])
    })
  )

  it.effect("its services are those of where it was shared, whoever opens, lists and calls", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const look = Effect.map(Who, (who) => void seen.push(who))
      const told = Toolset.unwrap(
        Effect.as(
          look,
          Toolset.tool("a", {
            validateArgs: () => look,
            requiresApproval: () => Effect.as(look, false),
            handler: () => look
          }).pipe(Toolset.filtered(() => Effect.as(look, true)))
        )
      )
      const shared = yield* Toolset.shared(told).pipe(Effect.provideService(Who, "sharing"))
      yield* Toolset.call(shared, "a", {}).pipe(Effect.provideService(Who, "caller"))
      // What is around it is its caller's business.
      const wrapped = shared.pipe(Toolset.wrapper((call, next) => Effect.andThen(look, next(call))))
      yield* Toolset.call(wrapped, "a", {}).pipe(Effect.provideService(Who, "caller"))
      const [first, wrappedOne] = [seen.slice(0, 5), seen.slice(5)]
      assert.deepStrictEqual(new Set(first), new Set(["sharing"]))
      assert.deepStrictEqual(wrappedOne, ["sharing", "sharing", "sharing", "caller", "sharing", "sharing"])
    })
  )

  it.effect("a dynamic toolset inside is an error of the run that opens it, wherever inside", () =>
    Effect.gen(function* () {
      const log = logged()
      const dynamic = Toolset.dynamic(Effect.succeed(log.leaf("b")))
      for (const self of [
        dynamic,
        Toolset.combined(log.leaf("a"), dynamic.pipe(Toolset.prefixed("x"))),
        Toolset.unwrap(Effect.succeed(dynamic)),
        dynamic.pipe(Toolset.provide(Context.empty()))
      ]) {
        const shared = yield* Toolset.shared(self)
        const error = yield* Effect.flip(Toolset.list(shared))
        assert.instanceOf(error, ToolsetDefinitionError)
        assert.include(error.message, "Share the toolsets that it chooses")
      }
      assert.deepStrictEqual(log.events, ["open a", "close a"])
      // The way out: choose among shared ones.
      const [a, b] = [yield* Toolset.shared(log.leaf("a")), yield* Toolset.shared(log.leaf("b"))]
      const choosing = Toolset.dynamic(Effect.map(RunContext, ({ step }) => (step === 1 ? a : b)))
      const session = yield* Toolset.open(choosing)
      assert.deepStrictEqual(yield* namesOf(session).pipe(inStep(1)), ["a"])
      assert.deepStrictEqual(yield* namesOf(session).pipe(inStep(2)), ["b"])
    })
  )

  it.effect("opened after its scope has closed it is an error that says so", () =>
    Effect.gen(function* () {
      const shared = yield* Effect.scoped(Toolset.shared(logged().leaf("a")))
      const error = yield* Effect.flip(Toolset.list(shared))
      assert.instanceOf(error, ToolsetDefinitionError)
      assert.include(error.message, "shared(unwrap): The scope that it was opened in has closed.")
    })
  )

  it.effect("used by a run that goes on after its scope has closed it is an error that says so", () =>
    Effect.gen(function* () {
      const log = logged()
      const scope = yield* Scope.make()
      const shared = yield* Scope.provide(Toolset.shared(log.leaf("a")), scope)
      const session = yield* Toolset.open(shared)
      yield* session.call("a", {})
      yield* Scope.close(scope, Exit.void)
      const exit = yield* Effect.exit(session.call("a", {}))
      assert.deepStrictEqual(log.flaws, [])
      assert.instanceOf(yield* Effect.flip(exit), ToolsetDefinitionError)
    })
  )

  it.effect(
    "while its scope closes a run that waits for it fails with an error, and is not interrupted",
    () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const shared = yield* Scope.provide(
          Toolset.shared(logged().leaf("a", { first: Effect.never })),
          scope
        )
        const waiting = yield* Effect.forkChild(Toolset.list(shared), { startImmediately: true })
        yield* others
        yield* Scope.close(scope, Exit.void)
        const exit = yield* ending(waiting)
        assert.instanceOf(yield* Effect.flip(exit!), ToolsetDefinitionError)
      })
  )
})
