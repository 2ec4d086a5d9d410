/** The words in which the meaning of a toolset is said. */
import type { Schema } from "effect"
import type { ToolDefinition, Toolset } from "effect-toolset"

/** How a call ends. */
export type Answer =
  | { readonly returned: Schema.Json; readonly metadata: Readonly<Record<string, unknown>> }
  | { readonly signal: string; readonly said: string | undefined; readonly reason?: string }
  | Failure
export interface Failure {
  readonly failed: string
}

/** What is known at a call. */
export interface Circumstances {
  readonly step: number
  readonly approved: boolean
  readonly as: string
  readonly last: boolean
  readonly flavour: string
  /** Less than a minute is left. */
  readonly hurried: boolean
  readonly trace: Array<string>
}

export interface Meant {
  readonly definition: ToolDefinition
  readonly accepts: (n: unknown) => boolean
  /** What its validator says, where it says anything. */
  readonly validate: (n: number) => Answer | undefined
  readonly call: (n: number, given: Circumstances) => Answer
}

export interface Meaning {
  /** What it cannot be opened for. */
  readonly opening: Failure | undefined
  /** Its tools are the same at every step, by what it is made of. */
  readonly fixed: boolean
  readonly tools: (step: number) => Failure | ReadonlyArray<Meant>
  readonly instructions: (step: number) => Failure | ReadonlyArray<Toolset.Instruction>
}

export const isFailure = (value: object | undefined): value is Failure =>
  value !== undefined && "failed" in value

export const nothing: Meaning = {
  opening: undefined,
  fixed: true,
  tools: () => [],
  instructions: () => []
}

export const retry = (said: string, reason?: string): Answer => ({
  signal: "ModelRetry",
  said,
  ...(reason === undefined ? {} : { reason })
})

export const unapproved: Answer = { signal: "ApprovalRequired", said: undefined }

/** What becomes of a failure: `Broken: t0` reads "t0 is broken". */
export const settled = (mode: "fail" | "recover" | "retry", failure: Failure): Answer => {
  const [tag, who] = failure.failed.split(": ")
  const said = `${who} is ${tag!.toLowerCase()}`
  if (mode === "fail") return failure
  return mode === "retry" ? retry(said, "body") : { signal: "ToolFailed", said }
}
