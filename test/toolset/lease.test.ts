import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Latch, Scope } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import { outsideOfRuns } from "effect-toolset/RunContext"
import { makeSteps } from "effect-toolset/toolset/lease"
import { ending, inStep, logged, namesOf, others } from "./resources.ts"

/** A lease on a scope, how often that has closed, and the steps around it. */
const leased = Effect.map(Scope.make(), (scope) => {
  const seen = { closed: 0 }
  const steps = makeSteps()
  const count = Scope.addFinalizer(
    scope,
    Effect.sync(() => seen.closed++)
  )
  return Effect.as(count, { seen, ...steps, ...steps.lease(scope) })
}).pipe(Effect.flatten)

const stepOf = (step: number) => ({ ...outsideOfRuns(), step })

describe("lease", () => {
  it.effect("closes when it is let go, if no step is under way that uses it, and once", () =>
    Effect.gen(function* () {
      const { during, isClosed, letGo, seen, usedBy } = yield* leased
      const [one, two] = [stepOf(1), stepOf(2)]
      usedBy(one)
      assert.isFalse(isClosed())
      assert.strictEqual(yield* during(one)(Effect.sync(() => seen.closed)), 0)
      assert.strictEqual(seen.closed, 0)
      // The other step does not use it.
      yield* during(two)(letGo)
      assert.isTrue(isClosed())
      assert.strictEqual(seen.closed, 1)
      yield* letGo
      yield* during(one)(Effect.void)
      assert.strictEqual(seen.closed, 1)
    })
  )

  it.effect("stays open for the steps that use it, until the last of them ends", () =>
    Effect.gen(function* () {
      const { during, letGo, seen, usedBy } = yield* leased
      const one = stepOf(1)
      usedBy(one)
      const [first, second] = [yield* Latch.make(), yield* Latch.make()]
      const fibers = yield* Effect.forEach([first, second], (latch) =>
        Effect.forkChild(during(one)(latch.await), { startImmediately: true })
      )
      yield* letGo
      yield* first.open
      yield* Fiber.join(fibers[0]!)
      assert.strictEqual(seen.closed, 0)
      yield* second.open
      yield* Fiber.join(fibers[1]!)
      assert.strictEqual(seen.closed, 1)
    })
  )

  it.effect("ends a use however that ends", () =>
    Effect.gen(function* () {
      for (const how of [Effect.fail("no"), Effect.die("no"), Effect.interrupt]) {
        const { during, letGo, seen, usedBy } = yield* leased
        const one = stepOf(1)
        usedBy(one)
        const latch = yield* Latch.make()
        const fiber = yield* Effect.forkChild(during(one)(Effect.andThen(latch.await, how)), {
          startImmediately: true
        })
        yield* letGo
        assert.strictEqual(seen.closed, 0)
        yield* latch.open
        yield* Fiber.await(fiber)
        assert.strictEqual(seen.closed, 1)
      }
    })
  )
})

describe("calls over one session, while what is chosen changes", () => {
  /** Chooses `a` at step 1 and nothing later. */
  const choosing = <E, R>(a: Toolset.Toolset<E, R>) =>
    Toolset.dynamic(Effect.map(RunContext, ({ step }) => (step === 1 ? a : undefined)))

  /** Calls `a` at step 1; in the midst of the call, at the latch, step 2 is listed and chooses nothing. */
  const changedDuring = <E>(self: Toolset.Toolset<E>, reached: Latch.Latch, goOn: Latch.Latch) =>
    Effect.gen(function* () {
      const session = yield* Toolset.open(self)
      const calling = yield* Effect.forkChild(session.call("a", {}).pipe(inStep(1)))
      yield* reached.await
      assert.deepStrictEqual(yield* namesOf(session).pipe(inStep(2)), [])
      yield* goOn.open
      return yield* ending(calling)
    })

  type Make = (
    wait: Effect.Effect<void>,
    leaf: (during?: Effect.Effect<void>) => Toolset.Toolset
  ) => Toolset.Toolset
  const waiting = (wait: Effect.Effect<void>) =>
    Toolset.wrapper((call, next) => Effect.andThen(wait, next(call)))
  const places: Record<string, Make> = {
    "in its handler": (wait, leaf) => choosing(leaf(wait)),
    "in a wrapper inside what is chosen": (wait, leaf) => choosing(leaf().pipe(waiting(wait))),
    "in a wrapper around the choice": (wait, leaf) => choosing(leaf()).pipe(waiting(wait)),
    "in a gate around the choice": (wait, leaf) =>
      choosing(leaf()).pipe(Toolset.approvalRequired(() => Effect.as(wait, false))),
    "while the list around the choice is made": (wait, leaf) =>
      choosing(leaf()).pipe(Toolset.filtered((_, { step }) => (step === 1 ? Effect.as(wait, true) : true)))
  }
  for (const [place, make] of Object.entries(places)) {
    it.effect(`never use what has been closed: something else is chosen ${place}`, () =>
      Effect.gen(function* () {
        const log = logged()
        const [reached, goOn] = [yield* Latch.make(), yield* Latch.make()]
        const tree = make(Effect.andThen(reached.open, goOn.await), (during = Effect.void) =>
          log.leaf("a", { during })
        )
        assert.deepStrictEqual(yield* changedDuring(tree, reached, goOn), Exit.succeed("a"))
        assert.deepStrictEqual(log.flaws, [])
        assert.deepStrictEqual(log.events, ["open a", "use a", "use a", "close a"])
      })
    )
  }

  it.effect("never use what has been closed: something else is chosen in its validator", () =>
    Effect.gen(function* () {
      const log = logged()
      const [reached, goOn] = [yield* Latch.make(), yield* Latch.make()]
      const a = Toolset.unwrap(
        Effect.map(log.resource("a"), (resource) =>
          Toolset.tool("a", {
            validateArgs: () => Effect.andThen(reached.open, goOn.await),
            handler: () => log.use(resource)
          })
        )
      )
      assert.deepStrictEqual(yield* changedDuring(choosing(a), reached, goOn), Exit.succeed("a"))
      assert.deepStrictEqual(log.flaws, [])
    })
  )

  it.effect("never list what has been closed: something else is chosen while the choice is listed", () =>
    Effect.gen(function* () {
      const log = logged()
      const [reached, goOn] = [yield* Latch.make(), yield* Latch.make()]
      const a = Toolset.unwrap(
        Effect.map(log.resource("a"), (resource) =>
          Toolset.tool("a", { handler: () => Effect.succeed("a") }).pipe(
            Toolset.filtered(() =>
              Effect.as(Effect.andThen(Effect.andThen(reached.open, goOn.await), log.use(resource)), true)
            )
          )
        )
      )
      const session = yield* Toolset.open(choosing(a))
      const listing = yield* Effect.forkChild(namesOf(session).pipe(inStep(1)))
      yield* reached.await
      yield* namesOf(session).pipe(inStep(2))
      yield* goOn.open
      assert.deepStrictEqual(yield* ending(listing), Exit.succeed(["a"]))
      assert.deepStrictEqual(log.events, ["open a", "use a", "close a"])
      assert.deepStrictEqual(log.flaws, [])
    })
  )

  it.effect("share a choice that is rebuilt per run: many at once choose once, and open once", () =>
    Effect.gen(function* () {
      const log = logged()
      const gate = yield* Deferred.make<void>()
      const choose = Effect.andThen(log.say("choose"), Effect.as(Deferred.await(gate), log.leaf("a")))
      const session = yield* Toolset.open(Toolset.dynamic(choose, { rebuild: "run" }))
      const calls = yield* Effect.forEach([1, 2, 3], (step) =>
        Effect.forkChild(session.call("a", {}).pipe(inStep(step)))
      )
      yield* others
      yield* Deferred.succeed(gate, undefined)
      for (const call of calls) assert.deepStrictEqual(yield* ending(call), Exit.succeed("a"))
      assert.deepStrictEqual(log.events.slice(0, 2), ["choose", "open a"])
      assert.notIncludeMembers(log.events.slice(2), ["choose", "open a"])
    })
  )

  it.effect("choose for the next where the one who chose per run is interrupted", () =>
    Effect.gen(function* () {
      const log = logged()
      const gate = yield* Deferred.make<void>()
      const choose = Effect.as(Effect.andThen(log.resource("choice"), Deferred.await(gate)), log.leaf("a"))
      const session = yield* Toolset.open(Toolset.dynamic(choose, { rebuild: "run" }))
      const [first, second] = yield* Effect.forEach([1, 2], (step) =>
        Effect.forkChild(session.call("a", {}).pipe(inStep(step)), { startImmediately: true })
      )
      yield* Fiber.interrupt(first!)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* ending(second!), Exit.succeed("a"))
      assert.deepStrictEqual(log.events.slice(0, 4), ["open choice", "close choice", "open choice", "open a"])
    })
  )
})
