/** Calls that somebody has to say yes to. */
import { Effect } from "effect"
import { RunContext } from "../RunContext.ts"
import { ToolCall } from "../ToolCall.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import { ApprovalRequired } from "../ToolSignal.ts"
import type { Args, CallSignals, Decoded, Run, Tool } from "./model.ts"

/** A call, once somebody has said yes. */
export const whenApproved =
  <E>(call: Tool<E>["call"]): Tool<E>["call"] =>
  (args) =>
    Effect.flatMap(ToolCall, ({ approved }) =>
      approved ? call(args) : Effect.fail(new ApprovalRequired({}))
    )

/** A call that asks for a yes where the predicate says so. An approval answers it, so that it is not asked again. */
export const asking =
  <E, E2>(
    when: (args: Args, run: Run) => Effect.Effect<boolean, E2, RunContext | ToolCall>,
    call: Tool<E>["call"]
  ): ((args: Decoded) => Effect.Effect<ToolReturn, CallSignals | E | E2, RunContext | ToolCall>) =>
  (args) =>
    Effect.gen(function* () {
      const { approved } = yield* ToolCall
      if (!approved && (yield* when(args.value, yield* RunContext))) return yield* new ApprovalRequired({})
      return yield* call(args)
    })
