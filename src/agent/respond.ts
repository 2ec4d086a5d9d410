/** The calls of a response: run, and written down. */
import { Effect } from "effect"
import { RunContext } from "../RunContext.ts"
import { type Offer, offer as offered } from "../toolset/collect.ts"
import type { Call } from "../toolset/dispatch.ts"
import { supplied } from "../toolset/environment.ts"
import { conclude } from "./conclude.ts"
import { round } from "./round.ts"
import { conditionsOf, type Running } from "./running.ts"
import { limitReached } from "./texts.ts"

/** What the model is offered: the output tools, then those of the toolsets. */
export const offerOf = <E, R>({ listing, settings }: Running<E, R>, run: RunContext["Service"]) =>
  supplied(
    Effect.flatMapEager(listing.list(run), (tools) => offered(settings.outputs.beside(tools), run)),
    RunContext,
    run
  )

/** Runs calls of a response, and writes it down; what does not run is beyond a limit. */
export const respond = <E, R>(
  running: Running<E, R>,
  offer: Offer<E>,
  calls: ReadonlyArray<Call>,
  toRun: ReadonlyArray<Call>,
  run: RunContext["Service"]
) =>
  Effect.gen(function* () {
    const done = yield* round(running.settings.endStrategy, offer, toRun, conditionsOf(running))
    const beyond = calls.filter((call) => !toRun.includes(call)).map((call) => [call, limitReached] as const)
    return yield* conclude(running, offer, calls, { ...done, notes: new Map([...done.notes, ...beyond]) })
  }).pipe(Effect.provideService(RunContext, run))
