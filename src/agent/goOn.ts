/** Going on where a history has ended in calls without answers. */
import { Effect } from "effect"
import type { Prompt } from "effect/ai"
import { RunContext } from "../RunContext.ts"
import type { Call } from "../toolset/dispatch.ts"
import { type AgentError, DeferredResultsMismatch } from "./AgentError.ts"
import { conclude, type Ended, runGranted, tell } from "./conclude.ts"
import { answerEvent } from "./events.ts"
import { pendingIn } from "./history.ts"
import { offerOf, reserved, respond } from "./respond.ts"
import { complete, planned, stillGranted } from "./resume.ts"
import { contextOf, type Running } from "./running.ts"
import { limitReached } from "./texts.ts"

/** Runs them, or does what was said about them. */
export const goOn = Effect.fnUntracedEager(function* <E, R>(
  running: Running<E, R>
): Effect.fn.Return<Ended | undefined, AgentError | E, R> {
  const { ledger, options } = running
  const { deferredResults, prompt } = options
  const { ambiguous, answered, calls } = pendingIn(ledger.history)
  if (deferredResults === undefined && calls.length === 0) return undefined
  if (ambiguous.length > 0) return yield* sameIds(ambiguous)
  const run = contextOf(running, 0)
  return yield* Effect.gen(function* () {
    if (deferredResults === undefined) {
      if (prompt !== undefined) return yield* unanswered(calls)
      return yield* respond(running, yield* offerOf(running, run), calls, run)
    }
    if (calls.length === 0) return yield* nothingWaits(ledger.history)
    const plan = yield* planned(calls, answered, deferredResults)
    yield* complete(plan)
    const offer = yield* offerOf(running, run)
    yield* stillGranted(offer, plan)
    const mayRun = yield* reserved(running, plan.granted.length)
    plan.answered.forEach((one) => ledger.heard(one))
    yield* tell(running, plan.answered.map(answerEvent))
    const settled = mayRun ? yield* runGranted(running, offer, plan) : []
    const beyond = mayRun ? [] : plan.granted.map(({ call }) => [call, limitReached] as const)
    const round = { settled, final: undefined, notes: new Map(beyond) }
    return yield* conclude(running, offer, calls, round, plan.answered)
  }).pipe(Effect.provideService(RunContext, run))
})

const unanswered = (calls: ReadonlyArray<Call>): DeferredResultsMismatch =>
  new DeferredResultsMismatch({
    toolCallIds: calls.map((call) => call.id),
    problem:
      "The history ends in calls that wait, to which a prompt is no answer: give their deferredResults as well"
  })

const sameIds = (toolCallIds: ReadonlyArray<string>): DeferredResultsMismatch =>
  new DeferredResultsMismatch({
    toolCallIds,
    problem: "Several calls of the last response have one id, so that nobody can tell which was answered"
  })

const nothingWaits = (history: Prompt.Prompt): DeferredResultsMismatch =>
  new DeferredResultsMismatch({
    toolCallIds: [],
    problem:
      history.content.length === 0
        ? "Results were given, and the history is empty"
        : history.content.some((message) => message.role === "assistant")
          ? "Results were given, and the history has no calls that wait"
          : "Results were given, and the history has no response of a model"
  })
