/**
 * The four signals. A handler, an argument validator, a wrapper or an approval predicate fails with one of them instead
 * of giving a result; dispatch turns it into an outcome. None of them ever shows in the `E` of a toolset.
 *
 * Each has a field that is there for the compiler alone: an error of somebody else that looks the same is no signal.
 */
import { Schema } from "effect"

/**
 * Asks the model to mend its call and try again; costs one retry of that tool in that step.
 *
 * The model reads `message` and "Fix the errors and try again."; when the budget is spent the run fails with
 * `ToolRetriesExceeded`. `reason` says who asked: the body (also a validator or wrapper; the default), the argument
 * schema, a timeout set by the library, or the lookup of a name that nobody offers.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { ModelRetry, Toolset } from "effect-toolset"
 *
 * const age = Toolset.tool("age", {
 *   parameters: Schema.Struct({ name: Schema.String }),
 *   handler: ({ name }) =>
 *     name === "Ada" ? Effect.succeed(36) : Effect.fail(new ModelRetry({ message: `Nobody is called ${name}.` }))
 * })
 * console.log(Effect.runSync(Effect.flip(Toolset.call(age, "age", { name: "Bob" }))).message)
 * //> Nobody is called Bob.
 * ```
 */
export class ModelRetry extends Schema.TaggedError<ModelRetry>()("ModelRetry", {
  message: Schema.String,
  reason: Schema.optional(Schema.Literals(["body", "arguments", "timeout", "unknown-tool"]))
}) {
  declare protected readonly signal: "ModelRetry"
}

/**
 * Tells the model that the call failed; costs no retry and resets none, and the run goes on.
 *
 * The model reads `message`, and `details` beside it where there are any.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { ToolFailed, Toolset } from "effect-toolset"
 *
 * const save = Toolset.tool("save", { handler: () => Effect.fail(new ToolFailed({ message: "Disk full." })) })
 * console.log(Effect.runSync(Effect.flip(Toolset.call(save, "save", {})))._tag)
 * //> ToolFailed
 * ```
 */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", {
  message: Schema.String,
  details: Schema.optional(Schema.Json)
}) {
  declare protected readonly signal: "ToolFailed"
}

/**
 * The call waits for somebody's approval; costs no retry.
 *
 * `metadata` travels with the request, for whoever approves. `ToolCall.approved` says that the approval was given. `args`:
 * what would run, where that is not what the model asked for; a `wrapper` that changes arguments says so by itself.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { ApprovalRequired, ToolCall, Toolset } from "effect-toolset"
 *
 * const wipe = Toolset.tool("wipe", {
 *   handler: Effect.fnUntraced(function* () {
 *     const { approved } = yield* ToolCall
 *     return approved ? "wiped" : yield* new ApprovalRequired({ metadata: { risk: "high" } })
 *   })
 * })
 * console.log(Effect.runSync(Effect.flip(Toolset.call(wipe, "wipe", {})))._tag)
 * //> ApprovalRequired
 * ```
 */
export class ApprovalRequired extends Schema.TaggedError<ApprovalRequired>()("ApprovalRequired", {
  metadata: Schema.optional(Schema.Record(Schema.String, Schema.Json)),
  args: Schema.optional(Schema.Json)
}) {
  declare protected readonly signal: "ApprovalRequired"
  override get message(): string {
    return "The call waits for an approval."
  }
}

/**
 * The result of the call comes from elsewhere, later; costs no retry.
 *
 * `metadata` travels with the request, for whoever gives the result. `args`: as those of `ApprovalRequired`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { CallDeferred, Toolset } from "effect-toolset"
 *
 * const ask = Toolset.tool("ask", { handler: () => Effect.fail(new CallDeferred({ metadata: { queue: "support" } })) })
 * console.log(Effect.runSync(Effect.flip(Toolset.call(ask, "ask", {})))._tag)
 * //> CallDeferred
 * ```
 */
export class CallDeferred extends Schema.TaggedError<CallDeferred>()("CallDeferred", {
  metadata: Schema.optional(Schema.Record(Schema.String, Schema.Json)),
  args: Schema.optional(Schema.Json)
}) {
  declare protected readonly signal: "CallDeferred"
  override get message(): string {
    return "The result of the call comes from elsewhere."
  }
}

/** What a call may say instead of a result. */
export type ToolSignal = ModelRetry | ToolFailed | ApprovalRequired | CallDeferred

/**
 * Whether a failure is one of the four signals, which say who has to act, and are no failures to retry or to log.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { isToolSignal, ModelRetry, Toolset } from "effect-toolset"
 *
 * const logging = Toolset.wrapper((call, next) =>
 *   Effect.tapError(next(call), (error) =>
 *     Effect.sync(() => console.log(isToolSignal(error) ? "asks for more" : "has failed"))
 *   )
 * )
 * const ask = Toolset.tool("ask", { handler: () => Effect.fail(new ModelRetry({ message: "Which one?" })) })
 * Effect.runSync(Effect.flip(Toolset.call(ask.pipe(logging), "ask", {})))
 * //> asks for more
 * ```
 */
export const isToolSignal = (error: unknown): error is ToolSignal =>
  error instanceof ModelRetry ||
  error instanceof ToolFailed ||
  error instanceof ApprovalRequired ||
  error instanceof CallDeferred
