/** What else a granted call knows of its grant. */
import type { ToolCall } from "../ToolCall.ts"

export interface Grant {
  /** The arguments that were shown, each as canonical JSON. Nothing, where whoever approved gave others. */
  readonly shown?: ReadonlyArray<string> | undefined
  /** Whether something in it has waited, and goes on now. */
  readonly goesOn: boolean
  /** Whether no model has made the call. */
  readonly isByHand: boolean
}

/** What calls that are under way have, also as copies, and those that a test speaks of have not. */
export const underWay: unique symbol = Symbol.for("effect-toolset/ToolCall/underWay")

/** What calls have that are under way. */
export interface UnderWay {
  readonly [underWay]: Grant
}

export const isUnderWay = (call: ToolCall["Service"]): call is ToolCall["Service"] & UnderWay =>
  underWay in call

export const grantOf = (call: ToolCall["Service"]): Grant => (isUnderWay(call) ? call[underWay] : ungranted)

export const ungranted: Grant = { goesOn: false, isByHand: false }

/** A call that is made without an agent. */
export const byHand: Grant = { goesOn: false, isByHand: true }
