import type { Duration, Effect, Types } from "effect"
import { identity } from "effect/Function"
import type { DeferredToolRequests } from "../Deferred.ts"
import { combined } from "../toolset/combined.ts"
import { memoized, memoizedByItems } from "../toolset/memoized.ts"
import type { Leaf } from "../toolset/mapLeaves.ts"
import type { Any, CallSignals, Error, ListServices, OrEffect, Services, Toolset } from "../toolset/model.ts"
import type { Limits } from "./limits.ts"
import { type Agent, fromSpec, type Retries } from "./model.ts"
import {
  type Output,
  type OutputOr,
  type OutputServicesOr,
  outputsOf,
  type OutputToolOptions
} from "./output.ts"
import type { EndStrategy } from "./round.ts"

/**
 * An agent: toolsets and instructions, for a model to work with.
 *
 * - `toolsets`: all the tools that it has, besides those given to a run. Default: none.
 * - `transform`: over all of them, combined: the place for a combinator over everything.
 * - `instructions`: before those of the toolsets; an Effect is asked at each step.
 * - `output`: what it answers with: a schema, or several. `Schema.String` itself is text (the default), every other schema
 *   an output tool, which ends the run; `DeferredToolRequests` among them says that a run may end by asking.
 * - `outputTool`: its name (default: `final_result`) and description. `validateOutput`: may ask for another answer with
 *   `ModelRetry`; its own failures end the run.
 * - `retries`: of a tool that has no budget of its own, and of outputs. Default: 1.
 * - `endStrategy`: what becomes of other calls beside an output: `graceful` (default), `early`, `exhaustive`.
 * - `limits`: of requests, tool calls and tokens. Default: none.
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
  O extends Output | undefined = undefined,
  EInstructions = never,
  RInstructions = never,
  Validated extends Effect.Effect<void, unknown, unknown> = never,
  ETransform = never,
  RTransform = never
>(options: {
  readonly toolsets?: ReadonlyArray<T> | undefined
  readonly transform?: ((all: Leaf) => Toolset<ETransform, RTransform>) | undefined
  readonly instructions?: OrEffect<string, EInstructions, RInstructions> | undefined
  readonly output?: O
  readonly outputTool?: OutputToolOptions | undefined
  readonly validateOutput?:
    | ((output: Exclude<OutputOr<O, string>, DeferredToolRequests>) => Validated)
    | undefined
  readonly retries?: Retries | undefined
  readonly endStrategy?: EndStrategy | undefined
  readonly toolTimeout?: Duration.Input | undefined
  readonly limits?: Limits | undefined
  readonly name?: string | undefined
  readonly traceValues?: boolean | undefined
}): Agent<
  OutputOr<O, string>,
  | Error<T>
  | EInstructions
  | Exclude<Effect.Error<Validated>, CallSignals>
  | Exclude<ETransform, Types.unhandled>,
  | Services<T>
  | Exclude<RInstructions, ListServices>
  | Exclude<Effect.Services<Validated>, ListServices>
  | Exclude<RTransform, Types.unhandled>
  | OutputServicesOr<O>
> => {
  const toolsets = options.toolsets ?? []
  // What a transformation gives fails with what was there and with what it adds.
  const transform = (options.transform ?? identity) as (all: Toolset<any, any>) => Toolset<any, any>
  const outputTool = options.outputTool ?? {}
  return fromSpec({
    name: options.name,
    toolset: memoizedByItems((extra: ReadonlyArray<Any>) => transform(combined(...toolsets, ...extra))),
    transform: memoized(transform),
    instructions: options.instructions,
    outputs: outputsOf<any>(options.output, outputTool, options.validateOutput),
    outputTool,
    retries: options.retries,
    endStrategy: options.endStrategy ?? "graceful",
    toolTimeout: options.toolTimeout,
    limits: options.limits,
    traceValues: options.traceValues ?? false
  })
}
