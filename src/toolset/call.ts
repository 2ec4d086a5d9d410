import { Effect } from "effect"
import { dual } from "effect/Function"
import type { ToolSignal } from "../ToolSignal.ts"
import type { ToolNotFound, ToolResultError, ToolsetError } from "../ToolsetError.ts"
import { isToolset, type Toolset } from "./model.ts"
import { open } from "./open.ts"

/**
 * Calls one tool without an agent: opens, looks up, decodes, validates, gates, calls, encodes, closes. One attempt, and
 * a signal is a typed failure.
 *
 * Uses the `RunContext` and the `ToolCall` that are there, else step 1, attempt 0, not approved.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const greet = Toolset.tool("greet", {
 *   parameters: Schema.Struct({ name: Schema.String }),
 *   handler: ({ name }) => Effect.succeed(`Hello, ${name}`)
 * })
 * console.log(Effect.runSync(Toolset.call(greet, "greet", { name: "Ada" })))
 * //> Hello, Ada
 * console.log(Effect.runSync(Effect.flip(Toolset.call(greet, "greet", {}))).message)
 * //> Invalid arguments: Missing key
 * //>   at ["name"]
 * ```
 */
export const call: {
  (
    name: string,
    args: unknown
  ): <E, R>(
    self: Toolset<E, R>
  ) => Effect.Effect<unknown, E | ToolSignal | ToolResultError | ToolNotFound | ToolsetError, R>
  <E, R>(
    self: Toolset<E, R>,
    name: string,
    args: unknown
  ): Effect.Effect<unknown, E | ToolSignal | ToolResultError | ToolNotFound | ToolsetError, R>
} = dual(
  (args) => isToolset(args[0]),
  <E, R>(
    self: Toolset<E, R>,
    name: string,
    args: unknown
  ): Effect.Effect<unknown, E | ToolSignal | ToolResultError | ToolNotFound | ToolsetError, R> =>
    Effect.scoped(Effect.flatMap(open(self), (session) => session.call(name, args)))
)
