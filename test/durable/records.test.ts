/** Steps inside steps, and what can be recorded. */
import { assert } from "@effect/vitest"
import { Deferred, Effect, Exit, Schema, SchemaGetter } from "effect"
import * as Durable from "effect-toolset/Durable"
import { attempts, doing, killed, messageOf, step } from "./attempts.ts"
import { onEveryStore } from "./stores.ts"

onEveryStore("steps", (test) => {
  test(
    "a run inside a step shifts nothing outside it, and its steps are found again where the step is not",
    Effect.gen(function* () {
      const { does, done } = doing()
      const inner = (n: number) =>
        Effect.forEach([...Array(n).keys()], (i) => step("inner", does(`inner ${i}`, i), { id: i })).pipe(
          Durable.run({ runId: "nested", schema: Schema.Any })
        )
      const program = (where: "inside" | "outside" | "nowhere") =>
        Effect.gen(function* () {
          const ends = (here: string) => (here === where ? killed : Effect.void)
          yield* step("outer", Effect.tap(inner(2), ends("inside")))
          yield* step("next", does("next", 1))
          yield* ends("outside")
        })
      yield* attempts([program("inside"), program("outside"), program("nowhere")])
      assert.deepStrictEqual(done, ["inner 0", "inner 1", "next"])
    })
  )

  test(
    "what a run inside a step has recorded is not found again where the step asks for something else",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (asked: string, end: Effect.Effect<void>) => {
        const inner = step("inner", does(`inner of ${asked}`, asked)).pipe(
          Durable.run({ runId: "nested", schema: Schema.Any })
        )
        return step("outer", Effect.tap(inner, end), { id: asked })
      }
      const exits = yield* attempts([program("a", killed), program("b", killed), program("b", Effect.void)])
      assert.deepStrictEqual(done, ["inner of a", "inner of b"])
      assert.deepStrictEqual(exits[2], Exit.succeed("b"))
    })
  )

  test(
    "runs inside one step, at the same time, do not get into each other's way",
    Effect.gen(function* () {
      const { does, done } = doing()
      const inner = (name: string, gate: Effect.Effect<unknown>) =>
        Effect.gen(function* () {
          yield* step("one", does(`${name} 1`, 1))
          yield* gate
          yield* step("two", does(`${name} 2`, 2))
        }).pipe(Durable.run({ runId: "inner", schema: Schema.Any }))
      const program = (first: "a" | "b") =>
        step(
          "outer",
          Effect.gen(function* () {
            const gate = yield* Deferred.make<void>()
            const opens = Effect.tap(Effect.void, () => Deferred.succeed(gate, undefined))
            const of = (name: "a" | "b") =>
              name === first
                ? Effect.tap(inner(name, Effect.void), () => opens)
                : inner(name, Deferred.await(gate))
            yield* Effect.all([of("a"), of("b")], { concurrency: "unbounded" })
            return yield* killed
          })
        )
      yield* attempts([program("a"), program("b")])
      assert.deepStrictEqual(done.toSorted(), ["a 1", "a 2", "b 1", "b 2"])
    })
  )

  test(
    "a record that no longer decodes: it and all that start after it run live, once",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (schema: Schema.Codec<any, any>, value: unknown, end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          yield* step("a", does("a", 1))
          const b = yield* step("b", does("b", value), { schema })
          yield* step("c", does("c", 1))
          yield* end
          return b
        })
      const old = program(Schema.String, "old", killed)
      const exits = yield* attempts([
        old,
        program(Schema.Int, 2, killed),
        program(Schema.Int, 2, killed),
        old,
        program(Schema.Int, 3, Effect.void)
      ])
      assert.deepStrictEqual(done, ["a", "b", "c", "b", "c"])
      assert.deepStrictEqual(exits[4], Exit.succeed(2))
    })
  )

  test(
    "a result that does not fit its schema fails at once, is worth no other attempt, and is not recorded",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = step("n", does("n", NaN), { schema: Schema.Finite })
      const exits = yield* attempts([program, program])
      assert.include(messageOf(exits[0]), "n: Its result does not fit its schema")
      assert.lengthOf(done, 2)
      const error = yield* Effect.flip(exits[0]!)
      assert.deepStrictEqual([error.reason, error.isRetryable], ["NotEncodable", false])
    })
  )

  test(
    "a result that does not read back fails, and is not done again",
    Effect.gen(function* () {
      const { does, done } = doing()
      const OneWay = Schema.String.pipe(
        Schema.decodeTo(Schema.Int, {
          decode: SchemaGetter.forbidden(() => "one way only"),
          encode: SchemaGetter.transform(String)
        })
      )
      const exits = yield* attempts([step("n", does("n", 1), { schema: OneWay })])
      assert.include(messageOf(exits[0]), "n: Its result does not fit its schema")
      assert.deepStrictEqual(done, ["n"])
    })
  )

  test(
    "what is asked has to be JSON",
    Effect.gen(function* () {
      const { does, done } = doing()
      const exits = yield* attempts([step("n", does("n", 1), { id: { x: [1n] } })])
      assert.include(messageOf(exits[0]), "n: What it asks is not JSON: x: 0: A bigint is not JSON.")
      assert.deepStrictEqual(done, [])
    })
  )

  test(
    "what is asked is taken when it is asked, whatever the order of its fields",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (id: Record<string, unknown>) =>
        Effect.gen(function* () {
          const slot = yield* Durable.slot({ name: "n", id, schema: Schema.Int })
          id.a = "changed"
          yield* slot.run(does("n", 1))
          return yield* killed
        })
      yield* attempts([program({ a: 1, b: { c: 2, d: 3 } }), program({ b: { d: 3, c: 2 }, a: 1 })])
      assert.deepStrictEqual(done, ["n"])
    })
  )

  test(
    "values keep their types: dates, big numbers, what is undefined",
    Effect.gen(function* () {
      const { does, done } = doing()
      const schema = Schema.Struct({ at: Schema.Date, none: Schema.optional(Schema.Int), big: Schema.BigInt })
      const value = { at: new Date(0), none: undefined, big: 12n }
      const program = (end: Effect.Effect<void>) => Effect.tap(step("v", does("v", value), { schema }), end)
      const exits = yield* attempts([program(killed), program(Effect.void)])
      assert.deepStrictEqual(done, ["v"])
      assert.deepStrictEqual(exits[1], Exit.succeed(value))
    })
  )

  test(
    "the run is given what was recorded, the first time too",
    Effect.gen(function* () {
      const { does } = doing()
      const Short = Schema.String.pipe(
        Schema.decodeTo(Schema.String, {
          decode: SchemaGetter.passthrough(),
          encode: SchemaGetter.transform((text) => text.slice(0, 3))
        })
      )
      const exits = yield* attempts([step("s", does("s", "longer"), { schema: Short })])
      assert.deepStrictEqual(exits[0], Exit.succeed("lon"))
    })
  )

  test(
    "a record that is too large is refused before it is stored",
    Effect.gen(function* () {
      const { does, done } = doing()
      // In UTF-8: 30 bytes of text, 2 quotes, and what is around it.
      const program = step("big", does("big", "ä".repeat(15)))
      const limited = (limit: number) => Effect.provideService(program, Durable.MaxRecordBytes, limit)
      const exact = JSON.stringify({ _tag: "Success", value: "" }).length + 30
      const exits = yield* attempts([limited(exact - 1), limited(exact), limited(exact)])
      assert.include(messageOf(exits[0]), `big: Its record has ${exact} bytes, and ${exact - 1} are allowed.`)
      assert.deepStrictEqual(exits[2], Exit.succeed("ä".repeat(15)))
      assert.deepStrictEqual(done, ["big", "big"])
    })
  )
})
