/** Agents: a model, instructions and toolsets, run to an output. */
export { type Agent, isAgent, TypeId } from "./agent/model.ts"
export { make } from "./agent/make.ts"
export { type Result, run, type RunOptions } from "./agent/run.ts"
export { override } from "./agent/override.ts"
export type { AgentError } from "./agent/AgentError.ts"
