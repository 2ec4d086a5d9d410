import { Effect, type Schema, type Scope, Stream } from "effect"
import type { Tool, Toolkit } from "effect/ai"
import { outsideOfRuns, RunContext } from "../RunContext.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import { collect, type Offer } from "../toolset/collect.ts"
import { admit, circumstances } from "../toolset/dispatch.ts"
import { memoized } from "../toolset/memoized.ts"
import type { Run, Toolset } from "../toolset/model.ts"
import { openedForOthers } from "../toolset/open.ts"
import { modelResult, nobodyToAsk, type Outcome } from "../toolset/outcome.ts"
import { aiTool } from "./aiTool.ts"

/** A tool of `toToolkit`: its JSON Schema in, JSON out, the failures of its toolset in the failure channel. */
export type ToolkitTool<E> = Tool.Dynamic<
  string,
  {
    readonly parameters: Schema.Unknown
    readonly success: Schema.Unknown
    readonly failure: Schema.Codec<E>
    readonly failureMode: "error"
  }
>

export type ToolkitOf<E> = Toolkit.WithHandler<Record<string, ToolkitTool<E>>>

/**
 * A toolset as an `effect/ai` toolkit: opens it in the current scope, and gives an Effect of what it offers now, to be
 * run before each request for the `toolkit` of `LanguageModel.generateText`.
 *
 * A retry and a failure are failed results that the model reads; a tool of kind `unapproved` is offered with
 * `needsApproval`. What else waits for somebody (a predicate that asks, an external tool) is refused with a sentence,
 * since nobody can be asked here. The toolset's own failures stay typed.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { LanguageModel } from "effect/ai"
 * import { Toolset } from "effect-toolset"
 * import { ScriptedModel } from "effect-toolset/testing"
 *
 * const add = Toolset.tool("add", {
 *   parameters: Schema.Struct({ a: Schema.Int, b: Schema.Int }),
 *   handler: ({ a, b }) => Effect.succeed(a + b)
 * })
 * const program = Effect.gen(function* () {
 *   const offer = yield* Toolset.toToolkit(add)
 *   const response = yield* LanguageModel.generateText({ prompt: "1 + 2?", toolkit: yield* offer })
 *   return response.toolResults.map((part) => part.result)
 * })
 * const model = ScriptedModel.layer([ScriptedModel.calls({ add: { a: 1, b: 2 } })])
 * console.log(await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(model))))
 * //> [ 3 ]
 * ```
 */
export const toToolkit = <E, R>(
  self: Toolset<E, R>
): Effect.Effect<Effect.Effect<ToolkitOf<E>, E | ToolsetError>, E | ToolsetError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const { during, listing } = yield* openedForOthers(self)
    let step = 0
    return Effect.suspend(() => {
      const run: Run = { ...outsideOfRuns(), step: ++step }
      const inStep = <A, E2>(effect: Effect.Effect<A, E2, RunContext>) =>
        Effect.provideService(during(run)(effect), RunContext, run)
      return Effect.map(inStep(collect(listing, run)), (offer) => toolkitOf(offer, inStep))
    })
  })

type InStep = <A, E>(effect: Effect.Effect<A, E, RunContext>) => Effect.Effect<A, E>

const toolkitOf = <E>(offer: Offer<E>, inStep: InStep): ToolkitOf<E> => ({
  // Its schema of failures is never asked: `handle` fails with them as they are.
  tools: toolsOf(offer) as unknown as Record<string, ToolkitTool<E>>,
  handle: (name: string, params: unknown, id = "") =>
    Effect.succeed(Stream.fromEffect(inStep(handled(offer, name, params, id)))) as any
})

const toolsOf = memoized((offer: Offer<unknown>) =>
  Object.fromEntries(
    offer.tools.map(({ definition }) => [
      definition.name,
      definition.kind === "unapproved" ? aiTool(definition).setNeedsApproval(true) : aiTool(definition)
    ])
  )
)

/** effect/ai calls what needs no approval, and what was approved: here everything is. */
const handled = <E>(offer: Offer<E>, name: string, args: unknown, id: string) =>
  Effect.gen(function* () {
    const isGated = offer.byName.get(name)?.definition.kind === "unapproved"
    const admission = yield* admit(offer, { id, name, args }, { ...circumstances, approved: isGated })
    return toolkitResult(yield* admission.perform)
  })

const toolkitResult = (outcome: Outcome) => {
  const result =
    outcome._tag === "ApprovalRequired" || outcome._tag === "CallDeferred"
      ? nobodyToAsk(outcome)
      : modelResult(outcome)
  const isFailure = outcome._tag !== "Returned"
  return { result, encodedResult: result, isFailure, preliminary: false }
}
