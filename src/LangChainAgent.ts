/** Tools for the agents of `langchain`. */
export { type LangChainAgentOptions, toOptions } from "./langchain/toOptions.ts"
