/** What was said to calls that wait, compared with those that do. A run inside a call does that for its own. */
import { Equal } from "effect"
import type { DeferredAnswered, DeferredCall, DeferredToolResults } from "../Deferred.ts"
import { DeferredResultsMismatch } from "./AgentError.ts"
import type { Placed } from "./history.ts"
import { below, idOf, segment } from "./path.ts"
import { repeated } from "./repeated.ts"
import { isInside } from "./suspended.ts"

export const mismatch = (problem: string, toolCallIds: ReadonlyArray<string>): DeferredResultsMismatch =>
  new DeferredResultsMismatch({ problem, toolCallIds })

/** The first thing that does not fit. `answered`: ids of calls that have their answer. */
export const misfitIn = (
  pending: ReadonlyArray<Placed>,
  answered: ReadonlySet<string>,
  results: DeferredToolResults
): DeferredResultsMismatch | undefined => {
  const twice = repeated(results.answers.map((answer) => answer.toolCallId))
  if (twice.length > 0) return mismatch("Calls were answered twice", twice)
  const byId = new Map(pending.map((call) => [segment(call.id), call]))
  const notWaiting = (id: string) =>
    byId.has(id)
      ? undefined
      : answered.has(idOf(id))
        ? "A call that has its answer already cannot be answered again"
        : "There is no call of this id that waits"

  for (const answer of direct(results)) {
    const id = answer.toolCallId
    const problem = notWaiting(id) ?? wrongAnswer(answer) ?? wrongCall(answer.request, byId.get(id))
    if (problem !== undefined) return mismatch(problem, [id])
  }
  for (const one of results.suspended) {
    const id = one.call.toolCallId
    const problem = notWaiting(id) ?? wrongCall(one.call, byId.get(id))
    if (problem !== undefined) return mismatch(problem, [id])
  }
  return undefined
}

/** What does not fit inside of a call, as the run outside says it. */
export const under = (outer: string, misfit: DeferredResultsMismatch): DeferredResultsMismatch =>
  mismatch(
    misfit.problem,
    misfit.toolCallIds.map((id) => below(outer, id))
  )

/** The answers to what a run itself waits for. */
export const direct = ({ answers, suspended }: DeferredToolResults): ReadonlyArray<DeferredAnswered> =>
  answers.filter((answer) => !suspended.some((one) => isInside(one, answer)))

const wrongAnswer = ({ answer, asked, given, request }: DeferredAnswered): string | undefined => {
  if (request === null) return "The answer is to no request"
  if (answer._tag === "Unusable") return `The answer cannot be used: ${answer.problem}`
  const isDecision = answer._tag === "Approved" || answer._tag === "Denied"
  if (asked === given && isDecision === (asked === "approval")) return undefined
  return asked === "approval"
    ? "The call waits for an approval, and was given a result"
    : "The call waits for a result, and was given an approval"
}

const wrongCall = (request: DeferredCall | null, call: Placed | undefined): string | undefined => {
  if (request?.toolName !== call?.name || !Equal.equals(request?.rawArgs, call?.args ?? null))
    return "The answer is to another call"
  return request?.place === call?.place ? undefined : "The answer is to another call of this id"
}
