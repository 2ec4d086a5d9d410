// the algebra
export * as Toolset from "./Toolset.ts"
export * as ServiceToolset from "./ServiceToolset.ts"
export type { ToolDefinition } from "./ToolDefinition.ts"
export { ToolReturn } from "./ToolReturn.ts"
export { Secrets, SecretTooShort } from "./Secrets.ts"
export * as JsonSchemaValidator from "./JsonSchemaValidator.ts"
// what a tool may ask about
export { RunContext } from "./RunContext.ts"
export { ToolCall } from "./ToolCall.ts"
// what a tool may say instead of a result
export { ApprovalRequired, CallDeferred, isToolSignal, ModelRetry, ToolFailed } from "./ToolSignal.ts"
export type { ToolSignal } from "./ToolSignal.ts"
// what a toolset may fail with
export { ToolNameConflict, ToolNotFound, ToolResultError, ToolsetDefinitionError } from "./ToolsetError.ts"
export type { ToolsetError } from "./ToolsetError.ts"
// running
export * as Agent from "./Agent.ts"
export { DeferredCall, DeferredToolRequests, DeferredToolResults } from "./Deferred.ts"
export type { Answers, Approval } from "./Deferred.ts"
export type { Usage } from "./Usage.ts"
// what a run may fail with
export {
  AgentDefinitionError,
  DeferralNotAllowed,
  DeferredResultsMismatch,
  IncompleteResponse,
  OutputRetriesExceeded,
  ToolRetriesExceeded,
  UsageLimitExceeded
} from "./agent/AgentError.ts"
