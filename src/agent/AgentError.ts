/** What a run may fail with, besides the failures of its toolsets and of its model: data with a computed message. */
import { Schema } from "effect"
import type { AiError } from "effect/ai"
import type { ToolResultError, ToolsetError } from "../ToolsetError.ts"

/** A tool asked for one more retry than its budget allows; `last` is what it said. */
export class ToolRetriesExceeded extends Schema.TaggedError<ToolRetriesExceeded>()("ToolRetriesExceeded", {
  toolName: Schema.String,
  maxRetries: Schema.Int,
  last: Schema.String
}) {
  override get message(): string {
    const times = this.maxRetries === 1 ? "1 retry" : `${this.maxRetries} retries`
    return (
      `The tool '${this.toolName}' asked for more than ${times}. It said: ${this.last} ` +
      "Raise its budget with the tool's maxRetries, Toolset.withMaxRetries or the agent's retries."
    )
  }
}

/** A response that ended before the model was done; none of its calls has run. */
export class IncompleteResponse extends Schema.TaggedError<IncompleteResponse>()("IncompleteResponse", {
  finishReason: Schema.String
}) {
  override get message(): string {
    const hint = this.finishReason === "length" ? " Raise the model's limit on output tokens." : ""
    return `The model's response is incomplete (${this.finishReason}); none of its calls has run.${hint}`
  }
}

/** Calls wait for somebody, and the agent has no output that says so. */
export class DeferralNotAllowed extends Schema.TaggedError<DeferralNotAllowed>()("DeferralNotAllowed", {
  toolNames: Schema.Array(Schema.String)
}) {
  override get message(): string {
    const names = this.toolNames.map((name) => `'${name}'`).join(", ")
    return `Calls of ${names} wait for somebody, and the agent cannot say so.`
  }
}

/** The agent itself is put together wrongly. */
export class AgentDefinitionError extends Schema.TaggedError<AgentDefinitionError>()("AgentDefinitionError", {
  problem: Schema.String,
  hint: Schema.String
}) {
  override get message(): string {
    return `${this.problem} ${this.hint}`
  }
}

/** What any run may fail with, besides the errors of its toolsets. */
export type AgentError =
  | AiError.AiError
  | ToolsetError
  | ToolResultError
  | ToolRetriesExceeded
  | IncompleteResponse
  | DeferralNotAllowed
  | AgentDefinitionError
