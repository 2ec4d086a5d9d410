/** What is replayed and what runs again, on every store. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Layer, Schema, SchemaGetter } from "effect"
import { ApprovalRequired, CallDeferred, ModelRetry, ToolFailed } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { attempts, doing, Down, killed, messageOf, step } from "./attempts.ts"
import { inTemporaryDirectory } from "./temporary.ts"

const stores: Record<string, Layer.Layer<Durable.Durable>> = {
  memory: Durable.layerMemory,
  files: inTemporaryDirectory((directory) => Durable.layerFileSystem(directory)),
  "files that survive a loss of power": inTemporaryDirectory((directory) =>
    Durable.layerFileSystem(directory, { sync: true })
  )
}

describe.each(Object.entries(stores))("steps, recorded in %s", (_, store) => {
  const test = <E>(title: string, program: Effect.Effect<void, E, Durable.Durable>) =>
    it.effect(title, () => Effect.provide(program, Layer.fresh(store)))

  test(
    "what was recorded is not run again",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          const model = yield* step("model", does("model", "call f"))
          const tool = yield* step("tool", does("tool", 42))
          yield* end
          return `${model} ${tool}`
        })
      const exits = yield* attempts([program(killed), program(Effect.void)])
      assert.deepStrictEqual(exits[1], Exit.succeed("call f 42"))
      assert.deepStrictEqual(done, ["model", "tool"])
    })
  )

  test(
    "the first difference makes it and everything later run live, and what ran then is found by the next",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (second: string, end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          yield* step("a", does("a", 1))
          yield* step("b", does(`b ${second}`, 1), { id: second })
          yield* step("c", does("c", 1))
          yield* end
        })
      yield* attempts([
        program("x", killed),
        program("y", killed),
        program("y", killed),
        program("x", Effect.void)
      ])
      assert.deepStrictEqual(done, ["a", "b x", "c", "b y", "c"])
    })
  )

  test(
    "another name at the same place is another step",
    Effect.gen(function* () {
      const { does, done } = doing()
      yield* attempts([
        Effect.andThen(step("a", does("a", 1)), killed),
        Effect.andThen(step("b", does("b", 1)), killed)
      ])
      assert.deepStrictEqual(done, ["a", "b"])
    })
  )

  test(
    "equal steps at the same time are told apart by the order in which they are claimed",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (order: ReadonlyArray<number>, end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          const gates = yield* Effect.forEach([0, 1, 2], () => Deferred.make<void>())
          const slots = yield* Effect.forEach([0, 1, 2], () =>
            Durable.slot({ name: "same", id: "same", schema: Schema.Int })
          )
          // One after the other, in any order.
          const open = (i: number) => Deferred.succeed(gates[order[i]!]!, undefined)
          yield* open(0)
          const results = yield* Effect.forEach(
            slots,
            (slot, i) =>
              slot
                .run(Effect.andThen(Deferred.await(gates[i]!), does(String(i), i)))
                .pipe(Effect.tap(() => (order.indexOf(i) < 2 ? open(order.indexOf(i) + 1) : Effect.void))),
            { concurrency: "unbounded" }
          )
          yield* end
          return results
        })
      const exits = yield* attempts([program([2, 1, 0], killed), program([0, 1, 2], Effect.void)])
      assert.deepStrictEqual(done, ["2", "1", "0"])
      assert.deepStrictEqual(exits[1], Exit.succeed([0, 1, 2]))
    })
  )

  test(
    "a step that is not replayable runs on every attempt, with what is inside it, and keeps its place",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          yield* step("a", does("a", 1))
          yield* step("now", step("inside", does("now", 1)), { replayable: false })
          yield* step("c", does("c", 1))
          yield* end
        })
      yield* attempts([program(killed), program(Effect.void)])
      assert.deepStrictEqual(done, ["a", "now", "c", "now"])
    })
  )

  test(
    "the four signals are replayed as such",
    Effect.gen(function* () {
      const { does, done } = doing()
      const signals = [
        new ModelRetry({ message: "m", reason: "timeout" }),
        new ToolFailed({ message: "t", details: { x: 1 } }),
        new ApprovalRequired({ metadata: { why: "money" } }),
        new CallDeferred({})
      ] as const
      const program = (end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          const out = yield* Effect.forEach(signals, (signal) =>
            Effect.flip(step(signal._tag, Effect.andThen(does(signal._tag, 1), Effect.fail(signal))))
          )
          yield* end
          return out
        })
      const exits = yield* attempts([program(killed), program(Effect.void)])
      assert.lengthOf(done, 4)
      assert.deepStrictEqual(exits[1], Exit.succeed([...signals]))
      const replayed = Exit.isSuccess(exits[1]!) ? exits[1].value : []
      assert.deepStrictEqual(
        replayed.map((signal) => signal.constructor),
        [ModelRetry, ToolFailed, ApprovalRequired, CallDeferred]
      )
    })
  )

  test(
    "other failures are not recorded, whether the run went on or not",
    Effect.gen(function* () {
      const { does, done } = doing()
      let down = true
      const flaky = step(
        "flaky",
        Effect.flatMap(does("flaky", "up"), (up) => (down ? Effect.fail(new Down()) : Effect.succeed(up)))
      )
      const program = (end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          const found = yield* Effect.catchTag(flaky, "Down", () => Effect.succeed("caught"))
          yield* step("later", does("later", 1))
          yield* end
          return found
        })
      const again = Effect.suspend(() => {
        down = false
        return program(Effect.void)
      })
      const exits = yield* attempts([program(killed), again])
      assert.deepStrictEqual(done, ["flaky", "later", "flaky"])
      assert.deepStrictEqual(exits[1], Exit.succeed("up"))
    })
  )

  test(
    "a signal that is not all that went wrong is not recorded",
    Effect.gen(function* () {
      const { does, done } = doing()
      const failing = Effect.andThen(does("both", 1), Effect.fail(new ToolFailed({ message: "t" })))
      const program = step("both", Effect.ensuring(failing, Effect.die("and this")))
      yield* attempts([program, program])
      assert.deepStrictEqual(done, ["both", "both"])
    })
  )

  test(
    "where one of several ends the run, those that have finished stay, and those that were interrupted run again",
    Effect.gen(function* () {
      const { does, done } = doing()
      let down = true
      const program = Effect.gen(function* () {
        const finished = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
        const bodies = {
          before: does("before", 1),
          fails: Effect.gen(function* () {
            yield* Effect.all(finished.map((gate) => Deferred.await(gate)))
            yield* does("fails", 1)
            return down ? yield* new Down() : 1
          }),
          after: does("after", 1),
          slow: Effect.suspend(() => (down ? Effect.never : does("slow", 1)))
        }
        return yield* Effect.forEach(
          Object.entries(bodies),
          ([name, body]) =>
            Effect.tap(step(name, body), () =>
              name === "before"
                ? Deferred.succeed(finished[0], undefined)
                : name === "after"
                  ? Deferred.succeed(finished[1], undefined)
                  : Effect.void
            ),
          { concurrency: "unbounded" }
        )
      })
      const again = Effect.suspend(() => {
        down = false
        return program
      })
      const exits = yield* attempts([program, again])
      assert.deepStrictEqual(exits[0], Exit.fail(new Down()))
      assert.deepStrictEqual(done.toSorted(), ["after", "before", "fails", "fails", "slow"])
      assert.deepStrictEqual(exits[1], Exit.succeed([1, 1, 1, 1]))
    })
  )

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

layer(NodeServices.layer)("without a run", (it) => {
  it.effect("a step is no more than its effect", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const once = step("a", does("a", 1), { id: 1n })
      assert.deepStrictEqual([yield* once, yield* once], [1, 1])
      assert.deepStrictEqual(done, ["a", "a"])
    })
  )
})
