/** The calls of one response: admitted one after the other, then run at the same time, but for barriers. */
import { Effect, type Types } from "effect"
import type { RunContext } from "../RunContext.ts"
import { withoutSecrets } from "../secrets/withoutSecrets.ts"
import type { ToolResultError } from "../ToolsetError.ts"
import { inSpan } from "../toolset/callSpan.ts"
import type { Offer } from "../toolset/collect.ts"
import {
  type Admission,
  admit,
  budget,
  type Call,
  type Circumstances,
  circumstances
} from "../toolset/dispatch.ts"
import { ungranted } from "../toolset/grant.ts"
import { isDeferral, type Outcome } from "../toolset/outcome.ts"
import { OutputRetriesExceeded, ToolRetriesExceeded } from "./AgentError.ts"
import type { Claim } from "./durable/calls.ts"
import { answerEvent, type Emit } from "./events.ts"
import { type Retries, spent, type Verdict } from "./retries.ts"

/** How often may be asked for a retry, and how often it was. */
export interface Budgets extends Pick<Circumstances, "maxRetries"> {
  readonly retries: Retries
  readonly maxOutputRetries: number
}

/** What holds for all calls of a step. */
export interface Conditions extends Budgets, Pick<Circumstances, "timeout" | "traceValues"> {
  readonly concurrency: Types.Concurrency
  /** Nothing, where nobody watches. */
  readonly emit: Emit | undefined
  /** Remembers an outcome at once, for a run that does not come to its end. */
  readonly record: (settled: Settled<unknown>) => void
  /** Nothing, where calls are not recorded. */
  readonly claim: Claim | undefined
}

/** A call, and what is special about it: somebody said yes to it. */
export interface Granted extends Call {
  readonly grant?: Pick<Circumstances, "approved" | "metadata" | "grant"> | undefined
}

/** A call and how it ended. */
export interface Settled<out E> {
  readonly admission: Admission<E>
  readonly outcome: Outcome
}

export type BatchError = ToolResultError | ToolRetriesExceeded

/** Admits calls in order; the first that has no retry left ends the run before any has begun. */
export const admitAll = Effect.fnUntracedEager(function* <E>(
  offer: Offer<E>,
  calls: ReadonlyArray<Granted>,
  conditions: Conditions
): Effect.fn.Return<ReadonlyArray<Admission<E>>, E | BatchError, RunContext> {
  const admissions: Array<Admission<E>> = []
  for (const call of calls) {
    const { claim, emit, timeout, traceValues } = conditions
    const place = claim === undefined ? undefined : yield* claim(offer.byName.get(call.name), call)
    const { attempt, maxRetries } = budgetOf(offer, call, conditions)
    const { approved, grant, metadata } = call.grant ?? circumstances
    const admission = yield* admit(offer, call, {
      attempt,
      maxRetries,
      timeout,
      approved,
      metadata,
      // A record hides what is secret in the arguments that it says were shown.
      grant: place === undefined ? grant : { ...ungranted, ...grant, look: yield* withoutSecrets },
      progress: emit === undefined ? circumstances.progress : progressOf(call, emit),
      idempotencyKey: place?.idempotencyKey,
      traceValues
    })
    if (emit !== undefined) yield* emitCall(admission, emit)
    if (admission.refused !== undefined) {
      const affordable = withinBudget(admission, admission.refused, conditions)
      yield* ending([...admissions, admission], conditions, affordable)
    }
    admissions.push(
      place === undefined ? admission : { ...admission, perform: place.perform(admission.perform) }
    )
  }
  return admissions
})

/** Where calls that were refused end the run before any has begun, they have their spans, too. */
export const ending = <E>(
  admissions: ReadonlyArray<Admission<unknown>>,
  conditions: Conditions,
  affordable: Effect.Effect<void, E>
): Effect.Effect<void, E, RunContext> =>
  Effect.tapError(affordable, () =>
    Effect.forEach(
      admissions,
      ({ call, refused }) =>
        refused === undefined ? Effect.void : inSpan(call, conditions, () => Effect.succeed(refused)),
      { discard: true }
    )
  )

/**
 * Outcomes in the order of the calls. What one fails with interrupts the others, and their finalizers are awaited.
 */
export const performAll = Effect.fnUntracedEager(function* <E>(
  admissions: ReadonlyArray<Admission<E>>,
  conditions: Conditions
): Effect.fn.Return<ReadonlyArray<Settled<E>>, E | BatchError, RunContext> {
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
  Effect.flatMap(admission.perform, (outcome) => {
    const settled: Settled<E> = { admission, outcome }
    conditions.record(settled)
    const checked = Effect.mapEager(withinBudget(admission, outcome, conditions), () => settled)
    return conditions.emit === undefined
      ? checked
      : Effect.andThen(emitResult(settled, conditions.emit), checked)
  })

/** How often its tool was called in vain, and how often it may be. */
export const budgetOf = (
  offer: Offer<unknown>,
  call: Call,
  { maxOutputRetries, maxRetries, retries }: Budgets
) => {
  const tool = offer.byName.get(call.name)
  return tool?.definition.kind === "output"
    ? { attempt: retries.outputs, maxRetries: maxOutputRetries }
    : { attempt: spent(retries, call.name, tool !== undefined), maxRetries }
}

export const isOutput = (admission: Admission<unknown>): boolean =>
  admission.tool?.definition.kind === "output"

/** Whether a function may be called once more; what becomes of an output that is refused, the others decide. */
export const withinBudget = (
  admission: Admission<unknown>,
  outcome: Outcome,
  conditions: Pick<Budgets, "maxRetries" | "retries">
): Effect.Effect<void, ToolRetriesExceeded> => {
  if (outcome._tag !== "ModelRetry" || isOutput(admission)) return Effect.void
  const { call, tool } = admission
  const maxRetries = tool === undefined ? conditions.maxRetries : budget(tool, conditions.maxRetries)
  return spent(conditions.retries, call.name, tool !== undefined) < maxRetries
    ? Effect.void
    : Effect.fail(new ToolRetriesExceeded({ toolName: call.name, maxRetries, last: outcome.message }))
}

/** Outputs share one budget, whatever form they have. */
export const withinOutputBudget = (
  last: string,
  { maxOutputRetries, retries }: Pick<Budgets, "maxOutputRetries" | "retries">
): Effect.Effect<void, OutputRetriesExceeded> =>
  retries.outputs < maxOutputRetries
    ? Effect.void
    : Effect.fail(new OutputRetriesExceeded({ maxRetries: maxOutputRetries, last }))

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
  kind: admission.tool === undefined ? "unknown" : isOutput(admission) ? "output" : "tool",
  outcome: outcome._tag === "Returned" ? "success" : outcome._tag === "ModelRetry" ? "retry" : "neither"
})

const progressOf =
  ({ id, name }: Call, emit: Emit): Circumstances["progress"] =>
  (value) =>
    emit({ _tag: "ToolProgress", id, toolName: name, value })

const emitCall = (admission: Admission<unknown>, emit: Emit): Effect.Effect<void> => {
  const { args, call, refused } = admission
  if (isOutput(admission)) return Effect.void
  const valid = refused === undefined || isDeferral(refused)
  return emit({ _tag: "ToolCall", id: call.id, toolName: call.name, args: args?.value ?? call.args, valid })
}

const emitResult = ({ admission, outcome }: Settled<unknown>, emit: Emit): Effect.Effect<void> =>
  isOutput(admission) || isDeferral(outcome)
    ? Effect.void
    : emit(answerEvent({ call: admission.call, answer: outcome }))
