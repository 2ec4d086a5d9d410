import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { Broken, flaw, sources, tag } from "./asking.ts"

/** Tools that say how many of them ran at once, and in which order they started. */
const busy = () => {
  let now = 0
  const seen = { most: 0, started: Array<string>() }
  const work = (name: string) =>
    Toolset.tool(name, {
      handler: () =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            seen.started.push(name)
            seen.most = Math.max(seen.most, ++now)
          }),
          () => Effect.as(Effect.sleep("1 second"), name),
          () => Effect.sync(() => now--)
        )
    })
  return { seen, work }
}

const callAll = <E>(session: Toolset.Session<E>, names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(
      Effect.forEach(names, (name) => session.call(name, {}), { concurrency: "unbounded" })
    )
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

const five = ["a", "b", "a", "b", "a"]

describe("concurrency", () => {
  for (const [name, source] of Object.entries(sources)) {
    it.effect(`bounds the calls of ${name}`, () =>
      Effect.gen(function* () {
        for (const limit of [1, 2, 3]) {
          const { seen, work } = busy()
          const tools = source(Toolset.combined(work("a"), work("b"))).pipe(Toolset.concurrency(limit))
          const results = yield* callAll(yield* Toolset.open(tools), five)
          assert.deepStrictEqual(results, five)
          assert.strictEqual(seen.most, limit)
        }
      })
    )
  }

  it.effect("lets them wait in the order in which they came", () =>
    Effect.gen(function* () {
      const { seen, work } = busy()
      const names = ["d", "a", "c", "b"]
      const tools = Toolset.combined(...names.map(work)).pipe(Toolset.concurrency(1))
      yield* callAll(yield* Toolset.open(tools), names)
      assert.deepStrictEqual(seen.started, names)
    })
  )

  it.effect("bounds the calls of a step of an agent, and keeps the order of the results", () =>
    Effect.gen(function* () {
      const { seen, work } = busy()
      const tools = Toolset.combined(work("a"), work("b")).pipe(Toolset.concurrency(2))
      const model = ScriptedModel.layer([
        ScriptedModel.calls(five.map((name) => ({ name, args: {} }))),
        ScriptedModel.text("done")
      ])
      const fiber = yield* Effect.forkChild(
        Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "go" }).pipe(Effect.provide(model))
      )
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber)).output, "done")
      assert.strictEqual(seen.most, 2)
    })
  )

  it.effect("shares a semaphore between toolsets and runs; a number is each opened toolset's own", () =>
    Effect.gen(function* () {
      const most = (a: number | Semaphore.Semaphore, b: number | Semaphore.Semaphore) =>
        Effect.gen(function* () {
          const { seen, work } = busy()
          const one = yield* Toolset.open(work("a").pipe(Toolset.concurrency(a)))
          const other = yield* Toolset.open(work("b").pipe(Toolset.concurrency(b)))
          const both = Effect.all([one.call("a", {}), other.call("b", {}), one.call("a", {})], {
            concurrency: "unbounded"
          })
          const fiber = yield* Effect.forkChild(both)
          yield* TestClock.adjust("1 minute")
          yield* Fiber.join(fiber)
          return seen.most
        })
      const oneAtATime = Semaphore.makeUnsafe(1)
      assert.strictEqual(yield* most(oneAtATime, oneAtATime), 1)
      assert.strictEqual(yield* most(1, 1), 2)
    })
  )

  it.effect(
    "delays what shares the limit, and nobody else; with a timeout inside the rest goes on (F24)",
    () =>
      Effect.gen(function* () {
        const oneAtATime = Semaphore.makeUnsafe(1)
        const stalled = Toolset.tool("stalled", { handler: () => Effect.never }).pipe(
          Toolset.timeout("10 seconds"),
          Toolset.concurrency(oneAtATime)
        )
        const quick = (name: string) => Toolset.tool(name, { handler: () => Effect.succeed(name) })
        const tools = Toolset.combined(
          stalled,
          quick("waits").pipe(Toolset.concurrency(oneAtATime)),
          quick("free")
        )
        const session = yield* Toolset.open(tools)
        const first = yield* Effect.forkChild(tag(session.call("stalled", {})))
        yield* TestClock.adjust("1 second")
        const second = yield* Effect.forkChild(session.call("waits", {}))
        assert.strictEqual(yield* session.call("free", {}), "free")
        yield* TestClock.adjust("1 second")
        assert.isUndefined(second.pollUnsafe())
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* Fiber.join(first), "ModelRetry")
        assert.strictEqual(yield* Fiber.join(second), "waits")
      })
  )

  it.effect("gives its place back on failure and interruption", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const tools = Toolset.combined(
        Toolset.tool("fails", { handler: () => Effect.fail(new Broken({ who: "a" })) }),
        Toolset.tool("dies", { handler: () => Effect.die("no") }),
        Toolset.tool("waits", { handler: () => Deferred.await(gate) }),
        Toolset.tool("ok", { handler: () => Effect.succeed("ok") })
      ).pipe(Toolset.concurrency(1))
      const session = yield* Toolset.open(tools)
      assert.strictEqual(yield* tag(session.call("fails", {})), "Broken")
      yield* Effect.exit(session.call("dies", {}))
      const fiber = yield* Effect.forkChild(session.call("waits", {}))
      const waiting = yield* Effect.forkChild(session.call("waits", {}))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* session.call("ok", {}), "ok")
    })
  )

  it.effect("of no call at once is a definition error", () =>
    Effect.gen(function* () {
      const { work } = busy()
      for (const limit of [0, -1, 1.5, NaN, Infinity]) {
        assert.deepStrictEqual(yield* flaw(Toolset.list(Toolset.concurrency(work("a"), limit))), [
          "concurrency(tool(a))",
          `The number of calls at once is ${limit}.`
        ])
      }
    })
  )
})
