import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Schema } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answering, flaw } from "./asking.ts"
import { inStep, logged, namesOf } from "./resources.ts"

class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}

const calling = (...names: ReadonlyArray<string>) =>
  ScriptedModel.layer([
    ...names.map((name) => ScriptedModel.calls({ [name]: {} })),
    ScriptedModel.text("Done.")
  ])

describe("opening", () => {
  it.effect("P137: opens in the order of the tree and releases in reverse, each exactly once", () =>
    Effect.gen(function* () {
      const log = logged()
      const agent = Agent.make({ toolsets: [log.leaf("a"), Toolset.combined(log.leaf("b"), log.leaf("c"))] })
      yield* Agent.run(agent, { prompt: "Go.", toolsets: [log.leaf("d")] })
      const opened = ["open a", "open b", "open c", "open d"]
      assert.deepStrictEqual(log.events, [...opened, "close d", "close c", "close b", "close a"])
    }).pipe(Effect.provide(calling()))
  )

  const endings = {
    "a typed failure": Effect.fail(new Broken()),
    "a defect": Effect.die("defect"),
    "an interruption from inside": Effect.interrupt
  }
  for (const [what, how] of Object.entries(endings)) {
    it.effect(`P137: releases all in reverse when a call ends the run with ${what}`, () =>
      Effect.gen(function* () {
        const log = logged()
        const agent = Agent.make({ toolsets: [log.leaf("a"), log.leaf("b", { during: how }), log.leaf("c")] })
        const exit = yield* Effect.exit(Agent.run(agent, { prompt: "Go." }))
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(log.events.slice(-4), ["use b", "close c", "close b", "close a"])
        assert.deepStrictEqual(log.flaws, [])
      }).pipe(Effect.provide(calling("b")))
    )
  }

  it.effect(
    "P136: releases the earlier ones in reverse and touches no later one where the Nth cannot be opened",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const bad = log.leaf("c", { first: Effect.andThen(log.say("try c"), Effect.fail(new Broken())) })
        const all = Toolset.combined(log.leaf("a"), log.leaf("b"), bad, log.leaf("d"))
        assert.instanceOf(yield* Effect.flip(Effect.scoped(Toolset.open(all))), Broken)
        assert.deepStrictEqual(yield* log.recent, ["open a", "open b", "try c", "close b", "close a"])
        const agent = Agent.make({ toolsets: [all] })
        assert.instanceOf(yield* Effect.flip(Agent.run(agent, { prompt: "Go." })), Broken)
        assert.deepStrictEqual(log.events, ["open a", "open b", "try c", "close b", "close a"])
      }).pipe(Effect.provide(calling()))
  )

  it.effect("leaves nothing open where opening fails, also while the scope around it stays open", () =>
    Effect.gen(function* () {
      const log = logged()
      for (const how of [Effect.fail(new Broken()), Effect.die("defect"), Effect.interrupt]) {
        // What it acquired itself before it failed is released too.
        const bad = Toolset.unwrap(Effect.andThen(log.resource("b"), how))
        yield* Effect.exit(Toolset.open(Toolset.combined(log.leaf("a"), bad)))
        assert.deepStrictEqual(yield* log.recent, ["open a", "open b", "close b", "close a"])
      }
    })
  )

  it.effect("leaves nothing open where it is interrupted while the Nth opens", () =>
    Effect.gen(function* () {
      const log = logged()
      const slow = Toolset.unwrap(Effect.andThen(log.resource("b"), Effect.never))
      const opening = Toolset.open(Toolset.combined(log.leaf("a"), slow, log.leaf("c")))
      const fiber = yield* Effect.forkChild(opening, { startImmediately: true })
      assert.deepStrictEqual(yield* log.recent, ["open a", "open b"])
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log.events, ["close b", "close a"])
    })
  )

  it.effect("opens a value once, wherever it occurs: bare, wrapped, combined and chosen", () =>
    Effect.gen(function* () {
      const log = logged()
      const a = log.leaf("a")
      const tree = Toolset.combined(
        a.pipe(Toolset.prefixed("x")),
        Toolset.combined(a.pipe(Toolset.prefixed("y")), log.leaf("b")),
        Toolset.dynamic(Effect.succeed(a.pipe(Toolset.prefixed("z")))),
        Toolset.dynamic(Effect.succeed(Toolset.combined(a.pipe(Toolset.renamed({ w: "a" })), log.leaf("c"))))
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* Toolset.open(tree)
          assert.deepStrictEqual(yield* log.recent, ["open a", "open b"])
          const names = yield* namesOf(session).pipe(inStep(1))
          assert.deepStrictEqual(names, ["x_a", "y_a", "b", "z_a", "w", "c"])
          yield* Effect.forEach(["x_a", "z_a", "w"], (name) => session.call(name, {}))
          assert.deepStrictEqual(
            (yield* log.recent).filter((event) => !event.startsWith("use")),
            ["open c"]
          )
        })
      )
      assert.deepStrictEqual(log.events, ["close c", "close b", "close a"])
      assert.deepStrictEqual(log.flaws, [])
    })
  )

  it.effect("opens two values that look the same twice", () =>
    Effect.gen(function* () {
      const log = logged()
      const made = () => Toolset.unwrap(Effect.as(log.say("open"), Toolset.empty))
      yield* Effect.scoped(Toolset.open(Toolset.combined(made(), made())))
      assert.deepStrictEqual(log.events, ["open", "open"])
    })
  )

  it.effect(
    "opens what is chosen when it is chosen, and releases it at the end before what was there before it",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const [b, c] = [log.leaf("b"), log.leaf("c")]
        let choice = b
        const next = Toolset.tool("next", { handler: () => Effect.sync(() => void (choice = c)) })
        const toolsets = [log.leaf("a"), next, Toolset.dynamic(Effect.sync(() => choice)), log.leaf("d")]
        yield* Agent.run(Agent.make({ toolsets }), { prompt: "Go." })
        const whileRunning = ["open a", "open d", "open b", "open c", "close b"]
        assert.deepStrictEqual(log.events, [...whileRunning, "close c", "close d", "close a"])
      }).pipe(Effect.provide(calling("next")))
  )

  it.effect("attempts an opening that fails once, while somebody holds it", () =>
    Effect.gen(function* () {
      let attempts = 0
      const bad = Toolset.unwrap(Effect.suspend(() => (attempts++, Effect.fail(new Broken()))))
      const good = Toolset.tool("good", { handler: () => Effect.succeed(1) })
      const calm = Toolset.onError("recover")
      const tree = Toolset.combined(
        bad.pipe(calm, Toolset.prefixed("x")),
        good,
        bad.pipe(calm, Toolset.prefixed("y")),
        Toolset.dynamic(Effect.succeed(bad)).pipe(calm)
      )
      const session = yield* Toolset.open(tree)
      assert.deepStrictEqual(yield* namesOf(session).pipe(inStep(1)), ["good"])
      assert.strictEqual(attempts, 1)
    })
  )

  it.effect("attempts it again when nobody has held it in between", () =>
    Effect.gen(function* () {
      let attempts = 0
      const flaky = Toolset.unwrap(
        Effect.suspend(() => (attempts++ === 0 ? Effect.fail(new Broken()) : Effect.succeed(Toolset.empty)))
      )
      const session = yield* Toolset.open(Toolset.dynamic(Effect.succeed(flaky)))
      assert.instanceOf(yield* Effect.flip(namesOf(session).pipe(inStep(1))), Broken)
      yield* namesOf(session).pipe(inStep(2))
      assert.strictEqual(attempts, 2)
    })
  )

  it.effect("releases the others where one release dies, and says so", () =>
    Effect.gen(function* () {
      const log = logged()
      const bad = Toolset.unwrap(
        Effect.as(
          Effect.addFinalizer(() => Effect.die("stuck")),
          Toolset.empty
        )
      )
      const exit = yield* Effect.exit(
        Effect.scoped(Toolset.open(Toolset.combined(log.leaf("a"), bad, log.leaf("b"))))
      )
      assert.deepStrictEqual(log.events, ["open a", "open b", "close b", "close a"])
      assert.isTrue(Exit.hasDies(exit))
    })
  )

  it.effect("tells what it releases how the run ended", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const told = Toolset.unwrap(
        Effect.as(
          Effect.addFinalizer((exit) =>
            Effect.sync(() => void seen.push(Exit.isSuccess(exit) ? "success" : "failure"))
          ),
          Toolset.empty
        )
      )
      yield* Effect.scoped(Toolset.open(told))
      yield* Effect.exit(Effect.scoped(Effect.andThen(Toolset.open(told), Effect.fail(new Broken()))))
      assert.deepStrictEqual(seen, ["success", "failure"])
    })
  )

  it.effect("P138, P139: concurrent runs share nothing, and each releases what it opened", () =>
    Effect.gen(function* () {
      const log = logged()
      let opened = 0
      const counting = Toolset.unwrap(
        Effect.gen(function* () {
          const number = ++opened
          yield* Effect.acquireRelease(log.say(`open ${number}`), () => log.say(`close ${number}`))
          let count = 0
          return Toolset.tool("count", {
            handler: () =>
              Effect.andThen(
                Effect.yieldNow,
                Effect.sync(() => ++count)
              )
          })
        })
      )
      // The same value belongs to the agent and to the run: it is one.
      const agent = Agent.make({ toolsets: [counting.pipe(Toolset.prefixed("agent"))] })
      const run = Agent.run(agent, {
        prompt: "Go.",
        toolsets: [counting.pipe(Toolset.prefixed("run"))]
      }).pipe(Effect.provide(calling("agent_count", "run_count")))
      const results = yield* Effect.all([run, run], { concurrency: "unbounded" })
      for (const { messages } of results) {
        const counts = messages.content.flatMap((message) =>
          message.role === "tool"
            ? message.content.map((part) => part.type === "tool-result" && part.result)
            : []
        )
        assert.deepStrictEqual(counts, [1, 2])
      }
      assert.sameMembers(log.events, ["open 1", "open 2", "close 1", "close 2"])
    })
  )

  it.effect("what is no toolset says so, wherever it was given", () =>
    Effect.gen(function* () {
      const ping = answering("ping")
      const none = (value: unknown) => value as Toolset.Toolset
      const given: ReadonlyArray<readonly [string, Toolset.Toolset]> = [
        ["an Effect of one", none(Effect.succeed(ping))],
        ["a list", Toolset.unwrap(Effect.succeed(none([ping])))],
        ["a number", Toolset.dynamic(Effect.succeed(none(42)))],
        ["one of several", Toolset.combined(ping, none({ label: "toolset" }))],
        ["in an operator", Toolset.prefixed(none([ping]), "x")]
      ]
      for (const [what, toolset] of given) {
        const { hint, problem } = yield* flaw(Toolset.list(toolset))
        assert.strictEqual(problem, "This is no toolset.", what)
        assert.strictEqual(
          hint,
          "Several are one with Toolset.combined; an Effect of one is one with Toolset.unwrap."
        )
      }
    })
  )
})
