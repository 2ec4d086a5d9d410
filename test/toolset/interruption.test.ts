/** What interruption and failure at any moment leave behind: nothing open, nobody waiting, nothing used while closed. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Latch } from "effect"
import { Agent, RunContext, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { ending, eventsOf, inStep, logged, namesOf, others, stepwise } from "./resources.ts"

describe("interruption of a run", () => {
  it.effect(
    "P137: leaves nothing open, at whatever moment it comes, and releases in reverse order",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const calls = ScriptedModel.layer([
          ScriptedModel.calls({ a: {}, c: {} }),
          ScriptedModel.calls({ b: {} }),
          ScriptedModel.text("Done.")
        ])
        let moment = 0
        for (let untouched = 0; untouched < 2; moment += 7) {
          const c = log.leaf("c", { during: Effect.yieldNow })
          const toolsets = [
            log.leaf("a", { first: Effect.yieldNow }),
            log.leaf("b"),
            Toolset.dynamic(Effect.succeed(c))
          ]
          const fiber = yield* Agent.run(Agent.make({ toolsets }), { prompt: "Go." }).pipe(
            Effect.provide(calls),
            stepwise,
            Effect.forkChild
          )
          yield* Effect.repeat(Effect.yieldNow, { times: moment })
          if (fiber.pollUnsafe() !== undefined) untouched++
          yield* Fiber.interrupt(fiber)
          const opened = eventsOf(log.events, "open")
          assert.deepStrictEqual(
            eventsOf(log.events, "close"),
            opened.toReversed(),
            `interrupted at ${moment}`
          )
          assert.deepStrictEqual(log.flaws, [])
          log.events.length = 0
        }
        assert.isAbove(moment, 500)
      }),
    30_000
  )

  it.effect("awaits the finalizers of the calls before it releases what they use", () =>
    Effect.gen(function* () {
      const log = logged()
      const slow = (name: string) =>
        log.leaf(name, {
          during: Effect.never.pipe(Effect.onInterrupt(() => Effect.andThen(others, log.say(`end ${name}`))))
        })
      const agent = Agent.make({ toolsets: [slow("a"), slow("b")] })
      const fiber = yield* Effect.forkChild(Agent.run(agent, { prompt: "Go." }))
      yield* Effect.repeat(Effect.yieldNow, { until: () => log.events.length === 4 })
      yield* Fiber.interrupt(fiber)
      assert.sameMembers(log.events.slice(4, 6), ["end a", "end b"])
      assert.deepStrictEqual(log.events.slice(6), ["close b", "close a"])
    }).pipe(Effect.provide(ScriptedModel.layer([ScriptedModel.calls({ a: {}, b: {} })])))
  )
})

describe("interruption of one of several who ask one session", () => {
  const slow = (gate: Deferred.Deferred<void>) =>
    Toolset.tool("a", { handler: () => Effect.succeed("a") }).pipe(
      Toolset.filtered(() => Effect.as(Deferred.await(gate), true)),
      Toolset.prefixed("x")
    )
  const sameStep = <A, E, R>(effect: Effect.Effect<A, E, R>) => inStep(1)(effect)

  it.effect("answers who joined a listing when the one who began it is interrupted", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const session = yield* Toolset.open(slow(gate))
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(namesOf(session), { startImmediately: true })
        const second = yield* Effect.forkChild(session.call("x_a", {}), { startImmediately: true })
        const third = yield* Effect.forkChild(namesOf(session), { startImmediately: true })
        yield* Fiber.interrupt(first)
        yield* Deferred.succeed(gate, undefined)
        assert.deepStrictEqual(yield* ending(second), Exit.succeed("a"))
        assert.deepStrictEqual(yield* ending(third), Exit.succeed(["x_a"]))
      }).pipe(sameStep)
    })
  )

  it.effect("lets each who joined a listing be interrupted, also after the one who began it was", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const session = yield* Toolset.open(slow(gate))
      const list = Effect.forkChild(namesOf(session), { startImmediately: true })
      const ends: Array<Exit.Exit<unknown, unknown> | undefined> = []
      for (const fiber of yield* Effect.all([list, list, list]).pipe(sameStep)) {
        fiber.interruptUnsafe()
        ends.push(yield* ending(fiber))
      }
      yield* Deferred.succeed(gate, undefined)
      for (const end of ends) assert.isTrue(end !== undefined && Exit.hasInterrupts(end))
    })
  )

  it.effect(
    "opens for who joined an opening when the one who began it is interrupted, and leaks nothing",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const gate = yield* Latch.make()
        const shared = Toolset.unwrap(
          Effect.as(Effect.andThen(log.resource("half"), gate.await), log.leaf("a"))
        )
        // Two toolsets choose the same one, in two steps at the same time.
        const choosing = (step: number) =>
          Toolset.dynamic(Effect.map(RunContext, (run) => (run.step === step ? shared : undefined)))
        const session = yield* Toolset.open(Toolset.combined(choosing(1), choosing(2)))
        const first = yield* Effect.forkChild(namesOf(session).pipe(inStep(1)))
        yield* others
        const second = yield* Effect.forkChild(namesOf(session).pipe(inStep(2)))
        yield* others
        assert.deepStrictEqual(yield* log.recent, ["open half"])
        yield* Fiber.interrupt(first)
        yield* gate.open
        assert.deepStrictEqual(yield* ending(second), Exit.succeed(["a"]))
        assert.deepStrictEqual(log.events, ["close half", "open half", "open a"])
        assert.deepStrictEqual(log.flaws, [])
      })
  )

  it.effect("never leaves the other hanging, at whatever moment it comes", () =>
    Effect.gen(function* () {
      for (let moment = 0; moment < 200; moment += 3) {
        const log = logged()
        const shared = log.leaf("a", { first: Effect.yieldNow })
        const choosing = (step: number) =>
          Toolset.dynamic(Effect.map(RunContext, (run) => (run.step >= step ? shared : undefined)))
        const tree = Toolset.combined(choosing(1), choosing(2).pipe(Toolset.prefixed("x")))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const session = yield* Toolset.open(tree)
            const [first, second] = yield* Effect.forEach([1, 2], (step) =>
              Effect.forkChild(namesOf(session).pipe(inStep(step), stepwise))
            )
            yield* Effect.repeat(Effect.yieldNow, { times: moment })
            first!.interruptUnsafe()
            assert.deepStrictEqual(
              yield* ending(second!),
              Exit.succeed(["a", "x_a"]),
              `interrupted at ${moment}`
            )
            assert.isDefined(yield* ending(first!))
          })
        )
        assert.deepStrictEqual(log.flaws, [])
        assert.strictEqual(eventsOf(log.events, "open").length, eventsOf(log.events, "close").length)
      }
    })
  )
})

describe("a choice that comes to nothing", () => {
  const choosing = () => {
    const log = logged()
    const a = log.leaf("a")
    const half = <E>(how: Effect.Effect<never, E>) => Effect.andThen(log.resource("half"), how)
    /** Step 1 chooses `a`, step 2 fails to choose, step 3 chooses what cannot be opened, step 4 `a` again. */
    const open = <E>(how: Effect.Effect<never, E>) => {
      const bad = Toolset.combined(a, Toolset.unwrap(half(how)))
      const choices = [Effect.succeed(a), half(how), Effect.succeed(bad), Effect.succeed(a)]
      return Toolset.open(Toolset.dynamic(Effect.flatMap(RunContext, ({ step }) => choices[step - 1]!)))
    }
    return { log, open }
  }

  for (const [what, how] of Object.entries({ fails: Effect.fail("no"), dies: Effect.die("no") })) {
    it.effect(`leaves the old one open where it ${what}, and nothing else`, () =>
      Effect.gen(function* () {
        const { log, open } = choosing()
        const session = yield* open(how)
        const step = (number: number) => namesOf(session).pipe(inStep(number))
        yield* step(1)
        for (const number of [2, 3]) {
          log.events.length = 0
          assert.deepStrictEqual(yield* Effect.exit(step(number)), yield* Effect.exit(how))
          assert.deepStrictEqual(yield* log.recent, ["open half", "close half"])
        }
        assert.deepStrictEqual(yield* step(4), ["a"])
        assert.deepStrictEqual(log.events, [])
      })
    )
  }

  it.effect("leaves the old one open where it is interrupted midway, and nothing else", () =>
    Effect.gen(function* () {
      const { log, open } = choosing()
      const session = yield* open(Effect.never)
      const step = (number: number) => namesOf(session).pipe(inStep(number))
      yield* step(1)
      for (const number of [2, 3]) {
        log.events.length = 0
        const fiber = yield* Effect.forkChild(step(number), { startImmediately: true })
        assert.deepStrictEqual(yield* log.recent, ["open half"])
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* log.recent, ["close half"])
      }
      assert.deepStrictEqual(yield* step(4), ["a"])
      assert.deepStrictEqual(log.events, [])
    })
  )

  it.effect(
    "P145: where the old one cannot be released the step dies; the new one is open until the end",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const [stuck, b] = [
          Toolset.unwrap(
            Effect.as(
              Effect.addFinalizer(() => Effect.die("stuck")),
              Toolset.empty
            )
          ),
          log.leaf("b")
        ]
        const dynamic = Toolset.dynamic(Effect.map(RunContext, ({ step }) => (step === 1 ? stuck : b)))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const session = yield* Toolset.open(dynamic)
            yield* namesOf(session).pipe(inStep(1))
            assert.deepStrictEqual(yield* Effect.exit(namesOf(session).pipe(inStep(2))), Exit.die("stuck"))
            assert.deepStrictEqual(yield* namesOf(session).pipe(inStep(3)), ["b"])
            assert.deepStrictEqual(log.events, ["open b"])
          })
        )
        assert.deepStrictEqual(log.events, ["open b", "close b"])
      })
  )
})
