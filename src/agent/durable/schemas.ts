/** What is recorded of a run, and how. */
import { Schema } from "effect"
import { Prompt } from "effect/ai"
import { ApprovalRequired, CallDeferred, ModelRetry, ToolFailed } from "../../ToolSignal.ts"

export const Usage = Schema.Struct({
  requests: Schema.Finite,
  toolCalls: Schema.Finite,
  inputTokens: Schema.Finite,
  outputTokens: Schema.Finite
})

/** A response of the model, read. */
export const Answer = Schema.Struct({
  messages: Schema.Array(Prompt.Message),
  text: Schema.String,
  calls: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, args: Schema.Unknown })),
  finishReason: Schema.String,
  usage: Usage
})

const Returned = Schema.TaggedStruct("Returned", {
  result: Schema.Struct({
    value: Schema.Unknown,
    content: Schema.Array(Prompt.UserMessagePart),
    metadata: Schema.Record(Schema.String, Schema.Json),
    modelOutput: Schema.UndefinedOr(Schema.Array(Prompt.ToolModelOutputPart))
  })
})

/** How a call ended, and what runs inside it have used. */
export const Ended = Schema.Struct({
  outcome: Schema.Union([Returned, ModelRetry, ToolFailed, ApprovalRequired, CallDeferred]),
  spent: Usage
})

/** A tool of a listing that may be another one next time: what a model and the loop know of it. */
export const Listed = Schema.Struct({
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  parameters: Schema.Record(Schema.String, Schema.Json),
  kind: Schema.Literals(["function", "external", "unapproved", "output"]),
  sequential: Schema.Boolean,
  maxRetries: Schema.optionalKey(Schema.Int),
  strict: Schema.optionalKey(Schema.Boolean),
  replayable: Schema.Boolean,
  source: Schema.String,
  origin: Schema.Array(Schema.String),
  timed: Schema.Boolean,
  /** Which of the searches in the list has to find it, or is it. */
  foundBy: Schema.optionalKey(Schema.Int),
  finds: Schema.optionalKey(Schema.Int)
})

export const Instructions = Schema.Array(Schema.Struct({ text: Schema.String, dynamic: Schema.Boolean }))

/** The result of a run whose outputs have this schema. */
export const resultOf = (output: Schema.Constraint) =>
  Schema.Struct({
    output,
    messages: Prompt.Prompt,
    newMessages: Prompt.Prompt,
    usage: Usage,
    replayed: Usage,
    runId: Schema.String
  })
