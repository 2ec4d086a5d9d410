import { Effect, type Schema, type Scope, Stream } from "effect"
import type { Tool, Toolkit } from "effect/ai"
import { resultOf } from "../neutral/result.ts"
import { type CallError, type Calling, makeTurns } from "../neutral/turns.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import type { Offer } from "../toolset/collect.ts"
import type { Call } from "../toolset/dispatch.ts"
import { memoized } from "../toolset/memoized.ts"
import type { Toolset } from "../toolset/model.ts"
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

/** Its calls may fail with a retry too many, and with a result that cannot be sent, too. */
export type ToolkitOf<E> = Toolkit.WithHandler<Record<string, ToolkitTool<E | CallError>>>

/**
 * A toolset as an `effect/ai` toolkit: opens it in the current scope, and gives an Effect of what it offers now, to be
 * run before each request for the `toolkit` of `LanguageModel.generateText`.
 *
 * A retry and a failure are failed results that the model reads; retries are counted from one offer to the next, and one
 * too many fails the request. Sequential tools run alone, in the order of the calls. A tool of kind `unapproved` is offered with
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
  Effect.map(makeTurns(self), ({ next }) =>
    Effect.map(next, ({ call, offer }) => ({
      // Its schema of failures is never asked: `handle` fails with them as they are.
      tools: toolsOf(offer) as unknown as Record<string, ToolkitTool<E | CallError>>,
      handle: (name: string, args: unknown, id = "") =>
        Effect.succeed(Stream.fromEffect(handled(offer, call, { id, name, args }))) as any
    }))
  )

const toolsOf = memoized((offer: Offer<unknown>) =>
  Object.fromEntries(
    offer.tools.map(({ definition }) => [
      definition.name,
      definition.kind === "unapproved" ? aiTool(definition).setNeedsApproval(true) : aiTool(definition)
    ])
  )
)

/** effect/ai calls what needs no approval, and what was approved: here everything is. */
const handled = <E>(offer: Offer<E>, call: Calling<E>, asked: Call) => {
  const definition = offer.byName.get(asked.name)?.definition
  const approved = definition?.kind === "unapproved"
  const sequential = definition?.sequential === true
  return Effect.map(call({ ...asked, approved, sequential }), (outcome) => {
    const { content, isError, parts } = resultOf(outcome)
    const modelOutput = parts === undefined ? {} : { modelOutput: parts }
    return { result: content, encodedResult: content, isFailure: isError, preliminary: false, ...modelOutput }
  })
}
