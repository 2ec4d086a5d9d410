import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { Agent, RunContext, ToolNotFound, Toolset, ToolsetDefinitionError } from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { inStep, logged, namesOf, textsOf } from "./resources.ts"

const tool = (name: string) => Toolset.tool(name, { handler: () => Effect.succeed(name) })

/** Chooses at step 1 the first, at step 2 the second, … */
const inTurn = <E, R>(...choices: ReadonlyArray<Toolset.Toolset<E, R> | undefined>) =>
  Toolset.dynamic(Effect.map(RunContext, ({ step }) => choices[step - 1]))

/** Lists one step after the other: the names of each. */
const steps = <E>(session: Toolset.Session<E>, ...numbers: ReadonlyArray<number>) =>
  Effect.forEach(numbers, (step) => namesOf(session).pipe(inStep(step)))

describe("dynamic", () => {
  it.effect("P140: a new choice opens before the old one closes; what is left closes with the run", () =>
    Effect.gen(function* () {
      const log = logged()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* Toolset.open(inTurn(log.leaf("a"), log.leaf("b"), log.leaf("c")))
          assert.deepStrictEqual(yield* steps(session, 1, 2, 3), [["a"], ["b"], ["c"]])
          assert.deepStrictEqual(yield* log.recent, ["open a", "open b", "close a", "open c", "close b"])
        })
      )
      assert.deepStrictEqual(log.events, ["close c"])
    })
  )

  it.effect("P141: the same value chosen again stays open", () =>
    Effect.gen(function* () {
      const log = logged()
      const session = yield* Toolset.open(Toolset.dynamic(Effect.succeed(log.leaf("a"))))
      yield* steps(session, 1, 2, 3)
      assert.deepStrictEqual(log.events, ["open a"])
    })
  )

  for (const [rebuild, times] of [
    ["run", 1],
    ["step", 3]
  ] as const) {
    it.effect(`P143: rebuilt per ${rebuild} it chooses ${times} times in 3 steps`, () =>
      Effect.gen(function* () {
        const log = logged()
        let choices = 0
        const choose = Effect.sync(() => (choices++, log.leaf("a")))
        const agent = Agent.make({ toolsets: [tool("go"), Toolset.dynamic(choose, { rebuild })] })
        yield* Agent.run(agent, { prompt: "Go." })
        assert.strictEqual(choices, times)
        assert.strictEqual(log.events.filter((event) => event === "open a").length, times)
        assert.deepStrictEqual(log.open, new Set())
        yield* Agent.run(agent, { prompt: "Go." }).pipe(
          Effect.provide(ScriptedModel.layer([ScriptedModel.text("Done.")]))
        )
        assert.strictEqual(choices, times + 1)
      }).pipe(
        Effect.provide(
          ScriptedModel.layer([
            ScriptedModel.calls({ go: {} }),
            ScriptedModel.calls({ a: {} }),
            ScriptedModel.text("Done.")
          ])
        )
      )
    )
  }

  it.effect("none closes what was there; alternating opens again", () =>
    Effect.gen(function* () {
      const log = logged()
      const a = log.leaf("a")
      const session = yield* Toolset.open(inTurn(undefined, a, undefined, a, a))
      assert.deepStrictEqual(yield* steps(session, 1, 2, 3, 4, 5), [[], ["a"], [], ["a"], ["a"]])
      assert.deepStrictEqual(log.events, ["open a", "close a", "open a"])
      assert.instanceOf(yield* Effect.flip(session.call("a", {}).pipe(inStep(9))), ToolNotFound)
      assert.deepStrictEqual(log.open, new Set())
    })
  )

  it.effect("what the old and the new choice both hold is handed over, however it is wrapped", () =>
    Effect.gen(function* () {
      const log = logged()
      const [a, b, c] = [log.leaf("a"), log.leaf("b"), log.leaf("c")]
      const wrapped = Toolset.combined(b.pipe(Toolset.prefixed("x")), c)
      const session = yield* Toolset.open(inTurn(Toolset.combined(a, b), wrapped, b, Toolset.combined(c, b)))
      assert.deepStrictEqual(yield* steps(session, 1, 2, 3, 4), [["a", "b"], ["x_b", "c"], ["b"], ["c", "b"]])
      assert.deepStrictEqual(log.events, ["open a", "open b", "open c", "close a", "close c", "open c"])
    })
  )

  it.effect("what is chosen deeper inside the new choice is handed over, too", () =>
    Effect.gen(function* () {
      const log = logged()
      const a = log.leaf("a")
      const session = yield* Toolset.open(inTurn(a, inTurn(a, a, a), a))
      assert.deepStrictEqual(yield* steps(session, 1, 2, 3), [["a"], ["a"], ["a"]])
      assert.deepStrictEqual(log.events, ["open a"])
    })
  )

  it.effect("nests to any depth: each level chooses anew at each step", () =>
    Effect.gen(function* () {
      const log = logged()
      const [a, b] = [log.leaf("a"), log.leaf("b")]
      const third = inTurn(a, b, b, a, a)
      const second = inTurn(third, third, third, third, b)
      const first = inTurn(second, second, second, undefined, second)
      const session = yield* Toolset.open(Toolset.combined(first.pipe(Toolset.prefixed("x")), tool("z")))
      const names = [["x_a", "z"], ["x_b", "z"], ["x_b", "z"], ["z"], ["x_b", "z"]]
      assert.deepStrictEqual(yield* steps(session, 1, 2, 3, 4, 5), names)
      assert.deepStrictEqual(log.events, ["open a", "open b", "close a", "close b", "open b"])
      assert.strictEqual(yield* session.call("x_b", {}).pipe(inStep(5)), "b")
    })
  )

  it.effect(
    "what choosing acquires is released with the choice, or at once where that was open already",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const [a, b] = [log.leaf("a"), log.leaf("b")]
        const choose = Effect.flatMap(RunContext, ({ step }) =>
          Effect.as(log.resource(`choice ${step}`), step < 3 ? a : b)
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            const session = yield* Toolset.open(Toolset.dynamic(choose))
            yield* steps(session, 1)
            assert.deepStrictEqual(yield* log.recent, ["open choice 1", "open a"])
            yield* steps(session, 2)
            assert.deepStrictEqual(yield* log.recent, ["open choice 2", "close choice 2"])
            yield* steps(session, 3)
            assert.deepStrictEqual(yield* log.recent, [
              "open choice 3",
              "open b",
              "close a",
              "close choice 1"
            ])
          })
        )
        assert.deepStrictEqual(log.events, ["close b", "close choice 3"])
      })
  )

  it.effect("one that contains itself is an error, at whatever depth", () =>
    Effect.gen(function* () {
      const log = logged()
      const direct: Toolset.Toolset = Toolset.dynamic(Effect.sync((): Toolset.Toolset => direct))
      const wrapped: Toolset.Toolset = Toolset.dynamic(
        Effect.sync((): Toolset.Toolset =>
          Toolset.combined(log.leaf("a"), wrapped.pipe(Toolset.prefixed("x")))
        )
      )
      const nested: Toolset.Toolset = Toolset.dynamic(Effect.sync((): Toolset.Toolset => inTurn(nested)))
      for (const itself of [direct, wrapped, nested, wrapped.pipe(Toolset.mapLeaves((leaf) => leaf))]) {
        const error = yield* Effect.flip(Toolset.list(itself))
        assert.instanceOf(error, ToolsetDefinitionError)
        assert.include(error.message, "contains itself")
      }
      assert.deepStrictEqual(log.open, new Set())
      // Twice beside itself is not inside itself.
      const beside = inTurn(tool("a"))
      const twice = Toolset.combined(beside, beside.pipe(Toolset.prefixed("x")))
      assert.strictEqual((yield* Toolset.list(twice)).length, 2)
    })
  )

  it.effect("chooses once per step for its tools, its instructions and its calls, in several places", () =>
    Effect.gen(function* () {
      let choices = 0
      const choose = Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => tool("a").pipe(Toolset.withInstructions(`Choice ${++choices}.`)))
      )
      const dynamic = Toolset.dynamic(choose)
      const session = yield* Toolset.open(Toolset.combined(dynamic.pipe(Toolset.prefixed("x")), dynamic))
      for (const step of [1, 2]) {
        yield* Effect.gen(function* () {
          yield* Effect.all([textsOf(session), session.tools], { concurrency: "unbounded" })
          yield* session.call("x_a", {})
          assert.deepStrictEqual(yield* textsOf(session), [`Choice ${step}.`, `Choice ${step}.`])
        }).pipe(inStep(step))
        assert.strictEqual(choices, step)
      }
    })
  )

  it.effect("P146: a tool toggles what is offered from the next request on, also in the next run", () =>
    Effect.gen(function* () {
      const isWeather = yield* Ref.make(true)
      const weather = Toolset.combined(
        tool("temperature_celsius"),
        tool("temperature_fahrenheit"),
        tool("conditions")
      )
      const toggle = Toolset.tool("toggle", { handler: () => Ref.update(isWeather, (is) => !is) })
      const choice = Effect.map(Ref.get(isWeather), (is) => (is ? weather : tool("now")))
      const agent = Agent.make({ toolsets: [toggle, Toolset.dynamic(choice)] })
      yield* Agent.run(agent, { prompt: "Toggle." })
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["toggle", "now"])
      yield* Agent.run(agent, { prompt: "Toggle." })
      const offered = ["toggle", "temperature_celsius", "temperature_fahrenheit", "conditions"]
      assert.deepStrictEqual(yield* TestModel.lastToolNames, offered)
    }).pipe(Effect.provide(TestModel.layer({ callTools: ["toggle"] })))
  )

  it.effect(
    "P149: a tool adds another to its own toolset: offered, and callable, from the next step on",
    () =>
      Effect.gen(function* () {
        const learnt = yield* Ref.make(Toolset.empty)
        const learn = Toolset.tool("learn", {
          handler: () => Ref.update(learnt, (known) => Toolset.combined(known, tool("learnt")))
        })
        const own = Toolset.dynamic(Effect.map(Ref.get(learnt), (known) => Toolset.combined(learn, known)))
        yield* Agent.run(Agent.make({ toolsets: [own] }), { prompt: "Learn." })
        const offered = (yield* ScriptedModel.requests).map(({ tools }) => tools.map(({ name }) => name))
        assert.deepStrictEqual(offered, [["learn"], ["learn", "learnt"], ["learn", "learnt"]])
      }).pipe(
        Effect.provide(
          ScriptedModel.layer([
            ScriptedModel.calls({ learn: {} }),
            ScriptedModel.calls({ learnt: {} }),
            ScriptedModel.text("Done.")
          ])
        )
      )
  )
})
