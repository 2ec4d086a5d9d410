/** Steps: places that are claimed, and what is done in them or was done before. */
import { Cause, Context, Effect, Exit, Result, type Schema } from "effect"
import { isToolSignal, type ToolSignal } from "../ToolSignal.ts"
import { withoutSecrets } from "../secrets/withoutSecrets.ts"
import { toJson } from "../toolset/json.ts"
import type { Place } from "./Durable.ts"
import { DurableError } from "./DurableError.ts"
import {
  claimIn,
  type Claimed,
  CurrentJournal,
  differing,
  type Journal,
  journalBelow,
  turnAway
} from "./journal.ts"
import { outcomeCodec, type Recordable } from "./outcome.ts"
import { recordable } from "./recordable.ts"

/** What a step is found again by, and how its result is recorded. */
export interface StepOptions<A> {
  /** For people who read records. */
  readonly name: string
  /** What is asked, as JSON: the step is found again where this, and all that was asked before, are equal. */
  readonly id: unknown
  /** Of the result; it needs no services. */
  readonly schema: Recordable<A>
  /** `false`: runs on every attempt, and keeps its place. Default: `true`. */
  readonly replayable?: boolean | undefined
}

/** A place that is claimed. */
export interface Slot<in out A> {
  /** Runs the step, or gives what it came to before. */
  readonly run: <E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | DurableError, R>
}

/**
 * Claims a place for a step at once, and runs it later: of steps that run at the same time, each has the place in which
 * it was claimed, whichever ends first.
 *
 * Outside of a durable run it is no more than its effect.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import * as Durable from "effect-toolset/Durable"
 *
 * const both = Effect.gen(function* () {
 *   const first = yield* Durable.slot({ name: "roll", id: 6, schema: Schema.Int })
 *   const second = yield* Durable.slot({ name: "roll", id: 6, schema: Schema.Int })
 *   return [yield* second.run(Effect.succeed(2)), yield* first.run(Effect.succeed(1))]
 * })
 * console.log(await Effect.runPromise(both))
 * //> [ 2, 1 ]
 * ```
 */
export const slot = <A>(options: StepOptions<A>): Effect.Effect<Slot<A>, DurableError> =>
  Effect.map(place(options), ({ perform }) => ({
    run: (effect) => Effect.map(perform(effect), ({ value }) => value)
  }))

/**
 * Runs an effect once in a durable run: an attempt that comes after gives what it came to, and does not run it.
 *
 * Recorded are its result and the four signals, and no other failure: a step that failed runs again. Values are
 * replayed, not side effects. Outside of a durable run it is no more than its effect.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import * as Durable from "effect-toolset/Durable"
 *
 * let rolls = 0
 * const roll = Durable.step({ name: "roll", id: null, schema: Schema.Int }, Effect.sync(() => ++rolls))
 * const attempt = (end: Effect.Effect<void, string>) =>
 *   Effect.andThen(roll, Effect.tap(roll, end)).pipe(Durable.run({ runId: "r-1", schema: Schema.Int }))
 * const program = Effect.gen(function* () {
 *   yield* Effect.exit(attempt(Effect.fail("killed")))
 *   return [yield* attempt(Effect.void), rolls]
 * })
 * console.log(await Effect.runPromise(program.pipe(Effect.provide(Durable.layerMemory))))
 * //> [ 2, 2 ]
 * ```
 */
export const step = <A, E, R>(
  options: StepOptions<A>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | DurableError, R> => Effect.flatMap(slot(options), ({ run }) => run(effect))

/** What a step came to, and whether before. */
export interface Performed<out A> {
  readonly value: A
  readonly replayed: boolean
}

export interface ClaimedPlace<in out A> {
  /** The same on every attempt; nothing outside of durable runs. */
  readonly key: Effect.Effect<string | undefined>
  /** `isWhole`: whether a result is to be recorded. */
  readonly perform: <E, R>(
    effect: Effect.Effect<A, E, R>,
    isWhole?: (value: A) => boolean
  ) => Effect.Effect<Performed<A>, E | DurableError, R>
}

/** Claims a place before anything else happens in its fiber. */
export const place = <A>(options: StepOptions<A>): Effect.Effect<ClaimedPlace<A>, DurableError> =>
  Effect.withFiber((fiber) => {
    const journal = Context.get(fiber.context, CurrentJournal)
    if (journal === undefined) return Effect.succeed(unrecorded)
    const { name } = options
    const asked = toJson(options.id)
    if (Result.isFailure(asked)) return Effect.fail(notJson(name, asked.failure))
    const claimed = claimIn(journal, name, asked.success)
    return Effect.succeed({
      key: Effect.promise(() => claimed.key),
      perform: (effect, isWhole = () => true) =>
        options.replayable === false
          ? Effect.map(Effect.provideService(effect, CurrentJournal, undefined), ranNow)
          : Effect.flatMap(known(journal, claimed), (place) =>
              performed(journal, place, options.schema, effect, isWhole)
            )
    })
  })

const ranNow = <A>(value: A): Performed<A> => ({ value, replayed: false })

const unrecorded: ClaimedPlace<any> = {
  key: Effect.succeed(undefined),
  perform: (effect) => Effect.map(effect, ranNow)
}

const known = (journal: Journal, claimed: Claimed): Effect.Effect<Place> =>
  Effect.map(Effect.all([Effect.promise(() => claimed.key), withoutSecrets]), ([key, mask]) => {
    const place = { ...claimed, name: mask(claimed.name), key }
    return { ...place, differs: differing(journal, place) }
  })

const performed = <A, E, R>(
  journal: Journal,
  place: Place,
  schema: Recordable<A>,
  effect: Effect.Effect<A, E, R>,
  isWhole: (value: A) => boolean
): Effect.Effect<Performed<A>, E | DurableError, R> =>
  Effect.suspend(() => {
    const { decode, encode } = outcomeCodec(schema)
    const below = journalBelow(journal, { ...place, key: Promise.resolve(place.key) })
    /** How the step ended, where that is not recorded. */
    let ended: Exit.Exit<A, E> | undefined
    const body = Effect.provideService(effect, CurrentJournal, below)
    const live = Effect.flatMap(
      Effect.exit(body),
      (exit): Effect.Effect<Schema.Json | undefined, DurableError> => {
        // Stopped, not failed: whatever stopped it knows what that means.
        if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
          return Effect.failCause(exit.cause as Cause.Cause<never>)
        const signal = Exit.isFailure(exit) ? signalOf(exit.cause) : undefined
        if (Exit.isFailure(exit) ? signal === undefined : !isWhole(exit.value)) {
          ended = exit
          return Effect.succeed(undefined)
        }
        const outcome = signal ?? { _tag: "Success" as const, value: (exit as Exit.Success<A>).value }
        return Effect.flatMap(
          Effect.mapError(encode(outcome), (error) => notEncodable(place.name, error)),
          (json) => recordable(place.name, json as Schema.Json)
        )
      }
    )
    return Effect.flatMap(
      journal.store.memo(place, live),
      ({ record, replayed }): Effect.Effect<Performed<A>, E | DurableError, R> => {
        if (ended !== undefined) return Effect.map(ended, ranNow)
        return Effect.matchEffect(decode(record), {
          onSuccess: (outcome): Effect.Effect<Performed<A>, E> =>
            outcome._tag === "Success"
              ? Effect.succeed({ value: outcome.value, replayed })
              : // A signal that was recorded is one that the effect failed with.
                Effect.fail(outcome as E),
          onFailure: (error) =>
            replayed
              ? Effect.flatMap(
                  Effect.promise(() => turnAway(journal, place)),
                  (place) => performed(journal, place, schema, effect, isWhole)
                )
              : // Doing the step again would not help, and would do it twice.
                Effect.fail(notEncodable(place.name, error))
        })
      }
    )
  })

/** The signal, where it is all that went wrong. */
const signalOf = (cause: Cause.Cause<unknown>): ToolSignal | undefined => {
  const [reason, ...others] = cause.reasons
  return reason !== undefined &&
    others.length === 0 &&
    Cause.isFailReason(reason) &&
    isToolSignal(reason.error)
    ? reason.error
    : undefined
}

export const notEncodable = (step: string, error: Schema.SchemaError) =>
  new DurableError({
    reason: "NotEncodable",
    step,
    problem: `Its result does not fit its schema: ${error.message}.`,
    hint: "Give it a schema that encodes what it gives, and decodes what it has encoded, also where a secret in it is hidden."
  })

const notJson = (
  step: string,
  { path, problem }: { readonly path: ReadonlyArray<unknown>; readonly problem: string }
) =>
  new DurableError({
    reason: "NotJson",
    step,
    problem: `What it asks is not JSON: ${[...path, problem].join(": ")}`,
    hint: "Give an id of which JSON says all that matters."
  })
