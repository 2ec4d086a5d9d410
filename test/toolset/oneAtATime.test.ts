/** Of one toolset, one is open at a time: also while it moves, and while it closes slowly. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Scope } from "effect"
import { Agent, RunContext, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { eventsOf, inStep, logged, namesOf, others } from "./resources.ts"

const { calls, text } = ScriptedModel

/** A toolset over a resource that takes as long to release as it is held up. */
const slowlyClosing = (name: string, log: ReturnType<typeof logged>, gate: Latch.Latch) =>
  Toolset.unwrap(
    Effect.gen(function* () {
      yield* log.resource(name)
      yield* Effect.addFinalizer(() => Effect.andThen(log.say(`closing ${name}`), gate.await))
      return Toolset.tool(name, { handler: () => Effect.succeed(name) })
    })
  )

/** Whatever becomes of the test, nothing waits for the gate when it is over. */
const withGate = <A, E, R>(test: (gate: Latch.Latch) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Latch.make(), (gate) => Effect.ensuring(test(gate), gate.open))

const inSteps = (isThere: (step: number) => boolean, toolset: Toolset.Toolset) =>
  Toolset.dynamic(Effect.map(RunContext, ({ step }) => (isThere(step) ? toolset : undefined)))

/** In a second step it closes, as long as the gate is shut; a third one waits for that. */
const chosenAgain = Effect.fnUntraced(function* (log: ReturnType<typeof logged>, gate: Latch.Latch) {
  const choice = inSteps((step) => step !== 2, slowlyClosing("a", log, gate))
  const scope = yield* Scope.make()
  const session = yield* Scope.provide(Toolset.open(choice), scope)
  yield* namesOf(session).pipe(inStep(1))
  const second = yield* Effect.forkChild(namesOf(session).pipe(inStep(2)))
  yield* others
  const third = yield* Effect.forkChild(Effect.exit(namesOf(session).pipe(inStep(3))))
  yield* others
  return { scope, second, third }
})

describe("one toolset", () => {
  for (const isFirst of [true, false]) {
    it.effect(`moves from one choice to another, and stays open: to the ${isFirst ? "right" : "left"}`, () =>
      Effect.gen(function* () {
        const log = logged()
        const a = log.leaf("a")
        const before = inSteps((step) => step === 1, a)
        const after = inSteps((step) => step > 1, a)
        yield* Agent.run(Agent.make({ toolsets: isFirst ? [before, after] : [after, before] }), {
          prompt: "Go."
        })
        assert.deepStrictEqual(log.flaws, [])
        assert.deepStrictEqual(log.events, ["open a", "use a", "use a", "use a", "use a", "close a"])
      }).pipe(Effect.provide(ScriptedModel.layer([calls({ a: {} }), calls({ a: {} }), text("Done.")])))
    )
  }

  it.effect("that nobody chooses any more closes when all have been asked, before anything is called", () =>
    Effect.gen(function* () {
      const log = logged()
      const agent = Agent.make({ toolsets: [inSteps((step) => step === 1, log.leaf("a")), log.leaf("b")] })
      yield* Agent.run(agent, { prompt: "Go." })
      assert.deepStrictEqual(log.events, ["open b", "open a", "close a", "use b", "use b", "close b"])
    }).pipe(Effect.provide(ScriptedModel.layer([calls([]), calls({ b: {} }), text("Done.")])))
  )

  it.effect("of several that are let go closes, also where the closing of another one dies", () =>
    Effect.gen(function* () {
      const log = logged()
      const dying = Toolset.unwrap(
        Effect.as(
          Effect.addFinalizer(() => Effect.die("broken")),
          Toolset.empty
        )
      )
      const first = [dying, log.leaf("a"), log.leaf("b")].map((one) => inSteps((step) => step === 1, one))
      const session = yield* Toolset.open(Toolset.combined(...first))
      yield* namesOf(session).pipe(inStep(1))
      assert.isTrue(Exit.hasDies(yield* Effect.exit(namesOf(session).pipe(inStep(2)))))
      assert.sameMembers(log.events, ["open a", "open b", "close a", "close b"])
    })
  )

  it.effect("moves also while another step fails or is interrupted", () =>
    Effect.gen(function* () {
      const log = logged()
      const gate = yield* Latch.make()
      const a = log.leaf("a")
      const after = Toolset.dynamic(
        Effect.flatMap(RunContext, ({ step }) => (step === 2 ? Effect.as(gate.await, a) : Effect.undefined))
      )
      const failing = Toolset.dynamic(
        Effect.flatMap(RunContext, ({ step }) => (step === 3 ? Effect.fail("no" as const) : Effect.undefined))
      )
      const session = yield* Toolset.open(
        Toolset.combined(
          inSteps((step) => step === 1, a),
          after,
          failing
        )
      )
      yield* namesOf(session).pipe(inStep(1))
      const second = yield* Effect.forkChild(namesOf(session).pipe(inStep(2)))
      yield* others
      const third = yield* Effect.forkChild(Effect.exit(namesOf(session).pipe(inStep(3))))
      yield* others
      yield* gate.open
      assert.deepStrictEqual(yield* Fiber.join(second), ["a"])
      yield* Fiber.join(third)
      assert.deepStrictEqual(log.flaws, [])
      assert.deepStrictEqual(eventsOf(log.events, "open"), ["a"])
    })
  )

  it.effect("that waits for its closing is not opened when its session has closed", () =>
    withGate((gate) =>
      Effect.gen(function* () {
        const log = logged()
        const { scope, second, third } = yield* chosenAgain(log, gate)
        const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* others
        yield* gate.open
        yield* Fiber.join(second)
        yield* Fiber.join(closing)
        assert.isTrue(Exit.isFailure(yield* Fiber.join(third)))
        assert.deepStrictEqual(log.events, ["open a", "closing a", "close a"])
      })
    )
  )

  it.effect("that is chosen again while it closes opens when it has closed", () =>
    withGate((gate) =>
      Effect.gen(function* () {
        const log = logged()
        const { scope, second, third } = yield* chosenAgain(log, gate)
        assert.deepStrictEqual(log.events, ["open a", "closing a"])
        yield* gate.open
        assert.deepStrictEqual(yield* Fiber.join(second), [])
        assert.deepStrictEqual(yield* Fiber.join(third), Exit.succeed(["a"]))
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual(log.flaws, [])
        assert.deepStrictEqual(log.events, [
          "open a",
          "closing a",
          "close a",
          "open a",
          "closing a",
          "close a"
        ])
      })
    )
  )

  it.effect("that is shared is opened for the next run when that of the last one has closed", () =>
    withGate((gate) =>
      Effect.gen(function* () {
        const log = logged()
        const shared = yield* Toolset.shared(
          Toolset.combined(slowlyClosing("a", log, gate), slowlyClosing("b", log, gate))
        )
        const last = yield* Effect.forkChild(Toolset.call(shared, "a", {}))
        yield* others
        const next = yield* Effect.forkChild(Toolset.call(shared, "b", {}))
        const interrupted = yield* Effect.forkChild(Toolset.call(shared, "b", {}))
        yield* others
        assert.deepStrictEqual(log.events, ["open a", "open b", "closing b"])
        // Who waits can be interrupted, alone.
        yield* Fiber.interrupt(interrupted)
        yield* gate.open
        assert.deepStrictEqual([yield* Fiber.join(last), yield* Fiber.join(next)], ["a", "b"])
        assert.deepStrictEqual(log.flaws, [])
        assert.deepStrictEqual(log.events.slice(3, 7), ["close b", "closing a", "close a", "open a"])
      })
    )
  )

  it.effect("that is shared and fails to open leaves nothing to the next one", () =>
    withGate((gate) =>
      Effect.gen(function* () {
        const log = logged()
        let attempts = 0
        const failing = Toolset.unwrap(
          Effect.suspend(() =>
            ++attempts === 1 ? Effect.fail("no" as const) : Effect.succeed(Toolset.empty)
          )
        )
        const slow = slowlyClosing("a", log, gate)
        const shared = yield* Toolset.shared(Toolset.combined(slow, failing))
        const first = yield* Effect.forkChild(Effect.flip(Toolset.list(shared)))
        yield* others
        // It waits for the same opening.
        const second = yield* Effect.forkChild(Effect.flip(Toolset.list(shared)))
        yield* others
        assert.deepStrictEqual(log.events, ["open a", "closing a"])
        yield* gate.open
        assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(second)], ["no", "no"])
        assert.strictEqual(yield* Toolset.call(shared, "a", {}), "a")
        assert.deepStrictEqual(log.flaws, [])
      })
    )
  )

  it.effect("can be left waiting for by a run that is interrupted", () =>
    withGate((gate) =>
      Effect.gen(function* () {
        const log = logged()
        const { scope, second, third } = yield* chosenAgain(log, gate)
        yield* Fiber.interrupt(third)
        yield* gate.open
        yield* Fiber.join(second)
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual(log.flaws, [])
        assert.deepStrictEqual(log.events, ["open a", "closing a", "close a"])
      })
    )
  )
})
