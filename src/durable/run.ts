import { Effect, type Schema } from "effect"
import { dual } from "effect/Function"
import { Durable } from "./Durable.ts"
import { DurableError } from "./DurableError.ts"
import { claimIn, CurrentJournal, type Journal, journalBelow, journalOf } from "./journal.ts"
import { outcomeCodec, type Recordable } from "./outcome.ts"
import { recordable } from "./recordable.ts"
import { notEncodable, type Performed } from "./slot.ts"

/** Under which id a durable run is recorded, and how its result is. */
export interface RunOptions<A> {
  /** One id is one run: asked for again it goes on, or gives the result that it has come to. */
  readonly runId: string
  /** Of the result; it needs no services. */
  readonly schema: Recordable<A>
  /** Whether a result is the run's last word; one that only asks somebody is not. Default: it is. */
  readonly isFinished?: ((value: A) => boolean) | undefined
}

/**
 * Runs an effect as a durable run: the steps in it that are done are not done again on another attempt.
 *
 * On success the result takes the place of the steps: the same run asked for again gives it and runs nothing, until
 * `forget`. A run that fails, or has not finished, keeps its records. A run inside a step of another one belongs to that
 * step.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import * as Durable from "effect-toolset/Durable"
 *
 * const order = (item: string) =>
 *   Effect.succeed(`ordered ${item}`).pipe(Durable.run({ runId: "order-7", schema: Schema.String }))
 * const program = Effect.gen(function* () {
 *   return [yield* order("tea"), yield* order("coffee"), yield* Durable.forget("order-7"), yield* order("coffee")]
 * })
 * console.log(await Effect.runPromise(program.pipe(Effect.provide(Durable.layerMemory))))
 * //> [ 'ordered tea', 'ordered tea', undefined, 'ordered coffee' ]
 * ```
 */
export const run: {
  <A>(
    options: RunOptions<A>
  ): <E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | DurableError, R | Durable>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    options: RunOptions<A>
  ): Effect.Effect<A, E | DurableError, R | Durable>
} = dual(
  2,
  <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    options: RunOptions<A>
  ): Effect.Effect<A, E | DurableError, R | Durable> =>
    Effect.flatMap(CurrentJournal, (journal) =>
      journal === undefined ? outermost(effect, options) : runBelow(journal, options.runId, effect)
    )
)

const outermost = <A, E, R>(effect: Effect.Effect<A, E, R>, options: RunOptions<A>) =>
  Effect.map(attempted(effect, options), ({ value }) => value)

/** A run that is inside no other one, and whether it had ended before. */
export const attempted = Effect.fnUntraced(function* <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { isFinished = () => true, runId, schema }: RunOptions<A>
): Effect.fn.Return<Performed<A>, E | DurableError, R | Durable> {
  const store = yield* Durable
  const { decode, encode } = outcomeCodec(schema)
  const read = (record: Schema.Json, unreadable: typeof notDecodable) =>
    Effect.flatMap(
      Effect.mapError(decode(record), (error) => unreadable(runId, error)),
      // Runs end with nothing else.
      (outcome) => (outcome._tag === "Success" ? Effect.succeed(outcome.value) : Effect.die(outcome))
    )
  const before = yield* store.result(runId)
  if (before !== undefined) return { value: yield* read(before, notDecodable), replayed: true }
  const value = yield* within(journalOf(store, runId), effect)
  if (!isFinished(value)) return { value, replayed: false }
  const json = yield* Effect.mapError(encode({ _tag: "Success", value }), (error) =>
    notEncodable(runId, error)
  )
  const record = yield* recordable(runId, json as Schema.Json)
  // The same as whoever asks for it again is given.
  const given = record === json ? value : yield* read(record, notEncodable)
  yield* store.finish(runId, record)
  return { value: given, replayed: false }
})

/** A run in a place of a step: runs that are inside one step at the same time do not get into each other's way. */
export const runBelow = <A, E, R>(
  journal: Journal,
  name: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => within(journalBelow(journal, claimIn(journal, "run", name)), effect))

const within = <A, E, R>(journal: Journal, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const run = Effect.provideService(effect, CurrentJournal, journal)
  return journal.store.around?.(run) ?? run
}

const notDecodable = (runId: string, error: Schema.SchemaError) =>
  new DurableError({
    reason: "NotDecodable",
    step: runId,
    problem: `It has ended, and its result does not fit the schema any more: ${error.message}.`,
    hint: "Read it with the schema that it was recorded with, or Durable.forget it and run everything again."
  })
