/** Calls that wait for somebody. */
import { Effect, Equal, type Schema } from "effect"
import type { RunContext } from "../RunContext.ts"
import { DeferredCall, DeferredToolRequests, SuspendedCall } from "../Deferred.ts"
import type { ApprovalRequired, CallDeferred } from "../ToolSignal.ts"
import type { Granted, Settled } from "./batch.ts"
import { digestOf } from "./grants.ts"
import type { Placed } from "./history.ts"
import type { Suspended } from "./nesting.ts"
import { segment } from "./path.ts"
import { askedInside } from "./suspended.ts"

export interface Waiting {
  readonly call: Placed
  readonly request: DeferredCall
  readonly kind: "approval" | "call"
  /** The run that waits inside it. */
  readonly suspended: SuspendedCall | undefined
}

/** A call that was deferred, and may have run with other arguments than the model's. `inside`: the run that waits in it. */
export const waitingFor = Effect.fnUntraced(function* (
  call: Placed,
  { admission: { args, call: ran, tool } }: Settled<unknown>,
  signal: ApprovalRequired | CallDeferred,
  inside: Suspended | SuspendedCall | undefined
): Effect.fn.Return<Waiting, never, RunContext> {
  const source = tool?.origin ?? [call.name]
  // What was admitted has been decoded, and what was decoded was JSON.
  const decoded = (yield* args?.encoded() ?? Effect.succeed(ran.args)) as Schema.Json
  const runs = signal.args ?? decoded
  const request = new DeferredCall({
    toolCallId: segment(call.id),
    place: call.place,
    toolName: call.name,
    args: runs,
    ...(Equal.equals(runs, decoded) ? {} : { decodedArgs: decoded }),
    rawArgs: (call.args ?? null) as Schema.Json,
    ...(ran.args === call.args ? {} : { changedArgs: ran.args as Schema.Json }),
    source,
    digest: yield* digestOf(call, source, decoded, runs),
    metadata: signal.metadata ?? {}
  })
  return {
    call,
    request,
    kind: signal._tag === "ApprovalRequired" ? "approval" : "call",
    suspended: inside === undefined ? undefined : suspendedIn(request, inside, ran)
  }
})

/** A run that went on until it waits again; or one that has not, since the call around it waits first. */
const suspendedIn = (call: DeferredCall, inside: Suspended | SuspendedCall, ran: Granted): SuspendedCall =>
  inside instanceof SuspendedCall
    ? new SuspendedCall({ ...inside, call, asks: true })
    : new SuspendedCall({ call, ...inside, given: [], ...approvalOf(ran) })

const approvalOf = ({ grant }: Granted): Pick<SuspendedCall, "approved"> =>
  grant?.approved === true ? { approved: grant.metadata } : {}

/** What is asked of the outside; of a run that waits inside a call, what that run asks. */
export const requestsOf = (waiting: ReadonlyArray<Waiting>): DeferredToolRequests => {
  const asked = waiting.map(({ kind, request, suspended }) =>
    suspended === undefined || suspended.asks === true
      ? { calls: kind === "call" ? [request] : [], approvals: kind === "approval" ? [request] : [] }
      : askedInside(suspended)
  )
  return new DeferredToolRequests({
    calls: asked.flatMap((one) => one.calls),
    approvals: asked.flatMap((one) => one.approvals),
    suspended: waiting.flatMap((one) => one.suspended ?? [])
  })
}
