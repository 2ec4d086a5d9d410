/** Calls in which another run waits: what it asks is asked outside under a path, `outer/inner`. */
import { Option } from "effect"
import {
  type DeferredAnswered,
  DeferredCall,
  type DeferredToolRequests,
  DeferredToolResults,
  SuspendedCall
} from "../Deferred.ts"
import type { Placed } from "./history.ts"
import { below, idOf, isBelow, isNested } from "./path.ts"

/** Whether an answer is to something that waits inside. */
export const isInside = (one: SuspendedCall, answer: DeferredAnswered): boolean =>
  isBelow(answer.toolCallId, one.call.toolCallId)

/** A suspended call with what was said to what waits inside it. */
export const heard = (one: SuspendedCall, results: DeferredToolResults): SuspendedCall =>
  new SuspendedCall({
    ...one,
    given: [...one.given, ...results.answers.filter((answer) => isInside(one, answer)).map(inward(one))]
  })

/** What is still waited for inside. */
export const left = ({ given, requests }: SuspendedCall): Option.Option<DeferredToolRequests> =>
  DeferredToolResults.remaining(
    requests,
    new DeferredToolResults({ answers: given, suspended: requests.suspended })
  )

/** An answer as the run inside knows it. */
const inward =
  ({ call }: SuspendedCall) =>
  (answer: DeferredAnswered): DeferredAnswered => {
    const inner = (id: string) => id.slice(call.toolCallId.length + 1)
    const request =
      answer.request === null
        ? null
        : new DeferredCall({
            ...answer.request,
            toolCallId: inner(answer.request.toolCallId),
            source: answer.request.source.slice(1)
          })
    return { ...answer, toolCallId: inner(answer.toolCallId), request }
  }

/** Requests of a run inside a call as the run outside asks them. */
export const outward =
  (outer: DeferredCall) =>
  (call: DeferredCall): DeferredCall =>
    new DeferredCall({
      ...call,
      toolCallId: below(outer.toolCallId, call.toolCallId),
      source: [outer.toolName, ...call.source]
    })

/** What is still to be asked of what waits inside a call, as the run outside asks it. */
export const askedInside = (one: SuspendedCall): Pick<DeferredToolRequests, "calls" | "approvals"> =>
  Option.match(left(one), {
    onNone: () => ({ calls: [], approvals: [] }),
    onSome: ({ approvals, calls }) => ({
      calls: calls.map(outward(one.call)),
      approvals: approvals.map(outward(one.call))
    })
  })

/** How a run inside a call goes on: with what was said, unless that has been heard already. */
export const resumedInside = ({ given, history, requests }: SuspendedCall) => ({
  history,
  results:
    given.length === 0
      ? undefined
      : new DeferredToolResults({ answers: given, suspended: requests.suspended })
})

/** The calls that wait in a run itself: also those in which another one does. */
export const waitingIn = ({ approvals, calls, suspended }: DeferredToolRequests): ReadonlyArray<Placed> => {
  const own = [...calls, ...approvals].filter((call) => !isNested(call.toolCallId))
  const around = suspended.filter((one) => one.asks === undefined).map((one) => one.call)
  return [...own, ...around].map((call) => ({
    id: idOf(call.toolCallId),
    name: call.toolName,
    args: call.rawArgs,
    place: call.place
  }))
}
