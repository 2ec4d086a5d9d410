/** The calls of one response when some of them end the run: which run, which are used, and in what order. */
import { Effect } from "effect"
import type { RunContext } from "../RunContext.ts"
import type { Offer } from "../toolset/collect.ts"
import type { Admission, Call } from "../toolset/dispatch.ts"
import type { OutputRetriesExceeded, UsageLimitExceeded } from "./AgentError.ts"
import {
  admitAll,
  type BatchError,
  type Conditions,
  ending,
  isOutput,
  performAll,
  type Settled,
  withinOutputBudget
} from "./batch.ts"
import {
  limitReached,
  outputNotUsed,
  outputProcessedUnused,
  outputWithdrawn,
  toolNotExecuted
} from "./texts.ts"

/**
 * What becomes of the other calls when an output is valid: `early` skips them; `graceful` (the default) runs those of
 * functions, and uses the first output; `exhaustive` runs all. A function that asks for a retry withdraws the output.
 */
export type EndStrategy = "early" | "graceful" | "exhaustive"

export interface Round<out E> {
  /** What has run, with how it ended. */
  readonly settled: ReadonlyArray<Settled<E>>
  /** The output call that ends the run, if there is one. */
  readonly final: Settled<E> | undefined
  /** Why a call did not run, or its output is not used. */
  readonly notes: ReadonlyArray<Note>
}

/** Of two about the same call, the later one holds. */
type Note = readonly [call: Call, reason: string]

type RoundError = BatchError | OutputRetriesExceeded | UsageLimitExceeded

/** Runs the calls of a response. `mayRun` is asked about the functions among them, once, before any of them begins. */
export const round = Effect.fnUntracedEager(function* <E>(
  strategy: EndStrategy,
  offer: Offer<E>,
  calls: ReadonlyArray<Call>,
  conditions: Conditions,
  mayRun: (functions: number) => Effect.Effect<boolean, UsageLimitExceeded>
): Effect.fn.Return<Round<E>, E | RoundError, RunContext> {
  const perform = (admissions: ReadonlyArray<Admission<E>>) => performAll(admissions, conditions)
  const isOutputCall = (call: Call) => offer.byName.get(call.name)?.definition.kind === "output"
  const outputs = calls.filter(isOutputCall)
  const functions = calls.filter((call) => !isOutputCall(call))

  if (strategy === "early" && outputs.length > 0) {
    const ended = yield* inTurn(yield* admitted(offer, outputs, conditions), perform)
    if (ended.final !== undefined) return noted(ended, functions, toolNotExecuted)
    yield* affordable(ended.settled, conditions)
    if (!(yield* mayRun(functions.length))) return noted(ended, functions, limitReached)
    const rest = yield* perform(yield* admitAll(offer, functions, conditions))
    return { ...ended, settled: [...ended.settled, ...rest] }
  }

  const mayAll = yield* mayRun(functions.length)
  const admissions = yield* admitted(offer, mayAll ? calls : outputs, conditions)
  const isUnordered = strategy === "exhaustive" || outputs.length === 0
  const ended = isUnordered ? firstOf(yield* perform(admissions)) : yield* inTurn(admissions, perform)
  if (ended.final === undefined) yield* affordable(ended.settled, conditions)
  return withdrawn(mayAll ? ended : noted(ended, functions, limitReached))
})

/** Admits calls; where every output among them is refused, and no retry is left for one, none has begun. */
const admitted = <E>(offer: Offer<E>, calls: ReadonlyArray<Call>, conditions: Conditions) =>
  Effect.flatMapEager(admitAll(offer, calls, conditions), (admissions) => {
    const refused = admissions.filter(isOutput).map((one) => one.refused)
    const [first] = refused
    const isAffordable =
      first !== undefined && refused.every((one) => one !== undefined)
        ? ending(admissions, conditions, withinOutputBudget(first.message, conditions))
        : Effect.void
    return Effect.mapEager(isAffordable, () => admissions)
  })

/** What is not valid costs a retry where nothing else is. */
const affordable = (settled: ReadonlyArray<Settled<unknown>>, conditions: Conditions) => {
  const refused = settled.find((one) => isOutput(one.admission))?.outcome
  return refused?._tag === "ModelRetry" ? withinOutputBudget(refused.message, conditions) : Effect.void
}

const noted = <E>(round: Round<E>, calls: ReadonlyArray<Call>, reason: string): Round<E> => ({
  ...round,
  notes: [...round.notes, ...calls.map((call) => [call, reason] as const)]
})

type Perform<E> = (
  admissions: ReadonlyArray<Admission<E>>
) => Effect.Effect<ReadonlyArray<Settled<E>>, E | BatchError, RunContext>

/** In order: the functions before an output, then the output, unless there is one already. */
const inTurn = Effect.fnUntracedEager(function* <E>(
  admissions: ReadonlyArray<Admission<E>>,
  perform: Perform<E>
): Effect.fn.Return<Round<E>, E | BatchError, RunContext> {
  const settled: Array<Settled<E>> = []
  const notes: Array<Note> = []
  let final: Settled<E> | undefined
  let waiting: Array<Admission<E>> = []
  for (const admission of admissions) {
    if (!isOutput(admission)) waiting.push(admission)
    else if (final !== undefined) notes.push([admission.call, outputNotUsed])
    else {
      settled.push(...(yield* perform(waiting)))
      waiting = []
      const [output] = yield* perform([admission])
      if (output === undefined) continue
      settled.push(output)
      if (output.outcome._tag === "Returned") final = output
    }
  }
  settled.push(...(yield* perform(waiting)))
  return { settled, notes, final }
})

/** All have run; the first valid output counts. */
const firstOf = <E>(settled: ReadonlyArray<Settled<E>>): Round<E> => {
  const [final, ...others] = settled.filter(
    ({ admission, outcome }) => isOutput(admission) && outcome._tag === "Returned"
  )
  return {
    settled,
    final,
    notes: others.map(({ admission }) => [admission.call, outputProcessedUnused])
  }
}

/** A function that wants to be called again comes first. A name that nobody offers does not. */
const withdrawn = <E>(round: Round<E>): Round<E> => {
  if (round.final === undefined) return round
  const isAsking = round.settled.some(
    ({ admission, outcome }) =>
      admission.tool !== undefined && !isOutput(admission) && outcome._tag === "ModelRetry"
  )
  if (!isAsking) return round
  const notes = [...round.notes, [round.final.admission.call, outputWithdrawn] as const]
  return { ...round, final: undefined, notes }
}
