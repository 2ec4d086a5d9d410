/** What a run is set to: the agent's word, or the run's in its place. */
import { type Duration, Effect } from "effect"
import { notPositive, positive } from "../toolset/bounded.ts"
import type { Flaw } from "../toolset/flawed.ts"
import { retriesFlaw } from "../toolset/withMaxRetries.ts"
import { AgentDefinitionError } from "./AgentError.ts"
import type { Limits } from "./limits.ts"
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
  const timeout = spec.toolTimeout === undefined ? undefined : positive(spec.toolTimeout)
  const flaw =
    flawOf(outputs) ??
    retriesFlaw(maxRetries) ??
    retriesFlaw(maxOutputRetries) ??
    (spec.toolTimeout !== undefined && timeout === undefined ? notPositive(spec.toolTimeout) : undefined)
  if (flaw !== undefined) return Effect.fail(new AgentDefinitionError(flaw))
  return Effect.succeed({
    // It has no flaw.
    outputs: outputs as Outputs<E>,
    endStrategy: spec.endStrategy,
    limits: { ...spec.limits, ...options.limits },
    maxRetries,
    maxOutputRetries,
    timeout,
    traceValues: spec.traceValues,
    concurrency: options.concurrency ?? "unbounded"
  })
}

const flawOf = (outputs: Outputs<unknown> | Flaw): Flaw | undefined =>
  "problem" in outputs ? outputs : undefined

const retriesOf = (of: "tools" | "output", retries: Retries | undefined): number | undefined =>
  typeof retries === "number" ? retries : retries?.[of]
