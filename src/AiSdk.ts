/** Tools for the AI SDK, and from it. */
export { type AiSdkOptions, toOptions } from "./aisdk/toOptions.ts"
