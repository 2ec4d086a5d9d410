/** Tools for the AI SDK (`ai` 7), and from it. */

// a toolset as its tools
export { type AiSdkOptions, toOptions } from "./aisdk/toOptions.ts"

// its tools as a toolset
export { fromTools, type FromToolsOptions } from "./aisdk/fromTools.ts"
export { AiSdkToolError } from "./aisdk/AiSdkToolError.ts"
