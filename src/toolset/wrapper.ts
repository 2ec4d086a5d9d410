import { Effect, Result, type Schema, type Types } from "effect"
import { dual } from "effect/Function"
import type { RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import { ApprovalRequired, CallDeferred } from "../ToolSignal.ts"
import { whileCalling } from "./environment.ts"
import { grantOf, wereShown } from "./grant.ts"
import { toJson } from "./json.ts"
import {
  type Args,
  type CallServices,
  type CallSignals,
  type Decoded,
  isToolset,
  type Tool,
  type Toolset
} from "./model.ts"
import { anyResult } from "./result.ts"
import { mapTool } from "./transform.ts"

/** One call on its way in: the tool as it is called here, and its decoded arguments. */
export interface Invocation {
  readonly tool: ToolDefinition
  readonly args: Args
}

/** What `next` fails with: the signals, and `unhandled` in the place of the errors of whatever will be wrapped. */
export type Next = (
  call: Invocation
) => Effect.Effect<ToolReturn, CallSignals | Types.unhandled, RunContext | ToolCall>

type Wrapped<E, R, Called> = Toolset<
  E | Exclude<Effect.Error<Called>, CallSignals | Types.unhandled>,
  R | Exclude<Effect.Services<Called>, CallServices>
>

/**
 * Puts an effect around every call.
 *
 * Sees decoded arguments and the encoded result; arguments that it changes are not validated again, and are what somebody is
 * shown who is asked inside; a result that it changes has to be JSON. `next(call)` for every call is the identity; two compose, and in a pipe the last one added is
 * outermost. Can be written away from its toolset: the `E` and `R` of what it wraps survive, its own join them. Signals
 * are ordinary failures here.
 *
 * ```ts run
 * import { Console, Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const logging = Toolset.wrapper((call, next) =>
 *   Effect.andThen(Console.log("calling", call.tool.name, call.args), next(call))
 * )
 * const square = Toolset.tool("square", {
 *   parameters: Schema.Struct({ n: Schema.Finite }),
 *   handler: ({ n }) => Effect.succeed(n * n)
 * })
 * console.log(Effect.runSync(Toolset.call(square.pipe(logging), "square", { n: 3 })))
 * //> calling square { n: 3 }
 * //> 9
 * ```
 */
export const wrapper: {
  <Called extends Effect.Effect<ToolReturn, unknown, unknown>>(
    around: (call: Invocation, next: Next) => Called
  ): <E, R>(self: Toolset<E, R>) => Wrapped<E, R, Called>
  <E, R, Called extends Effect.Effect<ToolReturn, unknown, unknown>>(
    self: Toolset<E, R>,
    around: (call: Invocation, next: Next) => Called
  ): Wrapped<E, R, Called>
} = dual(
  (args) => isToolset(args[0]),
  <E, R, Called extends Effect.Effect<ToolReturn, unknown, unknown>>(
    self: Toolset<E, R>,
    around: (call: Invocation, next: Next) => Called
  ): Wrapped<E, R, Called> =>
    mapTool(self, "wrapper", (tool) => ({
      ...tool,
      call: (args) => {
        const next = (call: Invocation) =>
          call.args === args.value ? tool.call(args) : called(tool, changed(args, call.args))
        return whileCalling(
          Effect.flatMap(
            // `next` fails with `E`, which a wrapper written away from its toolset knows as `unhandled`.
            Effect.suspend(() => around({ tool: tool.definition, args: args.value }, next as Next)),
            // Also the one that `next` gave: a wrapper can have written into it.
            anyResult.encode
          )
        ) as any
      }
    }))
)

/** Not validated again. */
const changed = (args: Decoded, value: Args): Decoded => ({
  ...args,
  value,
  encoded: (other = value) => args.encoded(other)
})

/**
 * A call with other arguments than those that were decoded: these are the ones that somebody is shown who is asked, and an
 * approval of others is none of these.
 */
const called = <E>(tool: Tool<E>, args: Decoded): ReturnType<Tool<E>["call"]> =>
  Effect.flatMap(ToolCall, (call) => {
    const grant = grantOf(call)
    const showing = Effect.catch(
      tool.call(args),
      (error): Effect.Effect<never, E | CallSignals, RunContext> =>
        error instanceof ApprovalRequired || error instanceof CallDeferred
          ? Effect.flatMap(asJson(args), (json) => Effect.fail(showingInstead(error, json)))
          : Effect.fail(error)
    )
    if (grant.shown === undefined) return showing
    return Effect.flatMap(asJson(args), (json) =>
      Effect.provideService(showing, ToolCall, { ...call, approved: wereShown(grant, json) })
    )
  })

/** The innermost wrapper knows best. */
const showingInstead = (signal: ApprovalRequired | CallDeferred, args: Schema.Json) => {
  if (signal.args !== undefined) return signal
  const { metadata } = signal
  return signal instanceof ApprovalRequired
    ? new ApprovalRequired({ metadata, args })
    : new CallDeferred({ metadata, args })
}

const asJson = (args: Decoded): Effect.Effect<Schema.Json, never, RunContext> =>
  Effect.map(args.encoded(), (encoded) =>
    Result.getOrElse(toJson(encoded), ({ path, problem }) => [...path, problem].join(": "))
  )
