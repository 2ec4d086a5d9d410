/** How a run goes on: what was said to the calls that wait, checked against those that do. */
import { Effect, Equal, Option } from "effect"
import type { RunContext } from "../RunContext.ts"
import type {
  DeferredAnswered,
  DeferredCall,
  DeferredToolRequests,
  DeferredToolResults,
  SuspendedCall
} from "../Deferred.ts"
import { DeferredResultsMismatch } from "./AgentError.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { isToolSignal, ModelRetry, ToolFailed } from "../ToolSignal.ts"
import type { ToolResultError } from "../ToolsetError.ts"
import type { Offer } from "../toolset/collect.ts"
import { type Call, decodedBy } from "../toolset/dispatch.ts"
import { returned } from "../toolset/outcome.ts"
import type { Granted } from "./batch.ts"
import { digest } from "./digest.ts"
import { type Answer, type Answered, pendingIn } from "./history.ts"
import { repeated } from "./repeated.ts"
import { heard, isInside, left, resumedInside } from "./suspended.ts"

/** What is to be done about calls that wait. */
export interface Plan {
  /** Answered without running anything. */
  readonly answered: ReadonlyArray<Answered>
  /** To be run, each with the request that was granted. */
  readonly granted: ReadonlyArray<{ readonly call: Granted; readonly request: DeferredCall }>
  /** How the runs inside some of those go on, by the id of the call. */
  readonly inside: ReadonlyMap<string, SuspendedCall>
  /** Nothing was said to these yet, or not to all that waits inside. */
  readonly open: ReadonlyArray<{ readonly call: Call; readonly suspended: SuspendedCall | undefined }>
}

/** Finds what does not fit. `answered`: ids of calls that have their answer. */
export const planned = (
  pending: ReadonlyArray<Call>,
  answered: ReadonlySet<string>,
  results: DeferredToolResults
): Effect.Effect<Plan, DeferredResultsMismatch> => {
  const misfit = misfitIn(pending, answered, results)
  if (misfit !== undefined) return Effect.fail(misfit)
  const suspended = new Map(results.suspended.map((one) => [one.call.toolCallId, heard(one, results)]))
  const given = new Map(direct(results).map((answer) => [answer.toolCallId, answer]))
  const plan = {
    answered: [] as Array<Answered>,
    granted: [] as Array<Plan["granted"][number]>,
    inside: new Map<string, SuspendedCall>(),
    open: [] as Array<Plan["open"][number]>
  }
  for (const call of pending) {
    const one = suspended.get(call.id)
    const said = given.get(call.id)
    if (one !== undefined && Option.isNone(left(one))) {
      plan.inside.set(call.id, one)
      plan.granted.push(goingOn(call, one))
    } else if (said === undefined || said.request === null) plan.open.push({ call, suspended: one })
    else if (said.answer._tag === "Approved") plan.granted.push(granted(call, said.request, said.answer))
    else plan.answered.push({ call, answer: answerOf(said.answer) })
  }
  return Effect.succeed(plan)
}

/** A call that may run: with the arguments that were approved, which are the model's own unless somebody changed them. */
const granted = (
  call: Call,
  request: DeferredCall,
  said: Partial<Extract<DeferredAnswered["answer"], { readonly _tag: "Approved" }>>
): Plan["granted"][number] => {
  // Also null is what somebody said.
  const args: unknown =
    "args" in said ? said.args : "changedArgs" in request ? request.changedArgs : call.args
  return { call: { ...call, args, grant: { approved: true, metadata: said.metadata ?? {} } }, request }
}

/** A call in which a run goes on: as approved as it was when it began. */
const goingOn = (call: Call, { approved, call: request }: SuspendedCall): Plan["granted"][number] => {
  const { call: granting } = granted(call, request, {})
  const grant = { approved: approved !== undefined, metadata: approved ?? {} }
  return { call: { ...granting, grant }, request }
}

/** From outside, everything that waits has to be answered. */
export const complete = (plan: Plan): Effect.Effect<void, DeferredResultsMismatch> => {
  const missing = plan.open.flatMap(({ call, suspended }) =>
    suspended === undefined
      ? [call.id]
      : Option.match(left(suspended), { onNone: () => [], onSome: idsOf }).map((id) => `${call.id}/${id}`)
  )
  return missing.length === 0
    ? Effect.void
    : Effect.fail(mismatch("Results are missing for calls that wait", missing))
}

/** The tools that were granted are those that are offered now, and would run what was granted. */
export const stillGranted = <E>(
  offer: Offer<E>,
  plan: Plan
): Effect.Effect<void, E | DeferredResultsMismatch | ToolResultError, RunContext> =>
  Effect.forEach(
    plan.granted,
    ({ call, request }) =>
      Effect.gen(function* () {
        const tool = offer.byName.get(call.name)
        if (tool === undefined) return yield* gone(`The tool '${call.name}' is not offered any more`, call)
        if (!Equal.equals(tool.origin, request.source))
          return yield* gone(`'${call.name}' is another tool now`, call)
        const args = yield* decodedBy(tool, {
          ...call,
          args: "changedArgs" in request ? request.changedArgs : request.rawArgs
        })
        const now = isToolSignal(args) ? undefined : yield* digestOf(call, tool.origin, yield* args.encoded())
        if (now !== request.digest) return yield* gone(`'${call.name}' would run with other arguments`, call)
      }),
    { discard: true }
  )

/** What an approval is bound to. */
export const digestOf = (call: Call, source: ReadonlyArray<string>, args: unknown): Effect.Effect<string> =>
  digest([call.id, call.name, source, args])

const gone = (problem: string, call: Call) => mismatch(`${problem}; nothing has been executed`, [call.id])

const mismatch = (problem: string, toolCallIds: ReadonlyArray<string>): DeferredResultsMismatch =>
  new DeferredResultsMismatch({ problem, toolCallIds })

/** What does not fit, also of what was said to the runs inside calls. */
const misfitIn = (
  pending: ReadonlyArray<Call>,
  answered: ReadonlySet<string>,
  results: DeferredToolResults
): DeferredResultsMismatch | undefined => {
  const twice = repeated(results.answers.map((answer) => answer.toolCallId))
  if (twice.length > 0) return mismatch("Calls were answered twice", twice)
  const byId = new Map(pending.map((call) => [call.id, call]))
  const notWaiting = (id: string) =>
    byId.has(id)
      ? undefined
      : answered.has(id)
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
    const inside = pendingIn(one.history)
    const misfit = misfitIn(inside.calls, inside.answered, resumedInside(heard(one, results)).results)
    if (misfit !== undefined)
      return mismatch(
        misfit.problem,
        misfit.toolCallIds.map((inner) => `${id}/${inner}`)
      )
  }
  return undefined
}

/** The answers to what this run itself waits for. */
const direct = ({ answers, suspended }: DeferredToolResults): ReadonlyArray<DeferredAnswered> =>
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

const wrongCall = (request: DeferredCall | null, call: Call | undefined): string | undefined =>
  request?.toolName === call?.name && Equal.equals(request?.rawArgs, call?.args ?? null)
    ? undefined
    : "The answer is to another call"

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
