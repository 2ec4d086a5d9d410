/** Tools for the tool runner of the Anthropic SDK. */
export type { Run } from "./neutral/model.ts"
