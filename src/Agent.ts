/** Agents: a model, instructions and toolsets, run to an output. */

// what an agent is
export { type Agent, isAgent, type Retries, TypeId } from "./agent/model.ts"
export { make } from "./agent/make.ts"
export type { Output, OutputToolOptions, OutputType } from "./agent/output.ts"
export type { EndStrategy } from "./agent/round.ts"
export type { Limits } from "./agent/limits.ts"

// running it
export { type OnDeferred, type Result, run, type RunOptions } from "./agent/run.ts"
export { runExit } from "./agent/runExit.ts"
export { stream } from "./agent/stream.ts"
export type { Event } from "./agent/events.ts"
export type { AgentError } from "./agent/AgentError.ts"

// in the place of its toolsets, and as one
export { override } from "./agent/override.ts"
export { asTool } from "./agent/asTool.ts"
