import { Schema } from "effect"

/** A function of ACI.dev whose definition cannot be read: it does not exist, the key is refused, nobody answers. */
export class AciError extends Schema.TaggedError<AciError>()("AciError", {
  functionName: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `The definition of the ACI.dev function '${this.functionName}' cannot be read: ${this.problem}`
  }
}

/** A function that said that it failed, where `onError` is `fail`; `details` is what it gave all the same. */
export class AciFunctionError extends Schema.TaggedError<AciFunctionError>()("AciFunctionError", {
  functionName: Schema.String,
  problem: Schema.String,
  details: Schema.optional(Schema.Json)
}) {
  override get message(): string {
    return `The ACI.dev function '${this.functionName}' failed: ${this.problem}`
  }
}
