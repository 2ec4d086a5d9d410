import type { Tool } from "ai"
import type { CallSignals } from "../toolset/model.ts"
import type { AiSdkToolError } from "./AiSdkToolError.ts"

/** A tool, whatever it takes and gives. */
export type Sdk = Tool<any, any, any>

export type Failure = CallSignals | AiSdkToolError

/** A tool as a toolset holds it. */
export interface Held {
  /** Its key in the record. */
  readonly name: string
  readonly tool: Sdk
  readonly context: unknown
  /** What becomes of what it throws. */
  readonly failure: (cause: unknown) => Failure
}
