import { Schema } from "effect"

/**
 * A document that no tool can be taken from as a whole: it is no OpenAPI 3 document, or nobody knows its server.
 *
 * `pointer` leads to the place. What is wrong with a single operation is in `OpenApiToolset.report`.
 */
export class OpenApiError extends Schema.TaggedError<OpenApiError>()("OpenApiError", {
  pointer: Schema.String,
  problem: Schema.String,
  hint: Schema.String
}) {
  override get message(): string {
    return `${this.problem} (at ${this.pointer}). ${this.hint}`
  }
}
