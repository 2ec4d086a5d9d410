/** The calls of a response: run, and written down. */
import { Effect } from "effect"
import { RunContext } from "../RunContext.ts"
import { type Offer, offer as offered } from "../toolset/collect.ts"
import type { Call } from "../toolset/dispatch.ts"
import { supplied } from "../toolset/environment.ts"
import type { UsageLimitExceeded } from "./AgentError.ts"
import * as Bounds from "./bounds.ts"
import { conclude } from "./conclude.ts"
import { round } from "./round.ts"
import { conditionsOf, type Running } from "./running.ts"

/** What the model is offered: the output tools, then those of the toolsets. */
export const offerOf = <E, R>({ listing, settings }: Running<E, R>, run: RunContext["Service"]) =>
  supplied(
    Effect.flatMapEager(listing.list(run), (tools) => offered(settings.outputs.beside(tools), run)),
    RunContext,
    run
  )

/** How a response stands to the limits: whether it was to be the last, and which one it has crossed itself. */
export interface Standing {
  readonly isLast: boolean
  readonly crossed: Bounds.Crossing | undefined
}

const untouched: Standing = { isLast: false, crossed: undefined }

/** Runs the calls of a response, and writes it down. */
export const respond = <E, R>(
  running: Running<E, R>,
  offer: Offer<E>,
  calls: ReadonlyArray<Call>,
  run: RunContext["Service"],
  standing: Standing = untouched
) => supplied(answering(running, offer, calls, standing), RunContext, run)

const answering = Effect.fnUntracedEager(function* <E, R>(
  running: Running<E, R>,
  offer: Offer<E>,
  calls: ReadonlyArray<Call>,
  standing: Standing
) {
  const { endStrategy } = running.settings
  const mayRun = (functions: number) => reserved(running, functions, standing)
  const done = yield* round(endStrategy, offer, calls, conditionsOf(running), mayRun)
  return yield* conclude(running, offer, calls, done)
})

/** Whether so many functions may run. Where they may not, the next answer is the last one, or the run fails. */
export const reserved = (
  { bounds, ledger }: Running<unknown, unknown>,
  functions: number,
  { crossed, isLast }: Standing = untouched
): Effect.Effect<boolean, UsageLimitExceeded> => {
  if (functions === 0) return Effect.succeed(true)
  const over = crossed ?? Bounds.beforeCalls(bounds, functions)
  if (over === undefined) {
    ledger.reserved = functions
    return Effect.succeed(true)
  }
  if (isLast || !Bounds.asksToAnswer(over)) return Bounds.stopped(bounds, over)
  ledger.isEnding = true
  return Effect.succeed(false)
}
