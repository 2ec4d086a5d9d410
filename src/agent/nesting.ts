/** Runs inside a call of another run: their usage is its usage, and where they wait, it waits. */
import { Context, Effect } from "effect"
import type { Prompt } from "effect/ai"
import type { DeferredToolRequests, DeferredToolResults, SuspendedCall } from "../Deferred.ts"
import type { Usage } from "../Usage.ts"
import type { Ledger } from "./ledger.ts"
import { resumedInside } from "./suspended.ts"

/** A run that waits inside a call. */
export interface Suspended {
  readonly history: Prompt.Prompt
  readonly requests: DeferredToolRequests
}

/** What the run outside knows of the runs inside its calls, by the id of the call. */
export interface Inside {
  readonly suspended: Map<string, Suspended>
  readonly resumed: Map<string, SuspendedCall>
}

/** What a run inside a call asks the run outside. */
export interface NestingService {
  readonly spend: (usage: Usage) => Effect.Effect<void>
  readonly suspend: (toolCallId: string, suspended: Suspended) => Effect.Effect<void>
  /** How it goes on, where it has waited. */
  readonly resumed: (
    toolCallId: string
  ) => { readonly history: Prompt.Prompt; readonly results: DeferredToolResults } | undefined
}

export const Nesting = Context.Reference<NestingService>("effect-toolset/Agent/Nesting", {
  defaultValue: () => ({ spend: () => Effect.void, suspend: () => Effect.void, resumed: () => undefined })
})

export const nestingIn = (ledger: Ledger, { resumed, suspended }: Inside): NestingService => ({
  spend: (usage) => Effect.sync(() => ledger.spend(usage)),
  suspend: (toolCallId, run) => Effect.sync(() => void suspended.set(toolCallId, run)),
  resumed: (toolCallId) => {
    const one = taken(resumed, toolCallId)
    return one === undefined ? undefined : resumedInside(one)
  }
})

/** What was there, once: models may give the calls of each response the same ids. */
export const taken = <A>(map: Map<string, A>, key: string): A | undefined => {
  const value = map.get(key)
  map.delete(key)
  return value
}
