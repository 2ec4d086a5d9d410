/** What frameworks are told, and what is told of them. */
import { Schema } from "effect"
import { failureText } from "../toolset/failure.ts"

/**
 * What a framework gets of a call that failed for good. It says which tool it was and nothing else: frameworks show what
 * is thrown to the model. The failure itself is that of the run.
 */
export class ToolCallError extends Schema.TaggedError<ToolCallError>()("ToolCallError", {
  toolName: Schema.String
}) {
  override get message(): string {
    return `The tool '${this.toolName}' failed.`
  }
}

/** The tools can be had no longer, since a listing failed; which one, the run says. */
export class ListingError extends Schema.TaggedError<ListingError>()("ListingError", {}) {
  override get message(): string {
    return "The tools cannot be listed."
  }
}

/** The run of a framework failed, and no tool did; `cause` is what it was rejected with. */
export class FrameworkError extends Schema.TaggedError<FrameworkError>()("FrameworkError", {
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The framework failed: ${failureText(this.cause)}`
  }
}
