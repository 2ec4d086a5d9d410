/** What a step leaves behind: its value, or one of the four signals. */
import { Schema } from "effect"
import { ApprovalRequired, CallDeferred, ModelRetry, ToolFailed, type ToolSignal } from "../ToolSignal.ts"
import { memoized } from "../toolset/memoized.ts"

export type StepOutcome<A> = { readonly _tag: "Success"; readonly value: A } | ToolSignal

/** A schema of results, which needs nothing else to encode and decode. */
export type Recordable<A> = Schema.Codec<A, unknown>

export interface OutcomeCodec<in out A> {
  readonly encode: (outcome: StepOutcome<A>) => ReturnType<ReturnType<typeof encoding<A>>>
  readonly decode: ReturnType<typeof decoding<A>>
}

/** Deriving one takes longer than many a step: once for each schema. */
export const outcomeCodec: <A>(schema: Recordable<A>) => OutcomeCodec<A> = memoized(
  <A>(schema: Recordable<A>): OutcomeCodec<A> => ({ encode: encoding(schema), decode: decoding(schema) })
)

const outcomeOf = <A>(schema: Recordable<A>) =>
  Schema.toCodecJson(
    Schema.Union([
      Schema.TaggedStruct("Success", { value: schema }),
      ModelRetry,
      ToolFailed,
      ApprovalRequired,
      CallDeferred
    ])
  )

const encoding = <A>(schema: Recordable<A>) => Schema.encodeEffect(outcomeOf(schema))
const decoding = <A>(schema: Recordable<A>) => Schema.decodeUnknownEffect(outcomeOf(schema))
