import { Cause, Context, Deferred, Effect, Exit } from "effect"
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

/** How many calls `limited` allows, and what becomes of those that are over. */
export interface LimitedOptions<Mode extends OnLimit = OnLimit> {
  /** Calls of all these tools together, in one run. Default: unbounded, as is the other one. */
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
 * refused before, and not those that only asked for an approval: where one that is under way may still turn out to, the
 * next one waits for it. A resumed run is a new run. The same value used twice
 * in a tree has one budget; `combined(limited(a), limited(b))` has two, `limited(combined(a, b))` has one. A limit that
 * nobody reaches is the identity.
 *
 * ```ts run
 * import { Cause, Context, Deferred, Effect, Exit } from "effect"
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
      Effect.gen(function* () {
        const run = yield* RunContext
        const around = yield* Around
        let limit = budget.take(run)
        // Those under way may only ask; but whoever calls from inside of one would wait for itself.
        while (limit !== undefined && !limit.isSure && !around.includes(budget)) {
          yield* budget.change()
          limit = budget.take(run)
        }
        if (limit !== undefined) {
          // The types say so where the mode is to fail.
          return yield* refusal(limit, options.onLimit, label, tool.definition.name) as Effect.Effect<
            never,
            E2
          >
        }
        return yield* Effect.provideService(tool.call(args), Around, [...around, budget]).pipe(
          Effect.onExit((exit) => Effect.sync(() => budget.end(run, onlyAsked(exit))))
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

/** The budgets that a call is counted in. */
const Around = Context.Reference<ReadonlyArray<object>>("effect-toolset/limited", { defaultValue: () => [] })

const onlyAsked = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof ApprovalRequired)

interface Limit {
  readonly per: "run" | "step"
  readonly calls: number
  /** Whether it is in the way, whatever becomes of the calls that are under way. */
  readonly isSure: boolean
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

/** Calls, and how many of them have not ended. */
interface Count {
  calls: number
  underWay: number
}

/** What has been called. A call is counted before it runs, so that calls at the same time cannot overdraw. */
const newBudget = ({ perRun = Infinity, perStep = Infinity }: LimitedOptions) => {
  // What is shared serves many runs: those that have not called for the longest time are forgotten.
  const runs = new Map<string, Count>()
  const steps = new WeakMap<Run, Count>()
  const inRun = ({ runId }: Run): Count => runs.get(runId) ?? { calls: 0, underWay: 0 }
  const inStep = (run: Run): Count => steps.get(run) ?? { calls: 0, underWay: 0 }
  const count = (run: Run, calls: number, underWay: number): void => {
    const [ofRun, ofStep] = [inRun(run), inStep(run)]
    for (const one of [ofRun, ofStep]) {
      one.calls += calls
      one.underWay += underWay
    }
    runs.delete(run.runId)
    runs.set(run.runId, ofRun)
    steps.set(run, ofStep)
    if (runs.size > rememberedRuns) runs.delete(runs.keys().next().value!)
  }
  const limitOf = (per: Limit["per"], allowed: number, { calls, underWay }: Count): Limit | undefined =>
    calls < allowed ? undefined : { per, calls: allowed, isSure: calls - underWay >= allowed }
  let changed: Deferred.Deferred<void> | undefined
  return {
    isSpent: (run: Run): boolean => inRun(run).calls >= perRun,
    /** The limit that is in the way, if there is one. */
    take: (run: Run): Limit | undefined => {
      const limit = limitOf("run", perRun, inRun(run)) ?? limitOf("step", perStep, inStep(run))
      if (limit === undefined) count(run, 1, 1)
      return limit
    },
    /** A call has ended, and counts unless it only asked. */
    end: (run: Run, onlyAsked: boolean): void => {
      count(run, onlyAsked ? -1 : 0, -1)
      if (changed !== undefined) Deferred.doneUnsafe(changed, Exit.void)
      changed = undefined
    },
    /** The next end of a call. */
    change: (): Effect.Effect<void> => Deferred.await((changed ??= Deferred.makeUnsafe()))
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
