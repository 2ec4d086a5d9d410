/** Runs inside a call of another run: their usage is its usage, and where they wait, it waits. */
import { Context, Effect } from "effect"
import type { Prompt } from "effect/ai"
import { DeferredToolRequests, SuspendedCall } from "../Deferred.ts"
import type { ToolCall } from "../ToolCall.ts"
import { grantOf } from "../toolset/grant.ts"
import type { Usage } from "../Usage.ts"
import type { Bounds } from "./bounds.ts"
import type { Ledger } from "./ledger.ts"

/** A run that waits inside a call. */
export interface Suspended {
  readonly history: Prompt.Prompt
  readonly requests: DeferredToolRequests
}

/** What the run outside knows of the runs inside its calls, by the id of the call. */
export interface Inside {
  readonly suspended: Map<string, Suspended>
  readonly resumed: Map<string, SuspendedCall>
  /** Whether calls are being admitted of which others would run before a run inside one finds what does not fit. */
  isChecking: boolean
}

/** What a run inside a call asks the run outside. */
export interface NestingService {
  /** `replayed`: how much of it was used before, by another attempt. */
  readonly spend: (usage: Usage, replayed: Usage) => Effect.Effect<void>
  readonly suspend: (toolCallId: string, suspended: Suspended) => Effect.Effect<void>
  /** How it goes on, where it has waited; once, so that what was said is heard once. */
  readonly resume: (toolCallId: string) => SuspendedCall | undefined
  /** How it would go on after a failure: as before, or, where something has begun, from this history. */
  readonly keep: (one: SuspendedCall, toolCallId: string, begun: Prompt.Prompt | undefined) => void
  /** How it will go on, where that is to be looked at before anything does. */
  readonly check: (toolCallId: string) => SuspendedCall | undefined
  /** What it may use; nothing, outside of runs. */
  readonly bounds: Bounds | undefined
}

/** Nobody goes on with it. */
const waitsForNobody = {
  suspend: () => Effect.void,
  resume: () => undefined,
  keep: () => {},
  check: () => undefined
}

export const Nesting = Context.Reference<NestingService>("effect-toolset/Agent/Nesting", {
  defaultValue: () => ({ spend: () => Effect.void, bounds: undefined, ...waitsForNobody })
})

/** What the call that is under way asks. One that no model has made has no id that the run outside knows it by. */
export const nestingOf = (call: ToolCall["Service"]): Effect.Effect<NestingService> =>
  Effect.map(Nesting, (nesting) => (grantOf(call).isByHand ? { ...nesting, ...waitsForNobody } : nesting))

export const newInside = (): Inside => ({ suspended: new Map(), resumed: new Map(), isChecking: false })

export const nesting = (ledger: Ledger, inside: Inside, bounds: Bounds): NestingService => ({
  spend: (usage, replayed) => Effect.sync(() => ledger.spend(usage, replayed)),
  suspend: (toolCallId, run) => Effect.sync(() => void inside.suspended.set(toolCallId, run)),
  resume: (toolCallId) => taken(inside.resumed, toolCallId),
  keep: (one, toolCallId, begun) => {
    inside.resumed.set(toolCallId, begun === undefined ? one : after(one, begun))
  },
  check: (toolCallId) => (inside.isChecking ? inside.resumed.get(toolCallId) : undefined),
  bounds
})

/** From here on nothing is waited for, and nothing that was said is left to be heard. */
const after = (one: SuspendedCall, history: Prompt.Prompt): SuspendedCall => {
  const requests = new DeferredToolRequests({ calls: [], approvals: [], suspended: [] })
  return new SuspendedCall({ ...one, history, requests, given: [] })
}

/** What was there, once: models may give the calls of each response the same ids. */
export const taken = <A>(map: Map<string, A>, key: string): A | undefined => {
  const value = map.get(key)
  map.delete(key)
  return value
}
