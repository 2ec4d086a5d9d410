/** Tools for the tool runner of the Anthropic SDK. */
export { toTools } from "./anthropic/toTools.ts"
export { runUntilDone } from "./anthropic/runUntilDone.ts"
