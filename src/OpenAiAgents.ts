/** Tools for OpenAI Agents JS. */
export { toTools } from "./openaiagents/toTools.ts"
export { type OpenAiAgentsOptions, toOptions } from "./openaiagents/toOptions.ts"
