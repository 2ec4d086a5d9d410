/** A tool without Effect: what adapters for frameworks stand on. */
import type { JsonSchema, Schema } from "effect"
import type { Prompt } from "effect/ai"

/** A tool as any framework can call it. */
export interface Tool {
  readonly name: string
  readonly description: string | undefined
  /** A fresh copy whenever it is read: frameworks write into theirs. */
  readonly parameters: JsonSchema.JsonSchema
  /** Runs alone in its turn, in the order of the calls, however it is called. */
  readonly sequential: boolean
  /** Somebody has to say yes before a call; where nobody was asked, it is refused. */
  readonly needsApproval: boolean
  /**
   * Validates the arguments and runs the tool. A result, and what the model can mend or has to know, resolve; what ends
   * the run, and an abort, reject.
   */
  readonly call: (args: unknown, signal?: AbortSignal | null, known?: Known) => Promise<Result>
}

/** What a framework knows of a call besides. */
export interface Known {
  readonly id?: string | undefined
  /** Somebody has said yes to it. */
  readonly approved?: boolean | undefined
  /** Anything that is the same for all calls of a turn, and another for those of the next; see `Run.next`. */
  readonly turn?: unknown
}

/** What the model reads of a call. */
export interface Result {
  readonly content: Schema.Json
  readonly isError: boolean
  /** The same as text and files, where there is more to it than `content`. */
  readonly parts?: ReadonlyArray<Part> | undefined
}

/** Frameworks keep results as JSON, so the bytes of a file are in base64 or somewhere else. */
export type Part = Prompt.TextPart | (Prompt.FilePart & { readonly data: string | URL })

/** A run of a framework: its tools, and how it is stopped. */
export interface Run {
  /** What is offered in the first turn. */
  readonly tools: ReadonlyArray<Tool>
  /** Aborted when a tool has failed for good, when the run is interrupted, and when it is over. */
  readonly signal: AbortSignal
  /**
   * To be called before each request of the model: begins a turn, for which retries are counted once, and gives what is
   * offered in it. Rejects when a tool has failed for good.
   */
  readonly next: () => Promise<ReadonlyArray<Tool>>
}
