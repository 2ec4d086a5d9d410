/** The calls of one response: admitted one after the other, then run at the same time, but for barriers. */
import { Effect, type Types } from "effect"
import type { RunContext } from "../RunContext.ts"
import type { ToolResultError } from "../ToolsetError.ts"
import type { Offer } from "../toolset/collect.ts"
import {
  type Admission,
  admit,
  budget,
  type Call,
  type Circumstances,
  circumstances
} from "../toolset/dispatch.ts"
import type { Outcome } from "../toolset/outcome.ts"
import { ToolRetriesExceeded } from "./AgentError.ts"
import { type Retries, spent, type Verdict } from "./retries.ts"

/** What holds for all calls of a batch. */
export interface Conditions extends Pick<Circumstances, "maxRetries" | "timeout" | "traceValues"> {
  readonly retries: Retries
  readonly concurrency: Types.Concurrency
}

/** A call and how it ended. */
export interface Settled<out E> {
  readonly admission: Admission<E>
  readonly outcome: Outcome
}

/**
 * Outcomes in the order of the calls. Nothing runs before every call is admitted; what one fails with interrupts the
 * others, and their finalizers are awaited.
 */
export const batch = Effect.fnUntraced(function* <E>(
  offer: Offer<E>,
  calls: ReadonlyArray<Call>,
  conditions: Conditions
): Effect.fn.Return<ReadonlyArray<Settled<E>>, E | ToolResultError | ToolRetriesExceeded, RunContext> {
  const admissions: Array<Admission<E>> = []
  for (const call of calls) {
    const attempt = spent(conditions.retries, call.name, offer.byName.has(call.name))
    const admission = yield* admit(offer, call, { ...circumstances, ...conditions, attempt })
    if (admission.refused !== undefined) yield* withinBudget(admission, admission.refused, conditions)
    admissions.push(admission)
  }
  const settled: Array<Settled<E>> = []
  for (const segment of segments(admissions)) {
    const run = (admission: Admission<E>) => settle(admission, conditions)
    const [only, ...others] = segment
    // Alone it needs no fiber.
    if (only !== undefined && others.length === 0) settled.push(yield* run(only))
    else settled.push(...(yield* Effect.forEach(segment, run, { concurrency: conditions.concurrency })))
  }
  return settled
})

const settle = <E>(admission: Admission<E>, conditions: Conditions) =>
  Effect.flatMap(admission.perform, (outcome) =>
    Effect.mapEager(withinBudget(admission, outcome, conditions), () => ({ admission, outcome }))
  )

const withinBudget = (
  { call, tool }: Admission<unknown>,
  outcome: Outcome,
  conditions: Conditions
): Effect.Effect<void, ToolRetriesExceeded> => {
  if (outcome._tag !== "ModelRetry") return Effect.void
  const maxRetries = tool === undefined ? conditions.maxRetries : budget(tool, conditions.maxRetries)
  return spent(conditions.retries, call.name, tool !== undefined) < maxRetries
    ? Effect.void
    : Effect.fail(new ToolRetriesExceeded({ toolName: call.name, maxRetries, last: outcome.message }))
}

/** A sequential tool is a segment of its own. */
const segments = <E>(admissions: ReadonlyArray<Admission<E>>): ReadonlyArray<ReadonlyArray<Admission<E>>> => {
  const out: Array<Array<Admission<E>>> = []
  let open = false
  for (const admission of admissions) {
    const isBarrier = admission.tool?.definition.sequential === true
    if (open && !isBarrier) out.at(-1)?.push(admission)
    else out.push([admission])
    open = !isBarrier
  }
  return out
}

export const verdict = ({ admission, outcome }: Settled<unknown>): Verdict => ({
  name: admission.call.name,
  isOffered: admission.tool !== undefined,
  outcome: outcome._tag === "Returned" ? "success" : outcome._tag === "ModelRetry" ? "retry" : "neither"
})
