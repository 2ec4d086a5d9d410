import { Schema } from "effect"
import { CliError } from "effect/cli"

/** What ends a command: `problem` says what was wrong, `hint` what to do. Both are for whoever typed it. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  problem: Schema.String,
  hint: Schema.String
}) {
  override get message(): string {
    return `${this.problem} ${this.hint}`
  }

  override get [CliError.userMessage](): string {
    return this.message
  }
}
