import { Effect } from "effect"
import { dual } from "effect/Function"
import { type LanguageModel, Prompt } from "effect/ai"
import type { DeferredToolRequests, DeferredToolResults } from "../Deferred.ts"
import type { Usage } from "../Usage.ts"
import type { Any, Error, Services } from "../toolset/model.ts"
import type { AgentError } from "./AgentError.ts"
import type { Durability, DurableServices } from "./durable/durably.ts"
import { Ledger } from "./ledger.ts"
import type { Limits } from "./limits.ts"
import { loop, unwatched } from "./loop.ts"
import { type Agent, isAgent, type Retries, specOf } from "./model.ts"
import type { Output, OutputOr, OutputServicesOr } from "./output.ts"

/** Answers some, all or none of what a run waits for, without ending it. */
export type OnDeferred<E, R> = (
  requests: DeferredToolRequests
) => Effect.Effect<DeferredToolResults | undefined, E, R>

/** What a handler does: what it fails with and needs is read from it. */
export type Handled = Effect.Effect<DeferredToolResults | undefined, unknown, unknown>

/** What a run starts from, and what it has instead of, or besides, what its agent says. */
export interface RunOptions<
  T extends Any,
  O extends Output | undefined,
  E,
  R,
  D extends Durability | undefined = Durability | undefined,
  S extends ReadonlyArray<Handled> = ReadonlyArray<Effect.Effect<DeferredToolResults | undefined, E, R>>
> {
  /** What is said to the model, after the history. Default: nothing new. */
  readonly prompt?: Prompt.RawInput | undefined
  /** What came before: the `messages` of another run. */
  readonly history?: Prompt.Prompt | undefined
  /** After the agent's own. */
  readonly toolsets?: ReadonlyArray<T> | undefined
  /** In place of the agent's; the agent's `validateOutput` does not see it. */
  readonly output?: O
  /** What was said to the calls in which the history ends. */
  readonly deferredResults?: DeferredToolResults | undefined
  /** Several are asked in turn, each about what those before it left. */
  readonly onDeferred?:
    | OnDeferred<E, R>
    // Each by itself, so that they may fail with different things.
    | { readonly [K in keyof S]: (requests: DeferredToolRequests) => S[K] }
    | undefined
  /** In place of the agent's. */
  readonly retries?: Retries | undefined
  /** Each in place of the agent's. */
  readonly limits?: Limits | undefined
  /** Of the calls of one response. Default: unbounded. */
  readonly concurrency?: number | "unbounded" | undefined
  /** Records what is done, so that another attempt does not do it again. The toolsets need ids (`Toolset.withId`). */
  readonly durable?: D
}

/** Options without their types, which say what a run gives, fails with and needs, and are said by whoever takes them. */
export type AnyRunOptions = RunOptions<Any, Output | undefined, any, any>

/** What a run gives. */
export interface Result<out A> {
  readonly output: A
  /** The whole history, with this run's. Without instructions: those are the agent's, not the conversation's. */
  readonly messages: Prompt.Prompt
  /** What this run said. Where it went on, `messages` has it among what was there: results right behind their calls. */
  readonly newMessages: Prompt.Prompt
  readonly usage: Usage
  /** How much of it was used by attempts before this one. */
  readonly replayed: Usage
  readonly runId: string
}

/**
 * Runs an agent until it answers: asks the model, dispatches its calls, gives it the results, and again.
 *
 * Its toolsets are opened once, in a scope that closes with the run, and listed at every step. Calls of one response run
 * at the same time, but for sequential tools; their results are recorded in the order of the calls. Unknown names and
 * bad arguments go back to the model, within the retry budget. A tool's own failure ends the run with it: the other calls
 * are interrupted, and their finalizers awaited. Spans: one of the run, of each step and of each call.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import { ScriptedModel } from "effect-toolset/testing"
 *
 * const add = Toolset.tool("add", {
 *   parameters: Schema.Struct({ a: Schema.Int, b: Schema.Int }),
 *   handler: ({ a, b }) => Effect.succeed(a + b)
 * })
 * const model = ScriptedModel.layer([
 *   ScriptedModel.calls({ add: { a: 1, b: 2 } }),
 *   ScriptedModel.text("It is 3.")
 * ])
 * const result = await Effect.runPromise(
 *   Agent.run(Agent.make({ toolsets: [add] }), { prompt: "What is 1 + 2?" }).pipe(Effect.provide(model))
 * )
 * console.log(result.output, result.usage.toolCalls)
 * //> It is 3. 1
 * ```
 */
export const run: {
  <
    T extends Any = never,
    const O extends Output | undefined = undefined,
    E2 = never,
    R2 = never,
    const D extends Durability | undefined = undefined,
    const S extends ReadonlyArray<Handled> = ReadonlyArray<never>
  >(
    options: RunOptions<T, O, E2, R2, D, S>
  ): <A, E, R>(
    self: Agent<A, E, R>
  ) => Effect.Effect<
    Result<OutputOr<O, A>>,
    AgentError | E | Error<T> | E2 | Effect.Error<S[number]>,
    | LanguageModel.LanguageModel
    | R
    | Services<T>
    | R2
    | Effect.Services<S[number]>
    | OutputServicesOr<O>
    | DurableServices<D>
  >
  <
    A,
    E,
    R,
    T extends Any = never,
    const O extends Output | undefined = undefined,
    E2 = never,
    R2 = never,
    const D extends Durability | undefined = undefined,
    const S extends ReadonlyArray<Handled> = ReadonlyArray<never>
  >(
    self: Agent<A, E, R>,
    options: RunOptions<T, O, E2, R2, D, S>
  ): Effect.Effect<
    Result<OutputOr<O, A>>,
    AgentError | E | Error<T> | E2 | Effect.Error<S[number]>,
    | LanguageModel.LanguageModel
    | R
    | Services<T>
    | R2
    | Effect.Services<S[number]>
    | OutputServicesOr<O>
    | DurableServices<D>
  >
} = dual(
  (args) => isAgent(args[0]),
  <
    A,
    E,
    R,
    T extends Any,
    O extends Output | undefined,
    E2,
    R2,
    D extends Durability | undefined,
    S extends ReadonlyArray<Handled>
  >(
    self: Agent<A, E, R>,
    options: RunOptions<T, O, E2, R2, D, S>
  ): Effect.Effect<
    Result<OutputOr<O, A>>,
    AgentError | E | Error<T> | E2 | Effect.Error<S[number]>,
    | LanguageModel.LanguageModel
    | R
    | Services<T>
    | R2
    | Effect.Services<S[number]>
    | OutputServicesOr<O>
    | DurableServices<D>
  > =>
    Effect.scoped(
      Effect.suspend(() =>
        loop(specOf(self), options, new Ledger(options.history ?? Prompt.empty), unwatched)
      )
    )
)
