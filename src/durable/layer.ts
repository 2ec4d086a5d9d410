/** Records on a `KeyValueStore`: one under each key, as JSON; in the order of their keys they are the run. */
import { Effect, Layer, Predicate, Result, type Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import { sha256 } from "./digest.ts"
import { Durable, type Memo, type Place } from "./Durable.ts"
import { DurableError } from "./DurableError.ts"

/**
 * Keeps records in the `KeyValueStore` that is there: `KeyValueStore.layerSql`, or one of your own. Nothing keeps two
 * processes from running one run at the same time: that is for whoever starts them.
 */
export const layer: Layer.Layer<Durable, never, KeyValueStore.KeyValueStore> = Layer.fresh(
  Layer.effect(
    Durable,
    Effect.map(KeyValueStore.KeyValueStore, (kv) => {
      const read = (key: string) => Effect.map(Effect.mapError(kv.get(key), unreadable(key)), parsed)
      const write = (key: string, record: Stored) => kv.set(key, JSON.stringify(record))
      const removed = (prefix: string) => Effect.ignore(kv.clearPrefix(prefix))
      return Durable.of({
        memo: <E, R>(place: Place, live: Effect.Effect<Schema.Json | undefined, E, R>) =>
          // What has been done is recorded, also where the run is stopped in this very moment.
          Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* (): Effect.fn.Return<Memo, E | DurableError, R> {
              const { differs, key, name, path } = place
              const first = `${steps(yield* folder(place.runId))}${path}`
              const there = yield* read(first)
              // What was asked otherwise later is beside it.
              const isOther = there !== undefined && there.key !== key
              const own = isOther ? `${first}-${key}` : first
              const found = isOther ? yield* read(own) : there
              if (found !== undefined) return { record: found.outcome, replayed: true }
              if (isOther) yield* differs
              const record = yield* restore(live)
              if (record !== undefined)
                yield* Effect.catch(write(own, { name, key, outcome: record }), notWritten(name))
              return { record, replayed: false }
            })
          ),
        result: (runId) =>
          Effect.gen(function* () {
            const own = yield* folder(runId)
            const found = yield* read(resultIn(own))
            if (found === undefined) return undefined
            // The end may have come between the result and the removal.
            yield* removed(steps(own))
            return found.outcome
          }),
        finish: (runId, outcome) =>
          Effect.gen(function* () {
            const own = yield* folder(runId)
            yield* write(resultIn(own), { name: "result", outcome })
            yield* removed(steps(own))
          }).pipe(Effect.catch(notWritten(`the result of ${runId}`)), Effect.uninterruptible),
        forget: (runId) =>
          Effect.flatMap(folder(runId), (own) => Effect.mapError(kv.clearPrefix(own), unreadable(own)))
      })
    })
  )
)

/** Records in memory, for as long as the layer lives. */
export const layerMemory: Layer.Layer<Durable> = Layer.fresh(
  Layer.provide(layer, Layer.fresh(KeyValueStore.layerMemory))
)

interface Stored {
  readonly name: string
  /** That of its place; a result has none. */
  readonly key?: string
  readonly outcome: Schema.Json
}

/** What does not parse was never completely written. */
const parsed = (text: string | undefined): Stored | undefined => {
  const value = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text ?? "")))
  return Predicate.hasProperty(value, "outcome") ? (value as unknown as Stored) : undefined
}

const steps = (folder: string) => `${folder}step/`
const resultIn = (folder: string) => `${folder}result`

/** What the keys of a run begin with. Stores have short keys, and some do not tell `Run` from `run`. */
const folder = (runId: string): Effect.Effect<string> =>
  /^[a-z0-9_-][a-z0-9_.-]{0,63}$/.test(runId)
    ? Effect.succeed(`${runId}/`)
    : Effect.map(
        // Not every text has bytes of its own; as JSON it has.
        Effect.promise(() => sha256(JSON.stringify(runId))),
        (digest) =>
          `${runId
            .toLowerCase()
            .replace(/[^a-z0-9_-]+/g, "-")
            .slice(0, 24)}~${digest.slice(0, 32)}/`
      )

const unreadable = (step: string) => (error: KeyValueStore.KeyValueStoreError) =>
  new DurableError({
    reason: "Store",
    step,
    problem: `The store cannot be read: ${error.message}.`,
    hint: "Run it again when the store is there."
  })

const notWritten = (name: string) => (error: KeyValueStore.KeyValueStoreError) =>
  Effect.logWarning(`${name} could not be recorded, and another attempt does it again: ${error.message}`)
