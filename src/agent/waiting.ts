/** Calls that wait for somebody. */
import { Effect, type Schema } from "effect"
import type { RunContext } from "../RunContext.ts"
import { DeferredCall, DeferredToolRequests, SuspendedCall } from "../Deferred.ts"
import type { ApprovalRequired, CallDeferred } from "../ToolSignal.ts"
import type { Call } from "../toolset/dispatch.ts"
import type { Granted, Settled } from "./batch.ts"
import type { Suspended } from "./nesting.ts"
import { digestOf } from "./resume.ts"
import { askedInside } from "./suspended.ts"

export interface Waiting {
  readonly call: Call
  readonly request: DeferredCall
  readonly kind: "approval" | "call"
  /** The run that waits inside it. */
  readonly suspended: SuspendedCall | undefined
}

/** A call that was deferred, and may have run with other arguments than the model's. `inside`: the run that waits in it. */
export const waitingFor = Effect.fnUntraced(function* (
  call: Call,
  { admission: { args, call: ran, tool } }: Settled<unknown>,
  signal: ApprovalRequired | CallDeferred,
  inside: Suspended | undefined
): Effect.fn.Return<Waiting, never, RunContext> {
  const source = tool?.origin ?? [call.name]
  // What was admitted has been decoded, and what was decoded was JSON.
  const encoded = (yield* args?.encoded() ?? Effect.succeed(ran.args)) as Schema.Json
  const request = new DeferredCall({
    toolCallId: call.id,
    toolName: call.name,
    args: encoded,
    rawArgs: (call.args ?? null) as Schema.Json,
    ...(ran.args === call.args ? {} : { changedArgs: ran.args as Schema.Json }),
    source,
    digest: yield* digestOf(call, source, encoded),
    metadata: signal.metadata ?? {}
  })
  return {
    call,
    request,
    kind: signal._tag === "ApprovalRequired" ? "approval" : "call",
    suspended:
      inside === undefined
        ? undefined
        : new SuspendedCall({ call: request, ...inside, given: [], ...approvalOf(ran) })
  }
})

const approvalOf = ({ grant }: Granted): Pick<SuspendedCall, "approved"> =>
  grant?.approved === true ? { approved: grant.metadata } : {}

/** What is asked of the outside; of a run that waits inside a call, what that run asks. */
export const requestsOf = (waiting: ReadonlyArray<Waiting>): DeferredToolRequests => {
  const asked = waiting.map(({ kind, request, suspended }) =>
    suspended === undefined
      ? { calls: kind === "call" ? [request] : [], approvals: kind === "approval" ? [request] : [] }
      : askedInside(suspended)
  )
  return new DeferredToolRequests({
    calls: asked.flatMap((one) => one.calls),
    approvals: asked.flatMap((one) => one.approvals),
    suspended: waiting.flatMap((one) => one.suspended ?? [])
  })
}
