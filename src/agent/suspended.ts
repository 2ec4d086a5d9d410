/** Calls in which another run waits: what it asks is asked outside under a path, `outer/inner`. */
import { Option } from "effect"
import {
  type DeferredAnswered,
  DeferredCall,
  type DeferredToolRequests,
  DeferredToolResults,
  SuspendedCall
} from "../Deferred.ts"

/** Whether an answer is to something that waits inside. */
export const isInside = (one: SuspendedCall, answer: DeferredAnswered): boolean =>
  answer.toolCallId.startsWith(`${one.call.toolCallId}/`)

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
      toolCallId: `${outer.toolCallId}/${call.toolCallId}`,
      source: [outer.toolName, ...call.source]
    })

/** What is still to be asked of a suspended call, as the run outside asks it. */
export const askedInside = (one: SuspendedCall): Pick<DeferredToolRequests, "calls" | "approvals"> =>
  Option.match(left(one), {
    onNone: () => ({ calls: [], approvals: [] }),
    onSome: ({ approvals, calls }) => ({
      calls: calls.map(outward(one.call)),
      approvals: approvals.map(outward(one.call))
    })
  })

/** How a run inside a call goes on. */
export const resumedInside = (one: SuspendedCall) => ({
  history: one.history,
  results: new DeferredToolResults({ answers: one.given, suspended: one.requests.suspended })
})
