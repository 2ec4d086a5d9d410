import { Effect, Queue, Stream } from "effect"
import { dual } from "effect/Function"
import { type LanguageModel, Prompt } from "effect/ai"
import type { Any, Error, Services } from "../toolset/model.ts"
import type { AgentError } from "./AgentError.ts"
import type { Event } from "./events.ts"
import type { Durability, DurableServices } from "./durable/durably.ts"
import { Ledger } from "./ledger.ts"
import { loop } from "./loop.ts"
import { type Agent, isAgent, specOf } from "./model.ts"
import type { Output, OutputOr, OutputServicesOr } from "./output.ts"
import { askStreaming } from "./request.ts"
import type { Handled, RunOptions } from "./run.ts"

/**
 * A run as a stream of what happens in it.
 *
 * Makes the same history as `run`. The last event is `Done`, with the result; whoever leaves the stream before ends the
 * run: its calls are interrupted and its toolsets closed.
 *
 * ```ts run
 * import { Effect, Stream } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import { TestModel } from "effect-toolset/testing"
 *
 * const now = Toolset.tool("now", { handler: () => Effect.succeed("noon") })
 * const events = Agent.stream(Agent.make({ toolsets: [now] }), { prompt: "What time is it?" })
 * const program = Stream.runForEach(events, (event) => Effect.sync(() => console.log(event._tag)))
 * await Effect.runPromise(program.pipe(Effect.provide(TestModel.layer())))
 * //> ToolCall
 * //> ToolResult
 * //> Text
 * //> Done
 * ```
 */
export const stream: {
  <
    T extends Any = never,
    const O extends Output | undefined = undefined,
    E2 = never,
    R2 = never,
    const D extends Durability | undefined = undefined,
    const S extends ReadonlyArray<Handled> = ReadonlyArray<never>
  >(
    options: RunOptions<T, O, E2, R2, D, S>
  ): <A, E, R>(self: Agent<A, E, R>) => Streamed<A, E, R, T, O, E2, R2, D, S>
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
  ): Streamed<A, E, R, T, O, E2, R2, D, S>
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
  ): Streamed<A, E, R, T, O, E2, R2, D, S> =>
    Stream.callback((queue) => {
      const emit = (event: Event<OutputOr<O, A>>) => Effect.asVoid(Queue.offer(queue, event))
      const ledger = new Ledger(options.history ?? Prompt.empty)
      // A scope of its own: were its resources in the stream's, they would close before what uses them is interrupted.
      return Effect.scoped(loop(specOf(self), options, ledger, { ask: askStreaming(emit), emit })).pipe(
        Effect.flatMap((result) => emit({ _tag: "Done", result })),
        Effect.flatMap(() => Queue.end(queue))
      )
    })
)

type Streamed<
  A,
  E,
  R,
  T extends Any,
  O extends Output | undefined,
  E2,
  R2,
  D extends Durability | undefined,
  S extends ReadonlyArray<Handled>
> = Stream.Stream<
  Event<OutputOr<O, A>>,
  AgentError | E | Error<T> | E2 | Effect.Error<S[number]>,
  | LanguageModel.LanguageModel
  | R
  | Services<T>
  | R2
  | Effect.Services<S[number]>
  | OutputServicesOr<O>
  | DurableServices<D>
>
