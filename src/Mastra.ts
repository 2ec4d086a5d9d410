/** Tools for Mastra. */
export { type MastraOptions, type MastraTools, toOptions } from "./mastra/toOptions.ts"
