/** Tools for LangChain.js, and from it. */
export { toTools } from "./langchain/toTools.ts"
