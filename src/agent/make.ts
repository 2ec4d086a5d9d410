import type { Duration, Types } from "effect"
import { identity } from "effect/Function"
import { combined } from "../toolset/combined.ts"
import { memoized, memoizedByItems } from "../toolset/memoized.ts"
import type { Leaf } from "../toolset/mapLeaves.ts"
import type { Any, Error, ListServices, OrEffect, Services, Toolset } from "../toolset/model.ts"
import { type Agent, fromSpec } from "./model.ts"

/**
 * An agent: toolsets and instructions, for a model to work with.
 *
 * - `toolsets`: all the tools that it has, besides those given to a run. Default: none.
 * - `transform`: over all of them, combined: the place for a combinator over everything.
 * - `instructions`: before those of the toolsets; an Effect is asked at each step.
 * - `retries`: of a tool that has no budget of its own. Default: 1.
 * - `toolTimeout`: of a tool that has no timeout of its own. Default: none.
 * - `name`: in spans. `traceValues`: writes arguments and results of calls into spans. Default: not.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Agent, Toolset } from "effect-toolset"
 * import { TestModel } from "effect-toolset/testing"
 *
 * const agent = Agent.make({
 *   instructions: "Be brief.",
 *   toolsets: [Toolset.tool("now", { handler: () => Effect.succeed("noon") })]
 * })
 * const { output } = await Effect.runPromise(
 *   Agent.run(agent, { prompt: "What time is it?" }).pipe(Effect.provide(TestModel.layer()))
 * )
 * console.log(output)
 * //> {"now":"noon"}
 * ```
 */
export const make = <
  // `T = never` and not a `const` tuple with a default: that becomes the contextual type of inline elements, and
  // `toolsets: [Toolset.filtered(x, p)]` then fails to infer.
  T extends Any = never,
  EInstructions = never,
  RInstructions = never,
  ETransform = never,
  RTransform = never
>(options: {
  readonly toolsets?: ReadonlyArray<T> | undefined
  readonly transform?: ((all: Leaf) => Toolset<ETransform, RTransform>) | undefined
  readonly instructions?: OrEffect<string, EInstructions, RInstructions> | undefined
  readonly retries?: number | undefined
  readonly toolTimeout?: Duration.Input | undefined
  readonly name?: string | undefined
  readonly traceValues?: boolean | undefined
}): Agent<
  string,
  Error<T> | EInstructions | Exclude<ETransform, Types.unhandled>,
  Services<T> | Exclude<RInstructions, ListServices> | Exclude<RTransform, Types.unhandled>
> => {
  const toolsets = options.toolsets ?? []
  // What a transformation gives fails with what was there and with what it adds.
  const transform = (options.transform ?? identity) as (all: Toolset<any, any>) => Toolset<any, any>
  return fromSpec({
    name: options.name,
    toolset: memoizedByItems((extra: ReadonlyArray<Any>) => transform(combined(...toolsets, ...extra))),
    transform: memoized(transform),
    instructions: options.instructions,
    retries: options.retries,
    toolTimeout: options.toolTimeout,
    traceValues: options.traceValues ?? false
  })
}
