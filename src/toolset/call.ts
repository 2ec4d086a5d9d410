import { Effect, Option } from "effect"
import { dual, identity } from "effect/Function"
import { ToolCall } from "../ToolCall.ts"
import type { ToolSignal } from "../ToolSignal.ts"
import { ToolNotFound, type ToolResultError, type ToolsetError } from "../ToolsetError.ts"
import { collect } from "./collect.ts"
import { admit, circumstances } from "./dispatch.ts"
import { byHand, isUnderWay } from "./grant.ts"
import { inRun } from "./inRun.ts"
import type { Steps } from "./lease.ts"
import { isToolset, type Listing, type Toolset } from "./model.ts"
import { opened } from "./opening.ts"

/**
 * Calls one tool without an agent: opens, looks up, decodes, validates, gates, calls, encodes, closes. One attempt, and
 * a signal is a typed failure.
 *
 * Uses the `RunContext` that is there, else one at step 1, and a `ToolCall` that a test provides, else attempt 0, not
 * approved. Inside a handler it is a call of its own: an approval is for one call, and not for those made in it.
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
    Effect.scoped(Effect.flatMap(opened(self), (listing) => callOnce(listing, name, args)))
)

/** The agent's pipeline for one call, once: its signal is a failure here. `during` is around all of it. */
export const callOnce = <E>(
  listing: Listing<E>,
  name: string,
  args: unknown,
  during: Steps["during"] = () => identity
): Effect.Effect<unknown, E | ToolSignal | ToolResultError | ToolNotFound | ToolsetError> =>
  inRun((run) =>
    Effect.gen(function* () {
      const offer = yield* collect(listing, run)
      if (!offer.byName.has(name)) {
        const availableTools = offer.tools.map((tool) => tool.definition.name)
        return yield* new ToolNotFound({ toolName: name, availableTools })
      }
      const around = Option.getOrUndefined(yield* Effect.serviceOption(ToolCall))
      const given = around === undefined || isUnderWay(around) ? undefined : around
      const id = given?.id ?? "direct"
      const { progress } = around ?? circumstances
      const admission = yield* admit(
        offer,
        { id, name, args },
        { ...circumstances, grant: byHand, progress, ...given }
      )
      const outcome = yield* admission.perform
      return outcome._tag === "Returned" ? outcome.result.value : yield* Effect.fail(outcome)
    }).pipe(during(run))
  )
