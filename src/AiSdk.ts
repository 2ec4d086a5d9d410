/** Tools of the AI SDK (`ai` 7). */

// its tools as a toolset
export { fromTools, type FromToolsOptions } from "./aisdk/fromTools.ts"
export { AiSdkToolError } from "./aisdk/AiSdkToolError.ts"
