import { Effect } from "effect"
import { dual } from "effect/Function"
import { type LanguageModel, Prompt } from "effect/ai"
import { DeferredToolRequests } from "../Deferred.ts"
import { ToolCall } from "../ToolCall.ts"
import { CallDeferred, ToolFailed } from "../ToolSignal.ts"
import type { Toolset } from "../toolset/model.ts"
import type { Parameters, ParametersServices, ParametersType } from "../toolset/parameters.ts"
import { tool } from "../toolset/tool.ts"
import { type AgentError, DeferredResultsMismatch, UsageLimitExceeded } from "./AgentError.ts"
import { Ledger } from "./ledger.ts"
import { checked, loop, unwatched } from "./loop.ts"
import { under } from "./misfit.ts"
import { type Agent, type Spec, specOf } from "./model.ts"
import { nestingOf, type NestingService } from "./nesting.ts"
import type { Outputs } from "./output.ts"
import { segment } from "./path.ts"
import { resumedInside } from "./suspended.ts"
import { limitReached } from "./texts.ts"

/**
 * An agent as a toolset of one tool, whose result is the agent's output.
 *
 * What the agent uses counts as the outer run's, whose limits hold for it as well. Where it waits for somebody, the outer run waits: it asks under a path,
 * `outer/inner`, and what is said goes back to where it was asked. The agent's failures are the tool's.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Agent } from "effect-toolset"
 * import { ScriptedModel } from "effect-toolset/testing"
 *
 * const poet = Agent.asTool(Agent.make({ instructions: "You are a poet." }), {
 *   name: "poet",
 *   parameters: Schema.Struct({ topic: Schema.String }),
 *   prompt: ({ topic }) => `Write a line about ${topic}.`
 * })
 * const model = ScriptedModel.layer([
 *   ScriptedModel.calls({ poet: { topic: "rain" } }),
 *   ScriptedModel.text("The rain has no favourites."),
 *   ScriptedModel.text("Here it is: The rain has no favourites.")
 * ])
 * const program = Agent.run(Agent.make({ toolsets: [poet] }), { prompt: "A line about rain, please." })
 * const { output, usage } = await Effect.runPromise(program.pipe(Effect.provide(model)))
 * console.log(output, usage.requests)
 * //> Here it is: The rain has no favourites. 3
 * ```
 */
export const asTool: {
  <P extends Parameters>(
    options: AsToolOptions<P>
  ): <A, E, R>(
    self: Agent<A, E, R>
  ) => Toolset<AgentError | E, LanguageModel.LanguageModel | R | ParametersServices<P>>
  <A, E, R, P extends Parameters>(
    self: Agent<A, E, R>,
    options: AsToolOptions<P>
  ): Toolset<AgentError | E, LanguageModel.LanguageModel | R | ParametersServices<P>>
} = dual(
  2,
  <A, E, R, P extends Parameters>(
    self: Agent<A, E, R>,
    { description, name, parameters, prompt }: AsToolOptions<P>
  ): Toolset<AgentError | E, LanguageModel.LanguageModel | R | ParametersServices<P>> => {
    const spec = waitable(specOf(self))
    return tool(name, {
      description,
      parameters,
      validateArgs: () => checkInside(spec),
      handler: (args) => runInside(spec, () => prompt(args))
    }) as Toolset<AgentError | E, LanguageModel.LanguageModel | R | ParametersServices<P>>
  }
)

export interface AsToolOptions<P extends Parameters> {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters: P
  readonly prompt: (args: ParametersType<P>) => Prompt.RawInput
}

/** Whatever its outputs, it may wait: then the run outside does. */
const waitable = <E, R>(spec: Spec<E, R>): Spec<E, R> =>
  "problem" in spec.outputs ? spec : { ...spec, outputs: { ...spec.outputs, allowsDeferral: true } }

const runInside = <E, R>(spec: Spec<E, R>, prompt: () => Prompt.RawInput) =>
  Effect.gen(function* () {
    const call = yield* ToolCall
    const nesting = yield* nestingOf(call)
    const before = nesting.resume(call.id)
    const ledger = new Ledger(before?.history ?? Prompt.empty)
    const options =
      before === undefined ? { prompt: prompt() } : { deferredResults: resumedInside(before).results }
    const { messages, output } = yield* within(
      nesting,
      ledger
    )(Effect.scoped(loop(spec, options, ledger, unwatched, nesting.bounds))).pipe(
      Effect.onError(() =>
        Effect.sync(() => {
          if (before !== undefined) nesting.keep(before, call.id, ledger.begun())
        })
      ),
      Effect.mapError((error) =>
        error instanceof UsageLimitExceeded && error === ledger.stoppedBy
          ? new ToolFailed({ message: limitReached })
          : inside(call, error)
      )
    )
    if (output instanceof DeferredToolRequests) {
      yield* nesting.suspend(call.id, { history: messages, requests: output })
      return yield* new CallDeferred({})
    }
    // A run that has ended had outputs without a flaw.
    const { encode } = spec.outputs as Outputs<E>
    return yield* Effect.orElseSucceed(encode(output), () => output)
  })

/** What it uses is used by the run outside, while it runs and after. */
const within =
  ({ bounds, spend }: NestingService, ledger: Ledger) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const running = bounds?.ledger.inside
    return Effect.andThen(
      Effect.sync(() => running?.add(ledger)),
      effect
    ).pipe(
      Effect.ensuring(Effect.suspend(() => spend(ledger.usage, ledger.replayed))),
      Effect.ensuring(Effect.sync(() => running?.delete(ledger)))
    )
  }

/** Where other calls would run before a run that goes on finds what does not fit, it is looked for first. */
const checkInside = <E, R>(spec: Spec<E, R>) =>
  Effect.gen(function* () {
    const call = yield* ToolCall
    const before = (yield* nestingOf(call)).check(call.id)
    if (before === undefined) return
    const { history, results } = resumedInside(before)
    const checking = Effect.scoped(checked(spec, { deferredResults: results }, new Ledger(history)))
    yield* Effect.mapError(checking, (error) => inside(call, error))
  })

/** What does not fit inside of a call is named by its path. */
const inside = <E>({ id }: ToolCall["Service"], error: E): E | DeferredResultsMismatch =>
  error instanceof DeferredResultsMismatch ? under(segment(id), error) : error
