import { Schema } from "effect"

/** A tool of LangChain.js that threw, where `onError` is `fail`; `cause` is what it threw. */
export class LangChainToolError extends Schema.TaggedError<LangChainToolError>()("LangChainToolError", {
  toolName: Schema.String,
  problem: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The tool '${this.toolName}' failed: ${this.problem}`
  }
}
