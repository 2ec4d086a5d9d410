/** Where records are, and what becomes of them. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import * as Durable from "effect-toolset/Durable"
import { attempts, doing, killed, messageOf, step } from "./attempts.ts"
import { databaseUrl } from "./cluster/engines.ts"
import { inTable, talking } from "./stores.ts"
import { inTemporaryDirectory } from "./temporary.ts"

/** Stores, and what is in them. */
const stores: Record<
  string,
  {
    readonly layer: Layer.Layer<Durable.Durable | KeyValueStore.KeyValueStore>
    readonly it: Pick<typeof it, "effect">
  }
> = {
  memory: { layer: Layer.provideMerge(Durable.layer, KeyValueStore.layerMemory), it },
  files: {
    layer: inTemporaryDirectory((directory) =>
      Layer.merge(Durable.layerFileSystem(directory), KeyValueStore.layerFileSystem(`${directory}/records`))
    ),
    it
  },
  ...(databaseUrl === undefined
    ? {}
    : {
        PostgreSQL: {
          layer: Layer.provideMerge(Durable.layer, inTable(databaseUrl)),
          it: talking
        }
      })
}

const keys = Effect.flatMap(KeyValueStore.KeyValueStore, (kv) =>
  Effect.map(kv.keys, (keys) => [...keys].toSorted())
)

/** A store that is not what it was: of a part of its methods. */
const broken = (change: (kv: KeyValueStore.KeyValueStore) => Partial<KeyValueStore.KeyValueStore>) =>
  Effect.provide(
    Durable.layer.pipe(
      Layer.provideMerge(
        Layer.effect(
          KeyValueStore.KeyValueStore,
          Effect.map(KeyValueStore.KeyValueStore, (kv) => ({ ...kv, ...change(kv) }))
        ).pipe(Layer.provide(Layer.fresh(KeyValueStore.layerMemory)))
      ),
      Layer.fresh
    )
  )
const failure = (method: string) =>
  Effect.fail(new KeyValueStore.KeyValueStoreError({ method, message: "disk full" }))

const dying = (steps: ReadonlyArray<string>, runId: string) =>
  Effect.exit(
    Effect.andThen(
      Effect.forEach(steps, (name) => step(name, Effect.succeed(name))),
      killed
    ).pipe(Durable.run({ runId, schema: Schema.Any }))
  )

describe.each(Object.entries(stores))("the records of a run, in %s,", (_, { it, layer }) => {
  const withStore = Effect.provide(Layer.fresh(layer))

  it.effect("are readable, in the order of the run, the steps inside a step behind it", () =>
    Effect.gen(function* () {
      const inside = Effect.forEach(["x", "y"], (name) => step(name, Effect.succeed(name)))
      yield* Effect.exit(
        Effect.gen(function* () {
          yield* step("a", Effect.succeed({ n: 1 }))
          yield* step("b", inside)
          return yield* killed
        }).pipe(Durable.run({ runId: "r", schema: Schema.Any }))
      )
      const kv = yield* KeyValueStore.KeyValueStore
      const records = yield* Effect.forEach(yield* keys, (key) =>
        Effect.map(kv.get(key), (text) => {
          const { key: ofPlace, ...record } = JSON.parse(text!)
          assert.match(ofPlace, /^[0-9a-f]{32}$/)
          return [key, record]
        })
      )
      const recorded = (name: string, value: unknown) => ({ name, outcome: { _tag: "Success", value } })
      assert.deepStrictEqual(records, [
        ["r/step/0001", recorded("a", { n: 1 })],
        ["r/step/0002", recorded("b", ["x", "y"])],
        ["r/step/0002.0001", recorded("x", "x")],
        ["r/step/0002.0002", recorded("y", "y")]
      ])
    }).pipe(withStore)
  )

  it.effect(
    "give way to its result, those of longer attempts and of runs inside too; other runs keep theirs",
    () =>
      Effect.gen(function* () {
        yield* dying(["a", "b", "c"], "r")
        yield* dying(["a"], "r/x")
        yield* dying(["a"], "R")
        yield* dying(["a"], "rr")
        assert.lengthOf(yield* keys, 6)
        yield* step("a", Effect.succeed("a")).pipe(Durable.run({ runId: "r", schema: Schema.Any }))
        const left = yield* keys
        assert.lengthOf(left, 4)
        assert.deepStrictEqual(
          left.filter((key) => key.startsWith("r/")),
          ["r/result"]
        )
        yield* Durable.forget("r")
        assert.lengthOf(yield* keys, 3)
      }).pipe(withStore)
  )

  it.effect("a run that has not finished keeps them", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      yield* attempts([step("a", does("a", 1)), step("a", does("a", 1))])
      assert.deepStrictEqual(done, ["a"])
    }).pipe(withStore)
  )

  it.effect("a result that was recorded when the end came takes their place the next time", () =>
    Effect.gen(function* () {
      const kv = yield* KeyValueStore.KeyValueStore
      const dated = Effect.as(step("a", Effect.succeed("a")), new Date(0)).pipe(
        Durable.run({ runId: "r", schema: Schema.Date })
      )
      yield* dated
      const result = (yield* kv.get("r/result"))!
      yield* Durable.forget("r")
      yield* dying(["a"], "r")
      yield* kv.set("r/result", result)
      assert.deepStrictEqual(yield* dated, new Date(0))
      assert.deepStrictEqual(yield* keys, ["r/result"])
    }).pipe(withStore)
  )

  it.effect("a record that does not parse was never completely written: that step alone runs again", () =>
    Effect.gen(function* () {
      const kv = yield* KeyValueStore.KeyValueStore
      for (const torn of ["", "{", '{"name":"b","outc', "null", "[]", "1"]) {
        const { does, done } = doing()
        const program = Effect.andThen(
          Effect.forEach(["a", "b", "c"], (name) => step(name, does(name, name))),
          killed
        )
        yield* attempts([program])
        const second = (yield* keys).find((key) => key.startsWith("r/step/0002"))!
        yield* kv.set(second, torn)
        yield* attempts([program])
        assert.deepStrictEqual(done, ["a", "b", "c", "b"])
        yield* Durable.forget("r")
      }
    }).pipe(withStore)
  )

  it.effect("a result that does not parse was never written: the run goes on from its steps", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const kv = yield* KeyValueStore.KeyValueStore
      yield* attempts([step("a", does("a", 1))])
      yield* kv.set("r/result", "")
      yield* step("a", does("a", 1)).pipe(Durable.run({ runId: "r", schema: Schema.Int }))
      assert.deepStrictEqual(done, ["a"])
    }).pipe(withStore)
  )

  it.effect("a result of other code is an error, and not another run", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const go = <A>(schema: Schema.Codec<A, unknown>, value: A) =>
        does("ran", value).pipe(Durable.run({ runId: "r", schema }))
      yield* go(Schema.Int, 1)
      const error = yield* Effect.flip(go(Schema.String, "x"))
      assert.deepStrictEqual([error.reason, error.isRetryable, done], ["NotDecodable", false, ["ran"]])
    }).pipe(withStore)
  )
})

describe("a store that refuses", () => {
  it.effect("a write that is refused is logged: that step runs again, and the next one is found", () => {
    let writes = 0
    return Effect.gen(function* () {
      const { does, done } = doing()
      const program = Effect.andThen(
        Effect.forEach(["a", "b"], (name) => step(name, does(name, name))),
        killed
      )
      yield* attempts([program, program])
      assert.deepStrictEqual(done, ["a", "b", "a"])
    }).pipe(broken((kv) => ({ set: (key, value) => (writes++ === 0 ? failure("set") : kv.set(key, value)) })))
  })

  it.effect("a result that cannot be written is given, and the steps stay", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const go = step("a", does("a", 1)).pipe(Durable.run({ runId: "r", schema: Schema.Int }))
      assert.deepStrictEqual([yield* go, yield* go, done], [1, 1, ["a"]])
    }).pipe(
      broken((kv) => ({
        set: (key, value) => (key.endsWith("result") ? failure("set") : kv.set(key, value))
      }))
    )
  )

  it.effect("a store that cannot be read is a failure worth another attempt, and nothing runs", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const [exit] = yield* attempts([step("a", does("a", 1))])
      assert.include(messageOf(exit), "The store cannot be read: disk full.")
      assert.isTrue((yield* Effect.flip(exit!)).isRetryable)
      assert.deepStrictEqual(done, [])
      assert.strictEqual((yield* Effect.flip(Durable.forget("r"))).reason, "Store")
    }).pipe(broken(() => ({ get: () => failure("get"), clearPrefix: () => failure("clearPrefix") })))
  )

  it.effect("what has been done is recorded, also where the run is interrupted in that moment", () => {
    const writing = Deferred.makeUnsafe<void>()
    const written = Deferred.makeUnsafe<void>()
    return Effect.gen(function* () {
      const { does, done } = doing()
      const program = step("a", does("a", 1))
      const fiber = yield* Effect.forkChild(attempts([program]))
      yield* Deferred.await(writing)
      const interruption = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* Effect.yieldNow
      yield* Deferred.succeed(written, undefined)
      yield* Fiber.join(interruption)
      yield* attempts([program])
      assert.deepStrictEqual(done, ["a"])
    }).pipe(
      broken((kv) => ({
        set: (key, value) =>
          Deferred.succeed(writing, undefined).pipe(
            Effect.andThen(Deferred.await(written)),
            Effect.andThen(kv.set(key, value))
          )
      }))
    )
  })
})
