import { Schema } from "effect"

/** A tool of the AI SDK that threw, where `onError` is `fail`; `cause` is what it threw. */
export class AiSdkToolError extends Schema.TaggedError<AiSdkToolError>()("AiSdkToolError", {
  toolName: Schema.String,
  problem: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The tool '${this.toolName}' failed: ${this.problem}`
  }
}
