/** Toolsets for frameworks that know nothing of Effect: neutral tools, and the run that all adapters share. */
export { run } from "./neutral/run.ts"
export { type PromiseOptions, runPromise } from "./neutral/runPromise.ts"
export { open, type Options } from "./neutral/open.ts"
export type { Known, Part, Result, Run, Tool } from "./neutral/model.ts"
export type { CallError } from "./neutral/turns.ts"
export { FrameworkError, ListingError, ToolCallError } from "./neutral/NeutralError.ts"
