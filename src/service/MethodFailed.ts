import { Schema } from "effect"
import { failureText } from "../toolset/failure.ts"

/** A method threw, or its promise was rejected, with `cause`. */
export class MethodFailed extends Schema.TaggedError<MethodFailed>()("MethodFailed", {
  method: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `${this.method} failed: ${failureText(this.cause)}`
  }
}
