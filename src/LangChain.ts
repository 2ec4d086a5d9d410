/** Tools for LangChain.js (`@langchain/core` 1), and from it. */

// a toolset as its tools
export { toTools } from "./langchain/toTools.ts"

// its tools as a toolset
export { fromTools, type FromToolsOptions } from "./langchain/fromTools.ts"
export type { LangChainConfig, LangChainTool, LangChainToolkit } from "./langchain/LangChainTool.ts"
export { LangChainToolError } from "./langchain/LangChainToolError.ts"
