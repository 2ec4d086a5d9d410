/** An attempt that asks otherwise than those before it says where that began, and only that. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { logging } from "../operators/asking.ts"
import { attempting } from "./attempting.ts"
import { attempts, doing, killed, step } from "./attempts.ts"
import { scripted } from "./models.ts"
import { onEveryKindOfStore, onEveryStore } from "./stores.ts"

const ran = (place: string) =>
  `Warn: ${place} was recorded for another question, or by other code: it runs live, and so does what comes after it, ` +
  "also where it was done before."

/** What attempts say; an engine has a log of its own, and programs in it theirs. */
const logs = () => {
  const { layer, lines } = logging()
  const logged = <A, E, R>(programs: ReadonlyArray<Effect.Effect<A, E, R>>) =>
    programs.map((program) => Effect.provide(program, layer))
  return { lines, logged }
}

onEveryStore("an attempt", (test) => {
  const program = (second: unknown, value: unknown = 1, schema: Schema.Codec<any, any> = Schema.Any) =>
    Effect.gen(function* () {
      const { does } = doing()
      yield* step("a", does("a", 1))
      yield* step("b", step("inside", does("inside", value)), { id: second, schema })
      yield* Effect.forEach(["c", "d"], (name) => step(name, does(name, 1)), { concurrency: 2 })
      return yield* killed
    })

  test(
    "that asks the same says nothing, and one that begins to differ says it once",
    Effect.gen(function* () {
      const { lines, logged } = logs()
      const told: Array<number> = []
      for (const second of ["x", "x", "y", "y", "x"]) {
        yield* attempts(logged([program(second)]))
        told.push(lines.length)
      }
      assert.deepStrictEqual(lines, [ran("r: step 0002 (b)")])
      assert.deepStrictEqual(told, [0, 0, 1, 1, 1])
    })
  )

  test(
    "that cannot read a record says where",
    Effect.gen(function* () {
      const { lines, logged } = logs()
      const older = program("x")
      const newer = program("x", "1", Schema.String)
      yield* attempts(logged([older, newer, newer, older]))
      assert.deepStrictEqual(lines, [ran("r: step 0002 (b)")])
    })
  )

  test(
    "that differs says so again where the one before it came no further",
    Effect.gen(function* () {
      const { lines, logged } = logs()
      for (const second of ["x", "y", "z"]) yield* attempts(logged([program(second)]))
      assert.deepStrictEqual(lines, [ran("r: step 0002 (b)"), ran("r: step 0002 (b)")])
    })
  )

  test(
    "at a step that failed before has nothing to say",
    Effect.gen(function* () {
      const { lines, logged } = logs()
      yield* attempts(logged([step("a", killed, { id: 1 }), step("a", killed, { id: 2 })]))
      assert.deepStrictEqual(lines, [])
    })
  )
})

onEveryKindOfStore("a durable run", ({ it, layer }) => {
  it.effect("that is asked otherwise names the request of the model with which it begins", () =>
    Effect.gen(function* () {
      const { layer, lines } = logging()
      const charge = Toolset.tool("charge", { handler: () => Effect.succeed(1) })
      const end = Toolset.tool("end", { handler: () => killed })
      const agent = Agent.make({ toolsets: [Toolset.withId(Toolset.combined(charge, end), "shop")] })
      for (const prompt of ["Go.", "Go!"])
        yield* Effect.exit(
          attempting(Effect.provide(Agent.run(agent, { prompt, durable: { runId: "run-1" } }), layer))
        )
      assert.deepStrictEqual(lines, [ran("run-1: step 0001 (model)")])
    }).pipe(
      Effect.provide([
        layer,
        scripted([ScriptedModel.calls({ charge: {} }), ScriptedModel.calls({ end: {} })])
      ])
    )
  )
})
