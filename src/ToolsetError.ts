/** What a listing or a call may fail with, besides the toolset's own `E` and the signals: data with a computed message. */
import { Schema } from "effect"

const quoted = (names: ReadonlyArray<string>): string => names.map((name) => `'${name}'`).join(", ")

/** Two tools have one model-facing name; found where a list is collected. `sources` says where they come from. */
export class ToolNameConflict extends Schema.TaggedError<ToolNameConflict>()("ToolNameConflict", {
  toolName: Schema.String,
  sources: Schema.Array(Schema.String)
}) {
  override get message(): string {
    const { sources, toolName } = this
    const told = `${sources.length} tools are called '${toolName}': ${sources.join(" and ")}.`
    const apart = "with Toolset.prefixed or Toolset.renamed, or leave one out with Toolset.filtered."
    // What one toolset lists twice, nothing around it tells apart; where sources are the same, it may be one or two.
    return new Set(sources).size === sources.length
      ? `${told} Tell them apart ${apart}`
      : `${told} Where they are of one toolset, rename one where it is declared; where not, tell those toolsets apart ${apart}`
  }
}

/** A toolset is put together wrongly. `source` says which one, `problem` what is wrong, `hint` what to do. */
export class ToolsetDefinitionError extends Schema.TaggedError<ToolsetDefinitionError>()(
  "ToolsetDefinitionError",
  {
    source: Schema.String,
    problem: Schema.String,
    hint: Schema.String
  }
) {
  override get message(): string {
    return `${this.source}: ${this.problem} ${this.hint}`
  }
}

/** What opening or listing any toolset may fail with; in no toolset's `E`. */
export type ToolsetError = ToolNameConflict | ToolsetDefinitionError

/** Whether a failure is a `ToolsetError`. */
export const isToolsetError = (error: unknown): error is ToolsetError =>
  error instanceof ToolNameConflict || error instanceof ToolsetDefinitionError

/** A result that its schema cannot encode, or that is not JSON; `path` leads to the place. */
export class ToolResultError extends Schema.TaggedError<ToolResultError>()("ToolResultError", {
  toolName: Schema.String,
  path: Schema.Array(Schema.Union([Schema.String, Schema.Finite])),
  problem: Schema.String
}) {
  // For the compiler: it is no error of the toolset's own, and what only looks the same is.
  declare protected readonly ofTheLibrary: true
  override get message(): string {
    const place = this.path.length === 0 ? "" : ` at ${this.path.join(".")}`
    return `The result of the tool '${this.toolName}' cannot be sent${place}: ${this.problem}`
  }
  /** Another attempt would do the same again: the tool, or the schema of its result, has to be mended. */
  get isRetryable(): boolean {
    return false
  }
}

/** `Toolset.call` was asked for a name that the toolset does not list. */
export class ToolNotFound extends Schema.TaggedError<ToolNotFound>()("ToolNotFound", {
  toolName: Schema.String,
  availableTools: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return this.availableTools.length === 0
      ? `There is no tool '${this.toolName}': the toolset lists none.`
      : `There is no tool '${this.toolName}'. There are: ${quoted(this.availableTools)}.`
  }
}
