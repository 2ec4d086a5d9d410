import type { NonStreamRunOptions } from "@openai/agents"
import type { Run } from "../neutral/model.ts"

/** What `run` of OpenAI Agents takes of a run. */
export type OpenAiAgentsOptions = Required<
  Pick<NonStreamRunOptions, "signal" | "toolNameCollisionPolicy" | "toolNotFoundBehavior">
>

/** What stops a run of OpenAI Agents when a tool fails for good, and lets the model mend a name; see `toTools`. */
export const toOptions = ({ signal }: Run): OpenAiAgentsOptions => ({
  signal,
  toolNameCollisionPolicy: "error",
  toolNotFoundBehavior: "return_error_to_model"
})
