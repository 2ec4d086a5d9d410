/** Tools of LangChain.js (`@langchain/core` 1). */

// its tools as a toolset
export { fromTools, type FromToolsOptions } from "./langchain/fromTools.ts"
export type { LangChainConfig, LangChainTool, LangChainToolkit } from "./langchain/tool.ts"
export { LangChainToolError } from "./langchain/LangChainToolError.ts"
