import { Effect, type Types } from "effect"
import { dual } from "effect/Function"
import type { RunContext } from "../RunContext.ts"
import type { ToolCall } from "../ToolCall.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import { whileCalling } from "./environment.ts"
import {
  type Args,
  type CallServices,
  type CallSignals,
  type Decoded,
  isToolset,
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
 * Sees decoded arguments and the encoded result; arguments that it changes are not validated again, a result that it
 * changes has to be JSON. `next(call)` for every call is the identity; two compose, and in a pipe the last one added is
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
          tool.call(call.args === args.value ? args : changed(args, call.args))
        return whileCalling(
          Effect.flatMap(
            // `next` fails with `E`, which a wrapper written away from its toolset knows as `unhandled`.
            Effect.suspend(() => around({ tool: tool.definition, args: args.value }, next as Next)),
            // Also the one that `next` gave: a wrapper can have written into it.
            (result) => anyResult.encode(tool.definition.name, result)
          )
        ) as any
      }
    }))
)

/** Not validated again, and by no schema encoded: what they are stands for itself. */
const changed = (args: Decoded, value: Args): Decoded => ({
  ...args,
  value,
  encoded: () => Effect.succeed(value)
})
