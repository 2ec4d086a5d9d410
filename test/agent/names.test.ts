/** Which names can be called, and what a model reads that calls others. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { Agent, ToolNameConflict, Toolset, ToolsetDefinitionError } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn, retry } from "./answers.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

const named = (...names: ReadonlyArray<string>) =>
  Toolset.combined(
    ...names.map((name) => Toolset.tool(name, { handler: () => Effect.succeed(`${name} ran`) }))
  )
const run = (...toolsets: ReadonlyArray<Toolset.Toolset>) => Agent.run(Agent.make({ toolsets }), { prompt })

/** What the model reads when it calls `name`, and only that. */
const answerTo = (toolset: Toolset.Toolset, name: string) =>
  Effect.map(run(toolset), ({ messages }) => resultsIn(messages)[0]?.[1]).pipe(
    Effect.provide(ScriptedModel.layer([calls([{ name, args: {} }]), text("Done.")]))
  )

describe("a name that nobody offers", () => {
  it.effect("is answered with those that there are, sorted (P68)", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* answerTo(named("b", "a"), "x"),
        retry("Unknown tool name: 'x'. Available tools: 'a', 'b'")
      )
    })
  )

  it.effect("is answered with none, where there are none (P67)", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* answerTo(Toolset.empty, "foobar"),
        retry("Unknown tool name: 'foobar'. No tools available.")
      )
    })
  )

  const numbered = (n: number) => Array.from({ length: n }, (_, i) => `t${String(i).padStart(2, "0")}`)
  const list = (names: ReadonlyArray<string>) => names.map((name) => `'${name}'`).join(", ")

  it.effect("is answered with all of 50", () =>
    Effect.gen(function* () {
      const names = numbered(50)
      assert.strictEqual(
        yield* answerTo(named(...names.toReversed()), "x"),
        retry(`Unknown tool name: 'x'. Available tools: ${list(names)}`)
      )
    })
  )

  it.effect("is answered with the first 50 and the number of the others", () =>
    Effect.gen(function* () {
      const names = numbered(53)
      assert.strictEqual(
        yield* answerTo(named(...names.toReversed()), "x"),
        retry(`Unknown tool name: 'x'. Available tools: ${list(names.slice(0, 50))} and 3 more`)
      )
    })
  )

  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty", ""]) {
    it.effect(`is unknown, though every object has it: '${name}'`, () =>
      Effect.gen(function* () {
        assert.strictEqual(
          yield* answerTo(named("a"), name),
          retry(`Unknown tool name: '${name}'. Available tools: 'a'`)
        )
      })
    )
  }
})

describe("a name that is offered", () => {
  for (const name of ["constructor", "toString", "__proto__", "a-B_9", "x".repeat(64)]) {
    it.effect(`is called, whatever it is: ${name}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* answerTo(named(name, "other"), name), `${name} ran`)
      })
    )
  }

  it.effect("is called as it is exposed, and not as it was declared", () =>
    Effect.gen(function* () {
      const toolset = named("a").pipe(Toolset.prefixed("p"))
      assert.strictEqual(yield* answerTo(toolset, "p_a"), "a ran")
      assert.strictEqual(
        yield* answerTo(toolset, "a"),
        retry("Unknown tool name: 'a'. Available tools: 'p_a'")
      )
    })
  )

  it.effect("cannot be called where it is filtered out (P35)", () =>
    Effect.gen(function* () {
      const toolset = named("a", "b", "c").pipe(Toolset.filtered((tool) => tool.name !== "b"))
      assert.strictEqual(
        yield* answerTo(toolset, "b"),
        retry("Unknown tool name: 'b'. Available tools: 'a', 'c'")
      )
    })
  )

  it.effect("can be called in the steps that list it, and in no other", () =>
    Effect.gen(function* () {
      const odd = named("odd").pipe(Toolset.filtered((_, run) => run.step % 2 === 1))
      const { messages } = yield* run(odd, named("a"))
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(
        requests.map((request) => request.tools.map((tool) => tool.name)),
        [["odd", "a"], ["a"], ["odd", "a"], ["a"]]
      )
      assert.deepStrictEqual(resultsIn(messages), [
        ["odd", "odd ran"],
        ["odd", retry("Unknown tool name: 'odd'. Available tools: 'a'")],
        ["odd", "odd ran"]
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([calls({ odd: {} }), calls({ odd: {} }), calls({ odd: {} }), text("Done.")])
      )
    )
  )

  it.effect("stays what it was when the step was listed, though something changes meanwhile", () =>
    Effect.gen(function* () {
      const isOpen = yield* Ref.make(true)
      const door = named("door").pipe(Toolset.filtered(() => Ref.get(isOpen)))
      const close = Toolset.tool("close", {
        sequential: true,
        handler: () => Effect.as(Ref.set(isOpen, false), null)
      })
      const { messages } = yield* run(close, door)
      assert.deepStrictEqual(resultsIn(messages), [
        ["close", null],
        ["door", "door ran"],
        ["door", retry("Unknown tool name: 'door'. Available tools: 'close'")]
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([calls({ close: {}, door: {} }), calls({ door: {} }), text("Done.")])
      )
    )
  )
})

describe("names that cannot be offered", () => {
  const nobodyIsAsked = Effect.map(ScriptedModel.requests, (requests) => assert.deepStrictEqual(requests, []))

  it.effect("are two of a kind, also where one is the run's (P6)", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [named("a", "b")] })
      const error = yield* Effect.flip(Agent.run(agent, { prompt, toolsets: [named("b")] }))
      const sources = ["tool(b)", "tool(b)"]
      assert.deepStrictEqual(error, new ToolNameConflict({ toolName: "b", sources }))
      yield* nobodyIsAsked
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )

  it.effect("are those that model providers refuse", () =>
    Effect.gen(function* () {
      for (const name of ["", "x".repeat(65), "a.b", "ü"]) {
        const error = yield* Effect.flip(run(named(name)))
        assert.instanceOf(error, ToolsetDefinitionError)
        assert.strictEqual(error.problem, `'${name}' is no name that model providers accept.`)
      }
      yield* nobodyIsAsked
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )

  it.effect("are found when they come up, in a later step too", () =>
    Effect.gen(function* () {
      const later = named("a").pipe(Toolset.filtered((_, run) => run.step > 1))
      const error = yield* Effect.flip(run(named("a"), later))
      assert.deepInclude(error, { _tag: "ToolNameConflict", toolName: "a" })
      assert.strictEqual((yield* ScriptedModel.requests).length, 1)
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ a: {} }), text("Done.")])))
  )
})
