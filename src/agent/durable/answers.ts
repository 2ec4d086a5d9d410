/** What somebody said to calls that wait, as steps: nobody is asked twice. */
import { Data, Effect, Equal, Schema } from "effect"
import { DeferredCall, type DeferredToolRequests, DeferredToolResults } from "../../Deferred.ts"
import { place, step } from "../../durable/slot.ts"
import { pendingIn } from "../history.ts"
import { complete, planned } from "../resume.ts"
import type { OnDeferred } from "../run.ts"
import type { DeferredResultsMismatch } from "../AgentError.ts"
import type { Running } from "../running.ts"
import { waitingIn } from "../suspended.ts"

type Answering = Running<unknown, unknown>["answering"]

/**
 * The handlers of a run, and behind them what the run was given from outside. A run that stopped to ask is asked for
 * again as it was, with results: it comes to where it waits by its records, and there they are.
 */
export const answeringFrom = <E, R>({
  answering,
  ledger,
  options
}: Running<E, R>): Pick<Running<E, R>, "answering" | "options"> => {
  // Calls that wait in the history are answered as in any other run.
  const waitsInHistory = pendingIn(ledger.history).calls.length > 0
  const given = waitsInHistory ? undefined : options.deferredResults
  return {
    options: waitsInHistory ? options : { ...options, deferredResults: undefined },
    answering: fromOutside(answering, new Said(given))
  }
}

/** What was said from outside. */
class Said {
  /** Until it has been heard. */
  results: DeferredToolResults | undefined
  /** Whether there was an answer to what was asked last. */
  isAnswering = true
  constructor(results: DeferredToolResults | undefined) {
    this.results = results
  }
}

const fromOutside = (answering: Answering, said: Said): Answering =>
  function* () {
    for (const handler of answering()) yield recorded(handler)
    // What runs when it was granted may wait again.
    said.isAnswering = true
    while (said.isAnswering) yield (requests) => heard(requests, said)
  }

const Results = Schema.NullOr(DeferredToolResults)

const recorded =
  <E, R>(handler: OnDeferred<E, R>): OnDeferred<E, R> =>
  (requests) =>
    Effect.map(
      step(
        { name: "answer", id: idOf(requests), schema: Results },
        Effect.map(handler(requests), (results) => results ?? null)
      ) as Effect.Effect<DeferredToolResults | null, E, R>,
      (results) => results ?? undefined
    )

const heard = Effect.fnUntraced(
  function* (requests: DeferredToolRequests, said: Said) {
    const { perform } = yield* place({ name: "results", id: idOf(requests), schema: DeferredToolResults })
    const { results } = said
    said.isAnswering = false
    const saying: Effect.Effect<DeferredToolResults, DeferredResultsMismatch | NothingSaid> =
      results === undefined ? Effect.fail(new NothingSaid()) : Effect.as(fits(requests, results), results)
    const { replayed, value } = yield* perform(saying)
    // The same again is no answer to what is asked after it.
    if (!replayed || Equal.equals(value, results)) said.results = undefined
    said.isAnswering = true
    return value
  },
  Effect.catchTag("NothingSaid", () => Effect.undefined)
)

class NothingSaid extends Data.TaggedError("NothingSaid") {}

/** What is recorded is what will do. */
const fits = (requests: DeferredToolRequests, results: DeferredToolResults) =>
  Effect.flatMap(planned(waitingIn(requests), new Set(), results), complete)

/** What is asked, and not what came of the calls before. */
const idOf = ({ approvals, calls }: DeferredToolRequests): Schema.Json => {
  const digests = (asked: ReadonlyArray<DeferredCall>) =>
    asked.map(({ digest, toolCallId }) => [toolCallId, digest])
  return { calls: digests(calls), approvals: digests(approvals) }
}
