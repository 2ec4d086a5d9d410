import { Schema } from "effect"

/**
 * A durable run cannot go on. `step` says where, `problem` what is wrong, `hint` what to do.
 *
 * - `NotJson`: what a step asks is not JSON. `NotEncodable`: its result does not fit its schema, or does not read back.
 * - `NotDecodable`: the result of the run was recorded by other code.
 * - `TooLarge`: a record is larger than `MaxRecordBytes`; nothing was stored.
 * - `Workflow`: a workflow is missing, has not ended, or waits for no such answer.
 * - `Store`: the records cannot be read. Only this one is worth another attempt.
 */
export class DurableError extends Schema.TaggedError<DurableError>()("DurableError", {
  reason: Schema.Literals(["NotJson", "NotEncodable", "NotDecodable", "TooLarge", "Workflow", "Store"]),
  step: Schema.String,
  problem: Schema.String,
  hint: Schema.String
}) {
  get isRetryable(): boolean {
    return this.reason === "Store"
  }
  override get message(): string {
    return `${this.step}: ${this.problem} ${this.hint}`
  }
}
