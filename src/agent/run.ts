import { Effect } from "effect"
import { dual } from "effect/Function"
import type { LanguageModel, Prompt } from "effect/ai"
import type { Usage } from "../Usage.ts"
import type { Any, Error, Services } from "../toolset/model.ts"
import type { AgentError } from "./AgentError.ts"
import { loop } from "./loop.ts"
import { type Agent, isAgent, specOf } from "./model.ts"

export interface RunOptions<T extends Any> {
  readonly prompt?: Prompt.RawInput | undefined
  /** What came before: the `messages` of another run. */
  readonly history?: Prompt.Prompt | undefined
  /** After the agent's own. */
  readonly toolsets?: ReadonlyArray<T> | undefined
  /** In place of the agent's. */
  readonly retries?: number | undefined
  /** Of the calls of one response. Default: unbounded. */
  readonly concurrency?: number | "unbounded" | undefined
}

/** What a run gives. */
export interface Result<out A> {
  readonly output: A
  /** The whole history, with this run's. Without instructions: those are the agent's, not the conversation's. */
  readonly messages: Prompt.Prompt
  readonly newMessages: Prompt.Prompt
  readonly usage: Usage
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
  <T extends Any = never>(
    options: RunOptions<T>
  ): <A, E, R>(
    self: Agent<A, E, R>
  ) => Effect.Effect<Result<A>, AgentError | E | Error<T>, LanguageModel.LanguageModel | R | Services<T>>
  <A, E, R, T extends Any = never>(
    self: Agent<A, E, R>,
    options: RunOptions<T>
  ): Effect.Effect<Result<A>, AgentError | E | Error<T>, LanguageModel.LanguageModel | R | Services<T>>
} = dual(
  (args) => isAgent(args[0]),
  <A, E, R, T extends Any>(
    self: Agent<A, E, R>,
    options: RunOptions<T>
  ): Effect.Effect<Result<A>, AgentError | E | Error<T>, LanguageModel.LanguageModel | R | Services<T>> =>
    Effect.scoped(loop(specOf(self), options))
)
