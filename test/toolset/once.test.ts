import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber } from "effect"
import { once } from "effect-toolset/toolset/once"
import { ending, others, stepwise } from "./resources.ts"

/** Work that says when it runs, and how often it ran and was interrupted; never twice at the same time. */
const working = <A, E, R>(work: Effect.Effect<A, E, R>) => {
  const seen = { started: 0, interrupted: 0, running: 0, most: 0 }
  const effect = Effect.acquireUseRelease(
    Effect.sync(() => {
      seen.started++
      seen.most = Math.max(seen.most, ++seen.running)
    }),
    () => work,
    // Cleaning up takes a while too.
    (_, exit) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => {
          seen.running--
          if (Exit.hasInterrupts(exit)) seen.interrupted++
        })
      )
  )
  return { seen, ask: once(effect) }
}

const slow = Effect.as(Effect.repeat(Effect.yieldNow, { times: 3 }), "answer")

describe("once", () => {
  it.effect("runs once for all who ask, at the same time and later", () =>
    Effect.gen(function* () {
      const { ask, seen } = working(slow)
      const together = yield* Effect.all([ask, ask, ask], { concurrency: "unbounded" })
      assert.deepStrictEqual([...together, yield* ask], ["answer", "answer", "answer", "answer"])
      assert.strictEqual(seen.started, 1)
    })
  )

  const failures = { failure: Effect.fail("no"), defect: Effect.die("broken") }
  for (const [what, how] of Object.entries(failures)) {
    it.effect(`remembers a ${what}, with its whole cause`, () =>
      Effect.gen(function* () {
        const { ask, seen } = working(Effect.andThen(Effect.yieldNow, how))
        const exits = yield* Effect.all([Effect.exit(ask), Effect.exit(ask)], { concurrency: "unbounded" })
        const alone = yield* Effect.exit(how)
        assert.deepStrictEqual([...exits, yield* Effect.exit(ask)], [alone, alone, alone])
        assert.strictEqual(seen.started, 1)
      })
    )
  }

  it.effect("answers the second when the first is interrupted, who is interrupted alone", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<string>()
      const { ask, seen } = working(Deferred.await(gate))
      const first = yield* Effect.forkChild(ask, { startImmediately: true })
      const second = yield* Effect.forkChild(ask, { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, "answer")
      assert.deepStrictEqual(yield* ending(second), Exit.succeed("answer"))
      assert.isTrue(Exit.hasInterrupts((yield* ending(first))!))
      assert.deepInclude(seen, { started: 2, interrupted: 1, most: 1 })
    })
  )

  it.effect("goes on for the first when one who waits is interrupted", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<string>()
      const { ask, seen } = working(Deferred.await(gate))
      const first = yield* Effect.forkChild(ask, { startImmediately: true })
      const second = yield* Effect.forkChild(ask, { startImmediately: true })
      yield* Fiber.interrupt(second)
      yield* Deferred.succeed(gate, "answer")
      assert.deepStrictEqual(yield* ending(first), Exit.succeed("answer"))
      assert.deepInclude(seen, { started: 1, interrupted: 0 })
    })
  )

  it.effect("is handed from one to the next when all but the last are interrupted one after the other", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<string>()
      const { ask, seen } = working(Deferred.await(gate))
      const fibers = yield* Effect.forEach(Array.from({ length: 5 }), () =>
        Effect.forkChild(ask, { startImmediately: true })
      )
      const ends: Array<Exit.Exit<string> | undefined> = []
      for (const fiber of fibers.slice(0, -1)) {
        fiber.interruptUnsafe()
        ends.push(yield* ending(fiber))
      }
      yield* Deferred.succeed(gate, "answer")
      // Who took over can be interrupted as well as who ran it first.
      for (const end of ends) assert.isTrue(end !== undefined && Exit.hasInterrupts(end))
      assert.deepStrictEqual(yield* ending(fibers.at(-1)!), Exit.succeed("answer"))
      assert.strictEqual(seen.most, 1)
    })
  )

  it.effect("runs again for whoever asks after all were interrupted", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<string>()
      const { ask, seen } = working(Deferred.await(gate))
      const fibers = yield* Effect.all([Effect.forkChild(ask), Effect.forkChild(ask)])
      yield* others
      yield* Fiber.interruptAll(fibers)
      yield* Deferred.succeed(gate, "answer")
      assert.strictEqual(yield* ask, "answer")
      assert.strictEqual(seen.running, 0)
    })
  )

  it.effect("interrupts each with itself where the effect interrupts itself", () =>
    Effect.gen(function* () {
      const { ask } = working(Effect.andThen(Effect.yieldNow, Effect.interrupt))
      const fibers = yield* Effect.all([Effect.forkChild(ask), Effect.forkChild(ask), Effect.forkChild(ask)])
      for (const fiber of fibers) assert.isTrue(Exit.hasInterrupts((yield* ending(fiber))!))
    })
  )

  it.effect("runs in the environment of the one who runs it", () =>
    Effect.gen(function* () {
      class Who extends Context.Service<Who, string>()("test/Who") {}
      const gate = yield* Deferred.make<void>()
      const ask = once(
        Effect.andThen(
          Deferred.await(gate),
          Effect.map(Who, (who) => who)
        )
      )
      const as = (who: string) =>
        Effect.forkChild(Effect.provideService(ask, Who, who), { startImmediately: true })
      const [first, second] = [yield* as("first"), yield* as("second")]
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(second), "second")
    })
  )

  it.effect("never leaves one who waits hanging, wherever who runs it is interrupted", () =>
    Effect.gen(function* () {
      let untouched = 0
      for (let moment = 0; untouched < 3; moment++) {
        const { ask, seen } = working(slow)
        const fork = Effect.forkChild(stepwise(ask))
        const [first, second, third] = [yield* fork, yield* fork, yield* fork]
        yield* Effect.repeat(Effect.yieldNow, { times: moment })
        if (first.pollUnsafe() !== undefined) untouched++
        first.interruptUnsafe()
        assert.deepStrictEqual(yield* ending(second), Exit.succeed("answer"), `interrupted at ${moment}`)
        assert.deepStrictEqual(yield* ending(third), Exit.succeed("answer"), `interrupted at ${moment}`)
        assert.isDefined(yield* ending(first))
        assert.strictEqual(seen.most, 1)
        assert.isAtMost(seen.started, 2)
      }
    })
  )

  it.effect("never leaves the last one hanging, wherever two others are interrupted, in any order", () =>
    Effect.gen(function* () {
      for (let moment = 0; moment < 60; moment += 2) {
        for (let later = 0; later < 40; later += 2) {
          const { ask, seen } = working(slow)
          const fork = Effect.forkChild(stepwise(ask))
          const fibers = [yield* fork, yield* fork, yield* fork] as const
          const [one, other] = (moment + later) % 4 === 0 ? ([0, 1] as const) : ([1, 0] as const)
          yield* Effect.repeat(Effect.yieldNow, { times: moment })
          fibers[one].interruptUnsafe()
          yield* Effect.repeat(Effect.yieldNow, { times: later })
          fibers[other].interruptUnsafe()
          const at = `${one} interrupted at ${moment}, ${other} ${later} later`
          assert.deepStrictEqual(yield* ending(fibers[2]), Exit.succeed("answer"), at)
          assert.strictEqual(seen.most, 1, at)
        }
      }
    })
  )
})
