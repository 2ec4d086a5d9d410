import { Effect } from "effect"
import { dual } from "effect/Function"
import { UsageLimitExceeded } from "../agent/AgentError.ts"
import { RunContext } from "../RunContext.ts"
import { ApprovalRequired, ToolFailed } from "../ToolSignal.ts"
import { type Flaw, flawed } from "./flawed.ts"
import { mapped, varying } from "./listing.ts"
import type { Listing, Run, Tool, Toolset } from "./model.ts"
import { transform } from "./transform.ts"

/** What happens to the calls that are over the limit. */
export type OnLimit = "recover" | "hide" | "fail"

export interface LimitedOptions<Mode extends OnLimit = OnLimit> {
  /** Calls of all these tools together, in one run. */
  readonly perRun?: number | undefined
  /** Calls of all these tools together, in one step. */
  readonly perStep?: number | undefined
  /**
   * `recover` (default) tells the model; `hide` does, and stops offering the tools when the run has no calls left;
   * `fail` ends the run with `UsageLimitExceeded`.
   */
  readonly onLimit?: Mode | undefined
}

/**
 * A budget of calls, for all tools of a toolset together.
 *
 * Counts the calls that reach the tools: also those that end with a signal, so retries too, but not those that were
 * refused before, and not those that only asked for an approval. A resumed run is a new run. The same value used twice
 * in a tree has one budget; `combined(limited(a), limited(b))` has two, `limited(combined(a, b))` has one. A limit that
 * nobody reaches is the identity.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const search = Toolset.tool("search", { handler: () => Effect.succeed("found") })
 * const program = Effect.scoped(Effect.gen(function* () {
 *   const session = yield* Toolset.open(search.pipe(Toolset.limited({ perRun: 1 })))
 *   console.log(yield* session.call("search", {}))
 *   console.log((yield* Effect.flip(session.call("search", {}))).message)
 * }))
 * Effect.runSync(program)
 * //> found
 * //> No more calls of 'search': the limit of 1 per run is reached. Go on without it.
 * ```
 */
export const limited: {
  <Mode extends OnLimit = "recover">(
    options: LimitedOptions<Mode>
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | (Mode extends "fail" ? UsageLimitExceeded : never), R>
  <E, R, Mode extends OnLimit = "recover">(
    self: Toolset<E, R>,
    options: LimitedOptions<Mode>
  ): Toolset<E | (Mode extends "fail" ? UsageLimitExceeded : never), R>
} = dual(
  2,
  <E, R, Mode extends OnLimit>(
    self: Toolset<E, R>,
    options: LimitedOptions<Mode>
  ): Toolset<E | (Mode extends "fail" ? UsageLimitExceeded : never), R> => {
    type Failure = E | (Mode extends "fail" ? UsageLimitExceeded : never)
    const flaw = limitFlaw(options)
    if (flaw !== undefined) return flawed<Failure, R>(self, "limited", flaw)
    return transform<E, R, Failure, R>(
      self,
      "limited",
      Effect.map((listing) => limitedListing<E, Failure>(listing, options, self.label))
    )
  }
)

const limitedListing = <E, E2>(
  listing: Listing<E>,
  options: LimitedOptions,
  label: string
): Listing<E | E2> => {
  const budget = newBudget(options)
  const limited = mapped(listing, (tool): Tool<E | E2> => ({
    ...tool,
    call: (args) =>
      Effect.flatMap(RunContext, (run): ReturnType<Tool<E | E2>["call"]> => {
        const limit = budget.take(run)
        if (limit !== undefined) {
          // The types say so where the mode is to fail.
          return refusal(limit, options.onLimit, label, tool.definition.name) as Effect.Effect<never, E2>
        }
        return Effect.tapError(tool.call(args), (error) =>
          error instanceof ApprovalRequired ? Effect.sync(() => budget.giveBack(run)) : Effect.void
        )
      })
  }))
  if (options.onLimit !== "hide") return limited
  const none: ReadonlyArray<Tool<E | E2>> = []
  return varying<E | E2>(
    (run) => Effect.mapEager(limited.list(run), (tools) => (budget.isSpent(run) ? none : tools)),
    limited.instructions
  )
}

interface Limit {
  readonly per: "run" | "step"
  readonly calls: number
}

const refusal = (
  { calls, per }: Limit,
  mode: OnLimit | undefined,
  label: string,
  name: string
): Effect.Effect<never, UsageLimitExceeded | ToolFailed> =>
  Effect.fail(
    mode === "fail"
      ? new UsageLimitExceeded({ limit: `calls per ${per} of ${label}`, allowed: calls, wouldBe: calls + 1 })
      : new ToolFailed({
          message:
            `No more calls of '${name}'${per === "step" ? " in this step" : ""}: ` +
            `the limit of ${calls} per ${per} is reached. Go on without it.`
        })
  )

/** What has been called. A call is counted before it runs, so that calls at the same time cannot overdraw. */
const newBudget = ({ perRun = Infinity, perStep = Infinity }: LimitedOptions) => {
  // What is shared serves many runs: those that have not called for the longest time are forgotten.
  const runs = new Map<string, number>()
  const steps = new WeakMap<Run, number>()
  const count = (run: Run, by: number): void => {
    const inRun = (runs.get(run.runId) ?? 0) + by
    runs.delete(run.runId)
    runs.set(run.runId, inRun)
    steps.set(run, (steps.get(run) ?? 0) + by)
    if (runs.size > rememberedRuns) runs.delete(runs.keys().next().value!)
  }
  const isSpent = (run: Run): boolean => (runs.get(run.runId) ?? 0) >= perRun
  return {
    isSpent,
    /** The limit that is in the way, if there is one. */
    take: (run: Run): Limit | undefined => {
      if (isSpent(run)) return { per: "run", calls: perRun }
      if ((steps.get(run) ?? 0) >= perStep) return { per: "step", calls: perStep }
      count(run, 1)
      return undefined
    },
    giveBack: (run: Run): void => count(run, -1)
  }
}

const rememberedRuns = 10_000

const limitFlaw = ({ perRun, perStep }: LimitedOptions): Flaw | undefined => {
  if (perRun === undefined && perStep === undefined) {
    return { problem: "There is no limit.", hint: "Give perRun, perStep or both." }
  }
  const wrong = [perRun, perStep].find((n) => n !== undefined && !(Number.isInteger(n) && n >= 0))
  return wrong === undefined
    ? undefined
    : { problem: `The number of calls is ${wrong}.`, hint: "Give a whole number of at least 0." }
}
