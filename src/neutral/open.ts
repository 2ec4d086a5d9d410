import { Cause, Effect, Exit, type Fiber, FiberSet, type Scope } from "effect"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import type { Offer } from "../toolset/collect.ts"
import { memoized } from "../toolset/memoized.ts"
import type { Toolset } from "../toolset/model.ts"
import type { Known, Result, Run, Tool } from "./model.ts"
import { ListingError, ToolCallError } from "./NeutralError.ts"
import { failed, kept, resultOf } from "./result.ts"
import { type CallError, makeTurns } from "./turns.ts"

/** How a run is set up. */
export interface Options {
  /** Retries of a tool that has no budget of its own; default 1. */
  readonly retries?: number | undefined
}

/** A run, and who drives it. */
export interface Opened<out E> {
  readonly run: Run
  readonly abort: (reason: unknown) => void
  /** What ended it; nothing, where no tool failed for good. */
  readonly failure: () => Cause.Cause<E | CallError> | undefined
}

/**
 * Opens a toolset for a framework, in the current scope, without driving it: for loops that are no single promise.
 *
 * A tool that fails for good aborts the `signal` and lets `next` reject, where the framework was given them. Nobody is
 * told the failure itself; it is logged, once, as a warning: `run` fails with it.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as Neutral from "effect-toolset/Neutral"
 *
 * const hello = Toolset.tool("hello", { handler: () => Effect.succeed("Hello!") })
 * const program = Effect.gen(function* () {
 *   const { tools } = yield* Neutral.open(hello)
 *   return yield* Effect.promise(() => tools[0]!.call({}))
 * })
 * console.log(await Effect.runPromise(Effect.scoped(program)))
 * //> { content: 'Hello!', isError: false }
 * ```
 */
export const open = <E, R>(
  self: Toolset<E, R>,
  options?: Options
): Effect.Effect<Run, E | ToolsetError, R | Scope.Scope> =>
  Effect.map(opened(self, options, undriven), ({ run }) => run)

const undriven = (cause: Cause.Cause<unknown>) =>
  Effect.logWarning(
    "A tool failed for good, and nobody drives its run: the framework and its model hear that it failed. " +
      "Neutral.run ends with the failure itself.",
    cause
  )

/** `onFailure` runs once, with what ends the run. */
export const opened = <E, R>(
  self: Toolset<E, R>,
  options: Options | undefined,
  onFailure: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
): Effect.Effect<Opened<E>, E | ToolsetError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const turns = yield* makeTurns(self, options?.retries)
    // What is still running when the scope closes is interrupted, before the toolset closes.
    const fibers = yield* FiberSet.make()
    const runFork = Effect.runForkWith(yield* Effect.context<never>())
    const fork = <A, E2>(effect: Effect.Effect<A, E2>, options?: Effect.RunOptions) =>
      // A fiber runs before whoever forks it has it.
      runFork(
        Effect.withFiber((fiber) => (FiberSet.addUnsafe(fibers, fiber), effect)),
        options
      )
    const controller = new AbortController()
    const abort = (reason: unknown) => controller.abort(reason)
    yield* Effect.addFinalizer(() => Effect.sync(() => abort(over())))
    const { signal } = controller
    let failure: Cause.Cause<E | CallError> | undefined

    /** Ends the run with the first failure; what comes after an abort is its echo. */
    const fail = (cause: Cause.Cause<E | CallError>, told: unknown) => {
      if (failure !== undefined || signal.aborted) return
      failure = cause
      fork(onFailure(cause))
      abort(told)
    }

    const call = (definition: ToolDefinition, args: unknown, given: AbortSignal, known: Known) => {
      if (failure !== undefined) return Promise.resolve(failed(notRun))
      const until = AbortSignal.any([signal, given])
      // An effect that never waits would run all the same.
      if (until.aborted) return Promise.reject(until.reason)
      const { name, sequential } = definition
      const { approved = false, id = name, turn } = known
      const told = new ToolCallError({ toolName: name })
      const calling = turns.callIn(turn)({ id, name, args, approved, sequential }, (exit) => {
        if (Exit.isFailure(exit) && !until.aborted) fail(exit.cause, told)
      })
      return exitOf(fork(calling, { signal: until })).then((exit): Result | Promise<Result> =>
        Exit.isSuccess(exit)
          ? kept(resultOf(exit.value))
          : Promise.reject(until.aborted ? until.reason : told)
      )
    }

    const toolOf = memoized((definition: ToolDefinition): Tool => {
      const { description, kind, name, parameters, sequential } = definition
      return {
        name,
        description,
        get parameters() {
          return structuredClone(parameters)
        },
        sequential,
        needsApproval: kind === "unapproved",
        call: (args, given, known = {}) => call(definition, args, given ?? signal, known)
      }
    })
    // What runs elsewhere cannot be called here.
    const toolsOf = (offer: Offer<E>): ReadonlyArray<Tool> =>
      offer.tools.flatMap(({ definition }) => (definition.kind === "external" ? [] : [toolOf(definition)]))

    const next = () => {
      if (signal.aborted) return Promise.reject(signal.reason)
      return exitOf(fork(turns.next, { signal })).then((exit): ReadonlyArray<Tool> | Promise<never> => {
        if (Exit.isSuccess(exit)) return toolsOf(exit.value.offer)
        fail(exit.cause, new ListingError())
        return Promise.reject(signal.reason)
      })
    }

    const tools = toolsOf(yield* turns.offer)
    return { run: { tools, signal, next }, abort, failure: () => failure }
  })

const exitOf = <A, E>(fiber: Fiber.Fiber<A, E>): Promise<Exit.Exit<A, E>> =>
  new Promise((resolve) => void fiber.addObserver(resolve))

const notRun = "Not run: an earlier tool call in this run failed."

const over = () => new DOMException("The run is over.", "AbortError")
