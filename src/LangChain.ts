/** Tools for LangChain.js, and from it. */
export type { Run } from "./neutral/model.ts"
