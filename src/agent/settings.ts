/** What a run is set to: the agent's word, or the run's in its place. */
import { type Duration, Effect } from "effect"
import { notPositive, positive } from "../toolset/bounded.ts"
import type { Flaw } from "../toolset/flawed.ts"
import { retriesFlaw } from "../toolset/withMaxRetries.ts"
import { AgentDefinitionError } from "./AgentError.ts"
import { type Limits, limitsFlaw } from "./limits.ts"
import type { Retries, Spec } from "./model.ts"
import { type Outputs, outputsOf } from "./output.ts"
import type { EndStrategy } from "./round.ts"
import type { AnyRunOptions } from "./run.ts"

export interface Settings<out E> {
  readonly outputs: Outputs<E>
  readonly endStrategy: EndStrategy
  readonly limits: Limits
  readonly maxRetries: number
  readonly maxOutputRetries: number
  readonly timeout: Duration.Duration | undefined
  readonly traceValues: boolean
  readonly concurrency: number | "unbounded"
}

export const settingsOf = <E>(
  spec: Spec<E, unknown>,
  options: AnyRunOptions
): Effect.Effect<Settings<E>, AgentDefinitionError> => {
  // What says whether the agent's output will do cannot say it of another one.
  const outputs =
    options.output === undefined ? spec.outputs : outputsOf<E>(options.output, spec.outputTool, undefined)
  const maxRetries = retriesOf("tools", options.retries) ?? retriesOf("tools", spec.retries) ?? 1
  const maxOutputRetries = retriesOf("output", options.retries) ?? retriesOf("output", spec.retries) ?? 1
  const limits = inPlaceOf(spec.limits, options.limits)
  const concurrency = options.concurrency ?? "unbounded"
  const timeout = spec.toolTimeout === undefined ? undefined : positive(spec.toolTimeout)
  const flaw =
    flawOf(outputs) ??
    retriesFlaw(maxRetries) ??
    retriesFlaw(maxOutputRetries) ??
    limitsFlaw(limits) ??
    concurrencyFlaw(concurrency) ??
    (spec.toolTimeout !== undefined && timeout === undefined ? notPositive(spec.toolTimeout) : undefined)
  if (flaw !== undefined) return Effect.fail(new AgentDefinitionError(flaw))
  return Effect.succeed({
    // It has no flaw.
    outputs: outputs as Outputs<E>,
    endStrategy: spec.endStrategy,
    limits,
    maxRetries,
    maxOutputRetries,
    timeout,
    traceValues: spec.traceValues,
    concurrency
  })
}

const flawOf = (outputs: Outputs<unknown> | Flaw): Flaw | undefined =>
  "problem" in outputs ? outputs : undefined

/** What a run does not say is the agent's. */
const inPlaceOf = (agents: Limits = {}, runs: Limits = {}): Limits => ({
  ...agents,
  ...Object.fromEntries(Object.entries(runs).filter(([, limit]) => limit !== undefined))
})

const concurrencyFlaw = (concurrency: number | "unbounded"): Flaw | undefined =>
  concurrency === "unbounded" || (Number.isInteger(concurrency) && concurrency >= 1)
    ? undefined
    : {
        problem: `The concurrency is ${concurrency}.`,
        hint: 'Give a whole number of at least 1, or "unbounded".'
      }

const retriesOf = (of: "tools" | "output", retries: Retries | undefined): number | undefined =>
  typeof retries === "number" ? retries : retries?.[of]
