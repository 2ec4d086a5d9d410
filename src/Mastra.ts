/** Tools for Mastra. */
export type { Run } from "./neutral/model.ts"
