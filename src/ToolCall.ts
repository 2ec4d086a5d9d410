import type { Effect, Schema } from "effect"
import { Context } from "effect"

/**
 * What is known about one call; a service inside a call only, never in the `R` of a toolset.
 *
 * - `id`: the model's id of the call.
 * - `name`: as the tool itself was declared; `exposedName`: as the model called it.
 * - `attempt`: 0 the first time, one more for each step in which the tool asked for a retry.
 * - `maxRetries`: the budget that ends the run; `lastAttempt`: one more retry would exceed it.
 * - `approved`: somebody said yes to this very call; `metadata`: what came with the approval.
 * - `idempotencyKey`: in a durable run, the same on every attempt at this very call, and no other's: for receivers that
 *   tell repetitions by it.
 * - `progress`: reports how far the call is, to whoever watches the run.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { ToolCall, Toolset } from "effect-toolset"
 *
 * const whoami = Toolset.tool("whoami", {
 *   handler: () => Effect.map(ToolCall, ({ exposedName, name }) => `${exposedName} is ${name}`)
 * })
 * console.log(Effect.runSync(Toolset.call(Toolset.prefixed(whoami, "x"), "x_whoami", {})))
 * //> x_whoami is whoami
 * ```
 */
export class ToolCall extends Context.Service<
  ToolCall,
  {
    readonly id: string
    readonly name: string
    readonly exposedName: string
    readonly attempt: number
    readonly maxRetries: number
    readonly lastAttempt: boolean
    readonly approved: boolean
    readonly metadata: Readonly<Record<string, Schema.Json>>
    readonly idempotencyKey?: string | undefined
    readonly progress: (value: unknown) => Effect.Effect<void>
  }
>()("effect-toolset/ToolCall") {}
