/** A law is a sentence; evidence is what speaks against it. */
import { Cause, Effect, Exit, Schema } from "effect"
import { failureText } from "../toolset/failure.ts"

/**
 * A toolset does not keep a law that all toolsets keep.
 *
 * - `law`: the law. `evidence`: what was seen instead.
 */
export class ToolsetLawBroken extends Schema.TaggedError<ToolsetLawBroken>()("ToolsetLawBroken", {
  law: Schema.String,
  evidence: Schema.String
}) {
  override get message(): string {
    return `"${this.law}" But: ${this.evidence}`
  }
}

/** Fails where there is evidence. */
export const uphold = (law: string, evidence: string | undefined): Effect.Effect<void, ToolsetLawBroken> =>
  evidence === undefined ? Effect.void : Effect.fail(new ToolsetLawBroken({ law, evidence }))

/** How something ended, in words. */
export const exitText = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return `succeeded: ${JSON.stringify(exit.value)}`
  const text = failureText(Cause.squash(exit.cause))
  if (Cause.hasDies(exit.cause)) return `died: ${text}`
  return Cause.hasFails(exit.cause) ? `failed: ${text}` : "was interrupted"
}
