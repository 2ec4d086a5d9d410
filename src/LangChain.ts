/** Tools of LangChain.js (`@langchain/core` 1). */

// its tools as a toolset
export { fromTools, type FromToolsOptions } from "./langchain/fromTools.ts"
export type { LangChainConfig, LangChainTool, LangChainToolkit } from "./langchain/LangChainTool.ts"
export { LangChainToolError } from "./langchain/LangChainToolError.ts"
