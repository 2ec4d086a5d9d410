/** What a run may fail with, besides the failures of its toolsets and of its model: data with a computed message. */
import { Schema } from "effect"
import type { AiError } from "effect/ai"
import type { DurableError } from "../durable/DurableError.ts"
import type { ToolResultError, ToolsetError } from "../ToolsetError.ts"

/** What somebody said, with a full stop where it has none. */
const sentence = (text: string): string => (/[.!?]\s*$/.test(text) ? text : `${text}.`)

/** A tool asked for one more retry than its budget allows; `last` is what it said. */
export class ToolRetriesExceeded extends Schema.TaggedError<ToolRetriesExceeded>()("ToolRetriesExceeded", {
  toolName: Schema.String,
  maxRetries: Schema.Int,
  last: Schema.String
}) {
  override get message(): string {
    const times = this.maxRetries === 1 ? "1 retry" : `${this.maxRetries} retries`
    return (
      `The tool '${this.toolName}' asked for more than ${times}. It said: ${sentence(this.last)} ` +
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

/** An output failed its validation once more than its budget allows; `last` is what was wrong. */
export class OutputRetriesExceeded extends Schema.TaggedError<OutputRetriesExceeded>()(
  "OutputRetriesExceeded",
  {
    maxRetries: Schema.Int,
    last: Schema.String
  }
) {
  override get message(): string {
    return (
      `Exceeded maximum output retries (${this.maxRetries}). The last answer was refused: ${sentence(this.last)} ` +
      "Raise the budget with the agent's retries: { output: n }."
    )
  }
}

/** A limit of the run was or would be crossed; `limit` says which, `wouldBe` to what. */
export class UsageLimitExceeded extends Schema.TaggedError<UsageLimitExceeded>()("UsageLimitExceeded", {
  limit: Schema.String,
  allowed: Schema.Int,
  wouldBe: Schema.Int
}) {
  override get message(): string {
    return (
      `The limit of ${this.allowed} ${this.limit} would be exceeded (${this.wouldBe}). ` +
      "Raise it, or say with onLimit what happens when it is reached."
    )
  }
}

/** Calls wait for somebody, and the agent has no output that says so. */
export class DeferralNotAllowed extends Schema.TaggedError<DeferralNotAllowed>()("DeferralNotAllowed", {
  toolNames: Schema.Array(Schema.String)
}) {
  override get message(): string {
    const names = this.toolNames.map((name) => `'${name}'`).join(", ")
    return (
      `Calls of ${names} wait for somebody, and no output of the agent says so. ` +
      "List DeferredToolRequests among its outputs, or answer them with the run's onDeferred."
    )
  }
}

/** The results that a run was given are not those of the calls that it waits for; nothing has been executed. */
export class DeferredResultsMismatch extends Schema.TaggedError<DeferredResultsMismatch>()(
  "DeferredResultsMismatch",
  {
    toolCallIds: Schema.Array(Schema.String),
    problem: Schema.String
  }
) {
  override get message(): string {
    const ids = this.toolCallIds.map((id) => `'${id}'`).join(", ")
    return ids === "" ? this.problem : `${this.problem} (${ids})`
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
  | OutputRetriesExceeded
  | UsageLimitExceeded
  | IncompleteResponse
  | DeferralNotAllowed
  | DeferredResultsMismatch
  | AgentDefinitionError
  | DurableError
