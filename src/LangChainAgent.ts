/** Tools for the agents of `langchain`. */
export type { Run } from "./neutral/model.ts"
