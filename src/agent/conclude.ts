/** The end of a step: every call has its answer, or the run has what it waits for. */
import { Effect } from "effect"
import type { RunContext } from "../RunContext.ts"
import type { Offer } from "../toolset/collect.ts"
import type { Call } from "../toolset/dispatch.ts"
import { isDeferral } from "../toolset/outcome.ts"
import type { AgentError } from "./AgentError.ts"
import { DeferralNotAllowed } from "./AgentError.ts"
import { admitAll, type BatchError, performAll, type Settled } from "./batch.ts"
import { answerEvent, type Event } from "./events.ts"
import { stillGranted } from "./grants.ts"
import { type Answered, placeIn } from "./history.ts"
import { taken } from "./nesting.ts"
import type { OutputTool } from "./output.ts"
import { type Granting, type Plan, planned } from "./resume.ts"
import type { Round } from "./round.ts"
import { conditionsOf, type Running } from "./running.ts"
import { toolNotExecuted } from "./texts.ts"
import { requestsOf, type Waiting, waitingFor } from "./waiting.ts"

/** What the run ends with. */
export interface Ended {
  readonly output: unknown
}

/** Writes the step down. `before`: calls that were answered without running. */
export const conclude = Effect.fnUntracedEager(function* <E, R>(
  running: Running<E, R>,
  offer: Offer<E>,
  calls: ReadonlyArray<Call>,
  round: Round<E>,
  before: ReadonlyArray<Answered> = []
): Effect.fn.Return<Ended | undefined, AgentError | E, RunContext | R> {
  const { ledger, settings } = running
  const plain = plainAnswers(running, calls, round)
  if (plain !== undefined) {
    ledger.settle(plain, round.settled)
    return undefined
  }
  const answered = new Map(before.map((one) => [one.call.id, one]))
  for (const [call, reason] of round.notes)
    answered.set(call.id, { call, answer: { _tag: "NotExecuted", reason } })
  const settled = [...round.settled]
  const byId = new Map(calls.map((call) => [call.id, call]))
  let waiting = inOrder(calls, yield* sort(running, byId, settled, answered, round.final !== undefined))

  if (round.final !== undefined) yield* tell(running, deferredIn(settled, answered).map(answerEvent))
  if (waiting.length > 0) yield* tell(running, [{ _tag: "Deferred", requests: requestsOf(waiting) }])
  for (const handler of running.answering()) {
    if (waiting.length === 0) break
    const results = yield* handler(requestsOf(waiting))
    if (results === undefined) continue
    const plan = yield* planned(
      waiting.map((one) => one.call),
      new Set(answered.keys()),
      results
    )
    const granted = yield* stillGranted(offer, plan.granted)
    for (const one of plan.answered) {
      answered.set(one.call.id, one)
      ledger.heard(one)
    }
    yield* tell(running, plan.answered.map(answerEvent))
    const again = yield* runGranted(running, offer, granted)
    settled.push(...again)
    const anew = yield* sort(running, byId, again, answered, false)
    waiting = inOrder(calls, [...leftOpen(waiting, plan), ...anew])
  }

  ledger.settle(
    calls.flatMap((call) => answered.get(call.id) ?? []),
    settled
  )
  if (round.final !== undefined) return { output: outputOf(round.final) }
  if (waiting.length === 0) return undefined
  if (settings.outputs.allowsDeferral) return { output: requestsOf(waiting) }
  return yield* new DeferralNotAllowed({ toolNames: waiting.map((one) => one.call.name) })
})

/** The answers of most steps: the calls have run, in order and as they were made, and nothing waits for anybody. */
const plainAnswers = (
  { inside }: Running<unknown, unknown>,
  calls: ReadonlyArray<Call>,
  { final, notes, settled }: Round<unknown>
): ReadonlyArray<Answered> | undefined => {
  if (final !== undefined || notes.length > 0 || settled.length !== calls.length) return undefined
  if (inside.suspended.size + inside.resumed.size > 0) return undefined
  const answers: Array<Answered> = []
  for (const [i, { admission, outcome }] of settled.entries()) {
    if (isDeferral(outcome) || admission.call !== calls[i]) return undefined
    answers.push({ call: admission.call, answer: outcome })
  }
  return answers
}

/** Runs what somebody said yes to. */
export const runGranted = Effect.fnUntraced(function* <E, R>(
  running: Running<E, R>,
  offer: Offer<E>,
  granted: ReadonlyArray<Granting>
): Effect.fn.Return<ReadonlyArray<Settled<E>>, E | BatchError, RunContext> {
  const { inside, ledger } = running
  for (const { call, inside: one } of granted) if (one !== undefined) inside.resumed.set(call.id, one)
  const conditions = conditionsOf(running)
  const calls = granted.map((one) => one.call)
  // Alone, a run inside a call finds what does not fit before anything runs.
  inside.isChecking = calls.length > 1
  const admissions = yield* admitAll(offer, calls, conditions)
  inside.isChecking = false
  ledger.hasBegun = true
  return yield* performAll(admissions, conditions)
})

/** Answers what has ended, and gives what waits; where an output ends the run, nothing does. */
const sort = Effect.fnUntracedEager(function* <E, R>(
  { inside, ledger }: Running<E, R>,
  calls: ReadonlyMap<string, Call>,
  settled: ReadonlyArray<Settled<E>>,
  answered: Map<string, Answered>,
  isFinal: boolean
): Effect.fn.Return<ReadonlyArray<Waiting>, never, RunContext> {
  const waiting: Array<Waiting> = []
  for (const one of settled) {
    const { outcome } = one
    // As the model made it, where it ran with other arguments.
    const call = calls.get(one.admission.call.id) ?? one.admission.call
    const suspended = taken(inside.suspended, call.id)
    // What was said is for this call, also where it did not come to ask for it.
    const unheard = taken(inside.resumed, call.id)
    if (answered.has(call.id)) continue
    if (!isDeferral(outcome)) answered.set(call.id, { call, answer: outcome })
    else if (isFinal)
      answered.set(call.id, { call, answer: { _tag: "NotExecuted", reason: toolNotExecuted } })
    else {
      const placed = { ...call, place: placeIn(ledger.messages, call.id) }
      waiting.push(yield* waitingFor(placed, one, outcome, suspended ?? unheard))
    }
  }
  return waiting
})

/** In the order in which the model made the calls. */
const inOrder = (calls: ReadonlyArray<Call>, waiting: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> => {
  if (waiting.length < 2) return waiting
  const places = new Map(calls.map((call, i) => [call.id, i]))
  return waiting.toSorted((a, b) => places.get(a.call.id)! - places.get(b.call.id)!)
}

/** How calls were answered that would have waited, had no output ended the run. */
const deferredIn = (
  settled: ReadonlyArray<Settled<unknown>>,
  answered: ReadonlyMap<string, Answered>
): ReadonlyArray<Answered> =>
  settled.flatMap(({ admission: { call }, outcome }) =>
    isDeferral(outcome) ? (answered.get(call.id) ?? []) : []
  )

/** What waits on, with what was said so far to what waits inside. */
const leftOpen = (waiting: ReadonlyArray<Waiting>, plan: Plan): ReadonlyArray<Waiting> => {
  const open = new Map(plan.open.map((one) => [one.call.id, one]))
  return waiting.flatMap((one) => {
    const left = open.get(one.call.id)
    return left === undefined ? [] : [{ ...one, suspended: left.suspended ?? one.suspended }]
  })
}

const outputOf = ({ admission: { args, tool } }: Settled<unknown>): unknown =>
  // An output call that returned is one of an output tool, and was decoded.
  args === undefined ? undefined : (tool as OutputTool<unknown>).read(args)

export const tell = <E, R>(
  { watch }: Running<E, R>,
  events: ReadonlyArray<Event<never>>
): Effect.Effect<void> =>
  watch.emit === undefined ? Effect.void : Effect.forEach(events, watch.emit, { discard: true })
