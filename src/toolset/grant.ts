/** What else a granted call knows of its grant. */
import type { ToolCall } from "../ToolCall.ts"
import { canonical } from "./canonical.ts"

export interface Grant {
  /** The arguments that were shown, each as canonical JSON. Nothing, where whoever approved gave others. */
  readonly shown?: ReadonlyArray<string> | undefined
  /** What arguments look like where they are shown: `masked` hides what is secret in them. */
  readonly look?: ((args: unknown) => unknown) | undefined
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

/** Whether these arguments, as JSON, are among those that were shown, or cannot be told from them there. */
export const wereShown = ({ look, shown }: Grant, args: unknown): boolean =>
  shown !== undefined &&
  (shown.includes(canonical(args)) || (look !== undefined && shown.includes(canonical(look(args)))))

/** The same call, whose arguments are shown through this. */
export const lookingLike =
  (look: (args: unknown) => unknown) =>
  (call: ToolCall["Service"]): ToolCall["Service"] => {
    if (!isUnderWay(call)) return call
    const grant = call[underWay]
    const outside = grant.look
    const through = outside === undefined ? look : (args: unknown) => outside(look(args))
    return { ...call, [underWay]: { ...grant, look: through } } as ToolCall["Service"]
  }

export const ungranted: Grant = { goesOn: false, isByHand: false }

/** A call that is made without an agent. */
export const byHand: Grant = { goesOn: false, isByHand: true }
