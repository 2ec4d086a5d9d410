import { Effect, Exit } from "effect"
import { dual } from "effect/Function"
import { type LanguageModel, Prompt } from "effect/ai"
import type { Any, Error, Services } from "../toolset/model.ts"
import type { Usage } from "../Usage.ts"
import type { AgentError } from "./AgentError.ts"
import type { Durability, DurableServices } from "./durable/durably.ts"
import { Ledger } from "./ledger.ts"
import { loop, unwatched } from "./loop.ts"
import { type Agent, isAgent, specOf } from "./model.ts"
import type { Output, OutputOr, OutputServicesOr } from "./output.ts"
import { arrived } from "./override.ts"
import type { Handled, RunOptions } from "./run.ts"

/**
 * A run that cannot fail: how it ended, and every message until then, each call answered.
 *
 * A call that had no result when the run ended is answered with a sentence that says so, so that the history can be used
 * again. A run that is interrupted from outside is interrupted.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import { TestModel } from "effect-toolset/testing"
 *
 * const send = Toolset.tool("send", { handler: () => Effect.fail("offline" as const) })
 * const program = Agent.runExit(Agent.make({ toolsets: [send] }), { prompt: "Send it." })
 * const { exit, messages } = await Effect.runPromise(program.pipe(Effect.provide(TestModel.layer())))
 * console.log(exit._tag, messages.content.map((message) => message.role))
 * //> Failure [ 'user', 'assistant', 'tool' ]
 * ```
 */
export const runExit: {
  <
    T extends Any = never,
    const O extends Output | undefined = undefined,
    E2 = never,
    R2 = never,
    const D extends Durability | undefined = undefined,
    const S extends ReadonlyArray<Handled> = ReadonlyArray<never>
  >(
    options: RunOptions<T, O, E2, R2, D, S>
  ): <A, E, R>(self: Agent<A, E, R>) => Ending<A, E, R, T, O, E2, R2, D, S>
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
  ): Ending<A, E, R, T, O, E2, R2, D, S>
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
  ): Ending<A, E, R, T, O, E2, R2, D, S> =>
    Effect.suspend(() => {
      const ledger = new Ledger(options.history ?? Prompt.empty)
      const output = Effect.map(
        loop(specOf(self), options, ledger, unwatched),
        (result): OutputOr<O, A> => result.output
      )
      return Effect.map(Effect.exit(Effect.scoped(output)), (ended) => {
        const exit = ended._tag === "Failure" ? Exit.failCause(arrived(ended.cause)) : ended
        if (exit._tag === "Failure") ledger.close()
        const { messages, newMessages, replayed, usage } = ledger
        return { exit, messages, newMessages, usage, replayed }
      })
    })
)

type Ending<
  A,
  E,
  R,
  T extends Any,
  O extends Output | undefined,
  E2,
  R2,
  D extends Durability | undefined,
  S extends ReadonlyArray<Handled>
> = Effect.Effect<
  {
    readonly exit: Exit.Exit<OutputOr<O, A>, AgentError | E | Error<T> | E2 | Effect.Error<S[number]>>
    readonly messages: Prompt.Prompt
    readonly newMessages: Prompt.Prompt
    readonly usage: Usage
    /** How much of it was used by attempts before this one. */
    readonly replayed: Usage
  },
  never,
  | LanguageModel.LanguageModel
  | R
  | Services<T>
  | R2
  | Effect.Services<S[number]>
  | OutputServicesOr<O>
  | DurableServices<D>
>
