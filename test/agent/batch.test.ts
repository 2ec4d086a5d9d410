import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Schema } from "effect"
import { Agent, ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn } from "./answers.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

/** A model that calls these, in one response, and then is done. */
const callingAll = (...names: ReadonlyArray<string>) =>
  ScriptedModel.layer([calls(names.map((name) => ({ name, args: {}, id: `id of ${name}` }))), text("Done.")])

/** Tools that write down when they start and when they end, and give others their turn meanwhile. */
const stepping = (log: Array<string>) => (name: string, options?: { readonly sequential: boolean }) =>
  Toolset.tool(name, {
    ...options,
    handler: Effect.fnUntraced(function* () {
      log.push(`${name} starts`)
      yield* Effect.yieldNow
      yield* Effect.yieldNow
      log.push(`${name} ends`)
      return name
    })
  })

const run = (toolsets: ReadonlyArray<Toolset.Toolset>, options?: { readonly concurrency: number }) =>
  Agent.run(Agent.make({ toolsets }), { prompt, ...options })

describe("the calls of one response", () => {
  it.effect("run at the same time; results are in the order of the calls (P90)", () =>
    Effect.gen(function* () {
      const gates = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const order: Array<string> = []
      const waiting = (name: string, before: Effect.Effect<unknown>, after: Effect.Effect<unknown>) =>
        Toolset.tool(name, {
          handler: () =>
            before.pipe(
              Effect.andThen(Effect.sync(() => order.push(name))),
              Effect.andThen(after),
              Effect.as(`result of ${name}`)
            )
        })
      // Each waits for the one after it.
      const { messages } = yield* run([
        waiting("a", Deferred.await(gates[0]), Effect.void),
        waiting("b", Deferred.await(gates[1]), Deferred.succeed(gates[0], undefined)),
        waiting("c", Effect.void, Deferred.succeed(gates[1], undefined))
      ])
      assert.deepStrictEqual(order, ["c", "b", "a"])
      assert.deepStrictEqual(
        answersIn(messages).map(({ id, name, result }) => [id, name, result]),
        ["a", "b", "c"].map((name) => [`id of ${name}`, name, `result of ${name}`])
      )
    }).pipe(Effect.provide(callingAll("a", "b", "c")))
  )

  it.effect("may be of one tool", () =>
    Effect.gen(function* () {
      const double = Toolset.tool("double", {
        parameters: Schema.Struct({ n: Schema.Int }),
        handler: ({ n }) => Effect.succeed(n * 2)
      })
      const { messages, usage } = yield* run([double])
      assert.deepStrictEqual(
        answersIn(messages).map(({ id, result }) => [id, result]),
        [
          ["first", 2],
          ["second", 4]
        ]
      )
      assert.strictEqual(usage.toolCalls, 2)
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls([
            { name: "double", args: { n: 1 }, id: "first" },
            { name: "double", args: { n: 2 }, id: "second" }
          ]),
          text("Done.")
        ])
      )
    )
  )

  it.effect("are recorded in order, whatever each comes to", () =>
    Effect.gen(function* () {
      const { messages } = yield* run([
        Toolset.tool("a", { handler: () => Effect.fail(new ModelRetry({ message: "Again." })) }),
        Toolset.tool("b", { handler: () => Effect.yieldNow }),
        Toolset.tool("c", { handler: () => Effect.fail(new ToolFailed({ message: "No." })) })
      ])
      assert.deepStrictEqual(
        answersIn(messages).map(({ id, isFailure }) => [id, isFailure]),
        [
          ["id of c", true],
          ["id of x", true],
          ["id of b", false],
          ["id of a", true]
        ]
      )
    }).pipe(Effect.provide(callingAll("c", "x", "b", "a")))
  )
})

describe("a sequential tool", () => {
  it.effect("is a barrier: after what came before, and before what comes after (P91)", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const tool = stepping(log)
      const toolsets = [tool("a"), tool("b"), tool("S", { sequential: true }), tool("c"), tool("d")]
      const { messages } = yield* run(toolsets)
      assert.strictEqual(
        log.join(", "),
        "a starts, b starts, a ends, b ends, S starts, S ends, c starts, d starts, c ends, d ends"
      )
      assert.deepStrictEqual(
        answersIn(messages).map(({ result }) => result),
        ["a", "b", "S", "c", "d"]
      )
    }).pipe(Effect.provide(callingAll("a", "b", "S", "c", "d")))
  )

  it.effect("does not run beside another one", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const tool = stepping(log)
      yield* run([Toolset.combined(tool("a"), tool("b"), tool("c")).pipe(Toolset.sequential)])
      assert.deepStrictEqual(log, ["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"])
    }).pipe(Effect.provide(callingAll("a", "b", "c")))
  )

  it.effect("is a barrier at both ends of a response", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const tool = stepping(log)
      yield* run([tool("S", { sequential: true }), tool("a"), tool("T", { sequential: true })])
      assert.deepStrictEqual(log, ["S starts", "S ends", "a starts", "a ends", "T starts", "T ends"])
    }).pipe(Effect.provide(callingAll("S", "a", "T")))
  )

  it.effect("that fails keeps what comes after it from starting", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const broken = Toolset.tool("S", { sequential: true, handler: () => Effect.fail("broken" as const) })
      const agent = Agent.make({ toolsets: [stepping(log)("a"), broken, stepping(log)("b")] })
      assert.strictEqual(yield* Effect.flip(Agent.run(agent, { prompt })), "broken")
      assert.deepStrictEqual(log, ["a starts", "a ends"])
    }).pipe(Effect.provide(callingAll("a", "S", "b")))
  )
})

describe("the concurrency of a run", () => {
  const names = ["a", "b", "c", "d", "e"]

  const most = Effect.fnUntraced(
    function* (concurrency: number | undefined) {
      let running = 0
      let most = 0
      const tool = (name: string) =>
        Toolset.tool(name, {
          handler: Effect.fnUntraced(function* () {
            most = Math.max(most, ++running)
            for (let i = 0; i < 5; i++) yield* Effect.yieldNow
            running--
            return name
          })
        })
      const { messages } = yield* run(
        names.map(tool),
        concurrency === undefined ? undefined : { concurrency }
      )
      assert.deepStrictEqual(
        answersIn(messages).map(({ result }) => result),
        names
      )
      return most
    },
    Effect.provide(callingAll(...names))
  )

  it.effect("has no bound by itself", () =>
    Effect.map(most(undefined), (running) => assert.strictEqual(running, 5))
  )
  it.effect("bounds how many calls run at the same time", () =>
    Effect.map(most(2), (running) => assert.strictEqual(running, 2))
  )
  it.effect("of one runs them one after the other (P93)", () =>
    Effect.map(most(1), (running) => assert.strictEqual(running, 1))
  )
})
