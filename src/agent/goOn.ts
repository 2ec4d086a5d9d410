/** Going on where a history has ended in calls without answers. */
import { Effect } from "effect"
import type { Prompt } from "effect/ai"
import type { DeferredToolResults } from "../Deferred.ts"
import { RunContext } from "../RunContext.ts"
import type { ToolResultError, ToolsetError } from "../ToolsetError.ts"
import type { Offer } from "../toolset/collect.ts"
import type { Call } from "../toolset/dispatch.ts"
import type { AgentError, DeferredResultsMismatch } from "./AgentError.ts"
import { admitAll, type BatchError } from "./batch.ts"
import { conclude, type Ended, runGranted, tell } from "./conclude.ts"
import { answerEvent } from "./events.ts"
import { stillGranted } from "./grants.ts"
import { type Pending, pendingIn } from "./history.ts"
import { mismatch } from "./misfit.ts"
import { segment } from "./path.ts"
import { offerOf, reserved, respond } from "./respond.ts"
import { complete, type Plan, planned } from "./resume.ts"
import { conditionsOf, contextOf, type Running } from "./running.ts"
import { limitReached } from "./texts.ts"

/** Runs them, or does what was said about them. */
export const goOn = Effect.fnUntracedEager(function* <E, R>(
  running: Running<E, R>
): Effect.fn.Return<Ended | undefined, AgentError | E, R> {
  const { ledger, options } = running
  const { deferredResults, prompt } = options
  const pending = pendingIn(ledger.history)
  const { calls } = pending
  if (deferredResults === undefined && calls.length === 0) return undefined
  const run = contextOf(running, 0)
  return yield* Effect.gen(function* () {
    if (deferredResults === undefined) {
      if (pending.ambiguous.length > 0) return yield* sameIds(pending)
      if (prompt !== undefined) return yield* unanswered(calls)
      return yield* respond(running, yield* offerOf(running, run), calls, run)
    }
    const { offer, plan } = yield* intended(running, pending, deferredResults)
    const mayRun = yield* reserved(running, plan.granted.length)
    plan.answered.forEach((one) => ledger.heard(one))
    yield* tell(running, plan.answered.map(answerEvent))
    const settled = mayRun ? yield* runGranted(running, offer, plan.granted) : []
    const beyond = mayRun ? [] : plan.granted.map(({ call }) => [call, limitReached] as const)
    const round = { settled, final: undefined, notes: beyond }
    return yield* conclude(running, offer, calls, round, plan.answered)
  }).pipe(Effect.provideService(RunContext, run))
})

/** Finds what does not fit, here or in runs inside of calls, and runs nothing. */
export const check = Effect.fnUntraced(function* <E, R>(
  running: Running<E, R>
): Effect.fn.Return<void, BatchError | DeferredResultsMismatch | ToolsetError | E, R> {
  const { inside, ledger, options } = running
  if (options.deferredResults === undefined) return
  const run = contextOf(running, 0)
  const { offer, plan } = yield* Effect.provideService(
    intended(running, pendingIn(ledger.history), options.deferredResults),
    RunContext,
    run
  )
  const around = plan.granted.filter((one) => one.inside !== undefined)
  for (const { call, inside: one } of around) if (one !== undefined) inside.resumed.set(call.id, one)
  inside.isChecking = true
  const calls = around.map(({ call }) => call)
  yield* Effect.provideService(admitAll(offer, calls, conditionsOf(running)), RunContext, run)
})

/** What is to be done, where all of it fits. */
const intended = Effect.fnUntraced(function* <E, R>(
  running: Running<E, R>,
  pending: Pending,
  results: DeferredToolResults
): Effect.fn.Return<
  { readonly offer: Offer<E>; readonly plan: Plan },
  DeferredResultsMismatch | ToolResultError | ToolsetError | E,
  RunContext
> {
  const { ambiguous, answered, calls } = pending
  if (ambiguous.length > 0) return yield* sameIds(pending)
  if (calls.length === 0) return yield* nothingWaits(running.ledger.history)
  const plan = yield* planned(calls, answered, results)
  yield* complete(plan)
  const offer = yield* offerOf(running, yield* RunContext)
  return { offer, plan: { ...plan, granted: yield* stillGranted(offer, plan.granted) } }
})

const unanswered = (calls: ReadonlyArray<Call>): DeferredResultsMismatch =>
  mismatch(
    "The history ends in calls that wait, to which a prompt is no answer: give their deferredResults as well",
    calls.map((call) => segment(call.id))
  )

const sameIds = ({ ambiguous }: Pending): DeferredResultsMismatch =>
  mismatch(
    "Several calls of the last response have one id, so that nobody can tell which was answered",
    ambiguous.map(segment)
  )

const nothingWaits = (history: Prompt.Prompt): DeferredResultsMismatch =>
  mismatch(
    history.content.length === 0
      ? "Results were given, and the history is empty"
      : history.content.some((message) => message.role === "assistant")
        ? "Results were given, and the history has no calls that wait"
        : "Results were given, and the history has no response of a model",
    []
  )
