/** What may be recorded: without secrets, and not too large. */
import { Context, Effect, type Schema } from "effect"
import { withoutSecrets } from "../secrets/withoutSecrets.ts"
import { DurableError } from "./DurableError.ts"

/**
 * The largest record, as JSON. Default: 8 MiB. What is larger is refused before it is stored: databases and networks have
 * limits of their own, which are found too late.
 */
export const MaxRecordBytes = Context.Reference<number>("effect-toolset/Durable/MaxRecordBytes", {
  defaultValue: () => 8 * 1024 * 1024
})

/** The same, unless it holds a secret; an error, where it is too large. */
export const recordable = (step: string, json: Schema.Json): Effect.Effect<Schema.Json, DurableError> =>
  Effect.gen(function* () {
    const mask = yield* withoutSecrets
    const limit = yield* MaxRecordBytes
    // Masked JSON is JSON.
    const masked = mask(json) as Schema.Json
    const text = JSON.stringify(masked)
    // A character is at most three bytes.
    if (text.length * 3 <= limit) return masked
    const size = new TextEncoder().encode(text).length
    return size <= limit ? masked : yield* tooLarge(step, size, limit)
  })

const tooLarge = (step: string, size: number, limit: number) =>
  new DurableError({
    reason: "TooLarge",
    step,
    problem: `Its record has ${size} bytes, and ${limit} are allowed.`,
    hint: "Give back less, for example where the rest is to be found, or raise Durable.MaxRecordBytes."
  })
