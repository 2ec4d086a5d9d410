/** Tools for OpenAI Agents JS. */
export type { Run } from "./neutral/model.ts"
