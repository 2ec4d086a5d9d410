import { Context } from "effect"
import { Prompt } from "effect/ai"
import type { Usage } from "./Usage.ts"
import { none } from "./Usage.ts"

/**
 * What is known about the run; a service while listing and while calling, never in the `R` of a toolset.
 *
 * - `runId`: the same for all steps of a run, another for each run.
 * - `step`: 1 at the first model request.
 * - `messages`: the history so far, without the instructions.
 * - `usage`: what the run has used so far.
 * - `retries`: retries spent so far, by the name that the model uses.
 *
 * One value of it stands for one step: what is listed twice with the same value is listed once.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { RunContext, Toolset } from "effect-toolset"
 *
 * const step = Toolset.tool("step", { handler: () => Effect.map(RunContext, (run) => run.step) })
 * console.log(Effect.runSync(Toolset.call(step, "step", {})))
 * //> 1
 * ```
 */
export class RunContext extends Context.Service<
  RunContext,
  {
    readonly runId: string
    readonly step: number
    readonly messages: Prompt.Prompt
    readonly usage: Usage
    readonly retries: ReadonlyMap<string, number>
  }
>()("effect-toolset/RunContext") {}

/** The run that a toolset sees when no agent runs it: the first step, without a history. */
export const outsideOfRuns = (): RunContext["Service"] => ({
  runId: "direct",
  step: 1,
  messages: Prompt.empty,
  usage: none,
  retries: new Map()
})
