/** How a run goes on: what was said to the calls that wait, as what is to be done. */
import { Effect, Option } from "effect"
import type {
  DeferredAnswered,
  DeferredCall,
  DeferredToolRequests,
  DeferredToolResults,
  SuspendedCall
} from "../Deferred.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { ModelRetry, ToolFailed } from "../ToolSignal.ts"
import { canonical } from "../toolset/canonical.ts"
import { returned } from "../toolset/outcome.ts"
import type { DeferredResultsMismatch } from "./AgentError.ts"
import type { Granted } from "./batch.ts"
import type { Answer, Answered, Placed } from "./history.ts"
import { direct, misfitIn, mismatch } from "./misfit.ts"
import { below, segment } from "./path.ts"
import { heard, left } from "./suspended.ts"

/** A call that may run, and the request that was granted. */
export interface Granting {
  readonly call: Granted & Placed
  readonly request: DeferredCall
  /** Whether somebody put other arguments in the place of those that were shown. */
  readonly isChanged: boolean
  /** How the run inside it goes on. */
  readonly inside: SuspendedCall | undefined
}

/** What is to be done about calls that wait. */
export interface Plan {
  /** Answered without running anything. */
  readonly answered: ReadonlyArray<Answered>
  readonly granted: ReadonlyArray<Granting>
  /** Nothing was said to these yet, or not to all that waits inside. */
  readonly open: ReadonlyArray<{ readonly call: Placed; readonly suspended: SuspendedCall | undefined }>
}

/** Finds what does not fit. `answered`: ids of calls that have their answer. */
export const planned = (
  pending: ReadonlyArray<Placed>,
  answered: ReadonlySet<string>,
  results: DeferredToolResults
): Effect.Effect<Plan, DeferredResultsMismatch> => {
  const misfit = misfitIn(pending, answered, results)
  if (misfit !== undefined) return Effect.fail(misfit)
  const suspended = new Map(results.suspended.map((one) => [one.call.toolCallId, heard(one, results)]))
  const given = new Map(direct(results).map((answer) => [answer.toolCallId, answer]))
  const plan = {
    answered: [] as Array<Answered>,
    granted: [] as Array<Granting>,
    open: [] as Array<Plan["open"][number]>
  }
  for (const call of pending) {
    const one = suspended.get(segment(call.id))
    const said = given.get(segment(call.id))
    if (one !== undefined && one.asks === undefined && Option.isNone(left(one)))
      plan.granted.push(goingOn(call, one))
    else if (said === undefined || said.request === null) plan.open.push({ call, suspended: one })
    else if (said.answer._tag === "Approved") plan.granted.push(granted(call, said.request, said.answer, one))
    else plan.answered.push({ call, answer: answerOf(said.answer) })
  }
  return Effect.succeed(plan)
}

/** A call that may run: with the arguments that were approved, which are the model's own unless somebody changed them. */
const granted = (
  call: Placed,
  request: DeferredCall,
  said: Partial<Extract<DeferredAnswered["answer"], { readonly _tag: "Approved" }>>,
  inside: SuspendedCall | undefined
): Granting => {
  // Also null is what somebody said.
  const isChanged = "args" in said
  const args: unknown = isChanged ? said.args : "changedArgs" in request ? request.changedArgs : call.args
  const shown = isChanged ? undefined : shownIn(request)
  const grant = {
    approved: true,
    metadata: said.metadata ?? {},
    grant: { shown, goesOn: inside !== undefined, isByHand: false }
  }
  return { call: { ...call, args, grant }, request, isChanged, inside }
}

const shownIn = (request: DeferredCall): ReadonlyArray<string> =>
  ("decodedArgs" in request ? [request.decodedArgs, request.args] : [request.args]).map(canonical)

/** A call in which a run goes on: as approved as it was when it began. */
const goingOn = (call: Placed, one: SuspendedCall): Granting => {
  const { approved, call: request } = one
  const granting = granted(call, request, {}, one)
  const grant =
    approved === undefined
      ? { approved: false, metadata: {}, grant: { goesOn: true, isByHand: false } }
      : { ...granting.call.grant, approved: true, metadata: approved }
  return { ...granting, call: { ...granting.call, grant } }
}

/** From outside, everything that waits has to be answered. */
export const complete = (plan: Plan): Effect.Effect<void, DeferredResultsMismatch> => {
  const missing = plan.open.flatMap(({ call, suspended }) => {
    const id = segment(call.id)
    return suspended === undefined || suspended.asks !== undefined
      ? [id]
      : Option.match(left(suspended), { onNone: () => [], onSome: idsOf }).map((inner) => below(id, inner))
  })
  return missing.length === 0
    ? Effect.void
    : Effect.fail(mismatch("Results are missing for calls that wait", missing))
}

const answerOf = (answer: Exclude<DeferredAnswered["answer"], { readonly _tag: "Approved" }>): Answer => {
  switch (answer._tag) {
    case "Returned":
      return returned(new ToolReturn(answer))
    case "Retry":
      return new ModelRetry({ message: answer.message, reason: "body" })
    case "Failed":
      return new ToolFailed({ message: answer.message, details: answer.details })
    case "Denied":
      return answer
    case "Unusable":
      // `wrongAnswer` has found it.
      return { _tag: "Denied", reason: answer.problem }
  }
}

const idsOf = ({ approvals, calls }: DeferredToolRequests): ReadonlyArray<string> =>
  [...approvals, ...calls].map((call) => call.toolCallId)
