import { Clock, Effect } from "effect"
import { dual } from "effect/Function"
import { RunContext } from "../RunContext.ts"
import { withoutSecrets } from "../secrets/withoutSecrets.ts"
import { ToolCall } from "../ToolCall.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { ApprovalRequired, ToolFailed } from "../ToolSignal.ts"
import { answered, whileCalling } from "./environment.ts"
import type { Args, CallServices, CallSignals, OrEffect, Run, Toolset } from "./model.ts"
import { mapTool } from "./transform.ts"

/** `allow` the call, `ask` somebody first, or `deny` it for a reason that the model reads. */
export type Decision = "allow" | "ask" | { readonly deny: string }

/**
 * Decides about every call, from the tool, its decoded arguments, the run, and whatever services the decision needs.
 *
 * `allow` for every call is the identity; a guard that allows or asks is `approvalRequired`. An approval answers `ask`,
 * and nothing else: a guard decides again about an approved call, and may still deny it. Of two, the outer one decides
 * first. Every decision is an event of the call's span, and in the log at debug level.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const pay = Toolset.tool("pay", {
 *   parameters: Schema.Struct({ amount: Schema.Finite }),
 *   handler: ({ amount }) => Effect.succeed(`paid ${amount}`)
 * })
 * const guarded = pay.pipe(Toolset.guard((tool, { amount }) =>
 *   Number(amount) < 10 ? "allow" : Number(amount) < 100 ? "ask" : { deny: "Nobody pays that much." }
 * ))
 * console.log(Effect.runSync(Toolset.call(guarded, "pay", { amount: 5 })))
 * //> paid 5
 * console.log(Effect.runSync(Effect.flip(Toolset.call(guarded, "pay", { amount: 50 })))._tag)
 * //> ApprovalRequired
 * console.log(Effect.runSync(Effect.flip(Toolset.call(guarded, "pay", { amount: 500 }))).message)
 * //> Nobody pays that much.
 * ```
 */
export const guard: {
  <E2 = never, R2 = never>(
    decide: (tool: ToolDefinition, args: Args, run: Run) => OrEffect<Decision, E2, R2>
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | Exclude<E2, CallSignals>, R | Exclude<R2, CallServices>>
  <E, R, E2 = never, R2 = never>(
    self: Toolset<E, R>,
    decide: (tool: ToolDefinition, args: Args, run: Run) => OrEffect<Decision, E2, R2>
  ): Toolset<E | Exclude<E2, CallSignals>, R | Exclude<R2, CallServices>>
} = dual(
  2,
  <E, R, E2, R2>(
    self: Toolset<E, R>,
    decide: (tool: ToolDefinition, args: Args, run: Run) => OrEffect<Decision, E2, R2>
  ): Toolset<E | Exclude<E2, CallSignals>, R | Exclude<R2, CallServices>> =>
    mapTool(self, "guard", (tool) => ({
      ...tool,
      call: (args) =>
        Effect.gen(function* () {
          const { approved } = yield* ToolCall
          const run = yield* RunContext
          const decision = yield* whileCalling(
            Effect.suspend(() => answered(decide(tool.definition, args.value, run)))
          )
          yield* observed(tool.definition.name, decision)
          if (decision === "allow" || (decision === "ask" && approved)) return yield* tool.call(args)
          return yield* decision === "ask"
            ? new ApprovalRequired({})
            : new ToolFailed({ message: decision.deny })
        })
    }))
)

/** On the span of the call, and in the log. */
const observed = Effect.fnUntraced(function* (tool: string, decision: Decision) {
  const mask = yield* withoutSecrets
  const what = mask(
    typeof decision === "string" ? { tool, decision } : { tool, decision: "deny", reason: decision.deny }
  ) as Record<string, unknown>
  const now = yield* Clock.currentTimeNanos
  yield* Effect.ignore(Effect.map(Effect.currentSpan, (span) => span.event("guard", now, what)))
  yield* Effect.annotateLogs(Effect.logDebug("guard"), what)
})
