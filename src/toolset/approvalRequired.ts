import { dual } from "effect/Function"
import type { ToolDefinition } from "../ToolDefinition.ts"
import { answered, whileCalling } from "./environment.ts"
import { asking, whenApproved } from "./gate.ts"
import { memoized } from "./memoized.ts"
import {
  type Args,
  type CallServices,
  type CallSignals,
  isToolset,
  type OrEffect,
  type Run,
  type Toolset
} from "./model.ts"
import { mapTool } from "./transform.ts"

/** Asked at a call, with decoded arguments. */
export type CallPredicate<E, R> = (tool: ToolDefinition, args: Args, run: Run) => OrEffect<boolean, E, R>

/**
 * Asks somebody before the calls for which the predicate holds. Default: all.
 *
 * The predicate sees decoded arguments, so whoever approves only ever sees valid calls. A predicate that never holds is
 * the identity; `p` then `q` asks where `p` or `q` holds (for pure predicates); one approval satisfies both; an approved
 * call is the inner call. One that fails with `ApprovalRequired` asks with metadata. Without a predicate the tools are of
 * kind `unapproved`, so that a front end can tell.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { ToolCall, Toolset } from "effect-toolset"
 *
 * const wipe = Toolset.tool("wipe", { handler: () => Effect.succeed("wiped") })
 * const careful = wipe.pipe(Toolset.approvalRequired())
 * console.log(Effect.runSync(Effect.flip(Toolset.call(careful, "wipe", {})))._tag)
 * //> ApprovalRequired
 * ```
 */
export const approvalRequired: {
  <E2 = never, R2 = never>(
    when?: CallPredicate<E2, R2>
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | Exclude<E2, CallSignals>, R | Exclude<R2, CallServices>>
  <E, R, E2 = never, R2 = never>(
    self: Toolset<E, R>,
    when?: CallPredicate<E2, R2>
  ): Toolset<E | Exclude<E2, CallSignals>, R | Exclude<R2, CallServices>>
} = dual(
  (args) => isToolset(args[0]),
  <E, R, E2, R2>(
    self: Toolset<E, R>,
    when?: CallPredicate<E2, R2>
  ): Toolset<E | Exclude<E2, CallSignals>, R | Exclude<R2, CallServices>> =>
    when === undefined
      ? mapTool<E, R, never>(self, "approvalRequired", (tool) => ({
          ...tool,
          definition: unapproved(tool.definition),
          call: whenApproved(tool.call)
        }))
      : mapTool(self, "approvalRequired", (tool) => ({
          ...tool,
          call: asking((args, run) => whileCalling(answered(when(tool.definition, args, run))), tool.call)
        }))
)

const unapproved = memoized((tool: ToolDefinition): ToolDefinition =>
  tool.kind === "function" ? { ...tool, kind: "unapproved" } : tool
)
