/** What an MCP toolset may fail with. What a tool itself says goes another way: see the option `onError`. */
import { Schema } from "effect"
import { withoutFrames } from "../interop/readable.ts"

/** What the HTTP side of a server said, where it said anything. */
const Http = Schema.Struct({
  status: Schema.Int,
  wwwAuthenticate: Schema.optional(Schema.String),
  retryAfter: Schema.optional(Schema.String)
})
export type Http = typeof Http.Type

const call = { server: Schema.String, toolName: Schema.String, problem: Schema.String }

/**
 * A server that cannot be started, reached, agreed with or listed, when the toolset is opened or listed.
 *
 * `stderr` is the end of what a server over stdio wrote there, without the secrets that it was given; `exitCode` is what
 * it ended with; `http` what a server over HTTP answered.
 */
export class McpConnectionError extends Schema.TaggedError<McpConnectionError>()("McpConnectionError", {
  server: Schema.String,
  problem: Schema.String,
  http: Schema.optional(Http),
  exitCode: Schema.optional(Schema.Int),
  stderr: Schema.optional(Schema.String),
  cause: Schema.optional(Schema.Defect())
}) {
  override get message(): string {
    const stderr = this.stderr === undefined ? "" : `\nIts stderr ends with:\n${withoutFrames(this.stderr)}`
    return `The MCP server '${this.server}' cannot be used: ${this.problem}${stderr}`
  }
}

/**
 * A call that got no answer of MCP: the server refused it before (401, 503, …), answered something else, or was gone and
 * did not come back. `cause` says more.
 */
export class McpCallError extends Schema.TaggedError<McpCallError>()("McpCallError", {
  ...call,
  http: Schema.optional(Http),
  cause: Schema.optional(Schema.Defect())
}) {
  override get message(): string {
    return `The tool '${this.toolName}' of the MCP server '${this.server}' gave no answer: ${this.problem}`
  }
}

/**
 * The connection was lost while a call was under way. Whether the tool ran is unknown, so it is not called again; a tool
 * that is annotated read-only or idempotent is.
 */
export class McpOutcomeUnknown extends Schema.TaggedError<McpOutcomeUnknown>()("McpOutcomeUnknown", {
  ...call,
  cause: Schema.optional(Schema.Defect())
}) {
  override get message(): string {
    return (
      `The connection to the MCP server '${this.server}' was lost during a call of '${this.toolName}', ` +
      `and it is unknown whether the tool ran: ${this.problem}`
    )
  }
}

/** A tool that said that it failed, where `onError` is `fail`. `code` is there where MCP itself refused the call. */
export class McpToolError extends Schema.TaggedError<McpToolError>()("McpToolError", {
  ...call,
  code: Schema.optional(Schema.Int),
  details: Schema.optional(Schema.Json)
}) {
  override get message(): string {
    return `The tool '${this.toolName}' of the MCP server '${this.server}' failed: ${this.problem}`
  }
}

/** What any MCP toolset may fail with. */
export type McpError = McpConnectionError | McpCallError | McpOutcomeUnknown
