import { Schema } from "effect"

/** An error whose details would show a secret, and cannot be masked. A defect: it is not the error that the types name. */
export class DetailsWithheld extends Schema.TaggedError<DetailsWithheld>()("DetailsWithheld", {
  error: Schema.String
}) {
  override get message(): string {
    return `${this.error}: details withheld, they could not be masked`
  }
}
