/** Failures without secrets: the same error of the same type, or none of its details. */
import { Cause, Exit, Predicate } from "effect"
import type { Mask } from "./mask.ts"
import { DetailsWithheld } from "./withheld.ts"

/** Fails and dies with the same errors, with their secrets hidden. One that cannot be masked becomes a defect. */
export const maskedCause = <E>(mask: Mask, cause: Cause.Cause<E>): Cause.Cause<E> => {
  const reasons = cause.reasons.map((reason): Cause.Reason<E> => {
    if (Cause.isInterruptReason(reason)) return reason
    const original = Cause.isFailReason(reason) ? reason.error : reason.defect
    const masked = maskedError(mask, original)
    if (masked === original) return reason
    const next =
      Cause.isFailReason(reason) && !(masked instanceof DetailsWithheld)
        ? Cause.makeFailReason(masked as E)
        : Cause.makeDieReason(masked)
    return next.annotate(Cause.reasonAnnotations(reason))
  })
  return reasons.every((reason, i) => reason === cause.reasons[i]) ? cause : Cause.fromReasons(reasons)
}

/** What succeeded is not shown at all: nobody outside needs it. */
export const maskedExit = (mask: Mask, exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) ? Exit.void : Exit.failCause(maskedCause(mask, exit.cause))

const maskedError = (mask: Mask, error: unknown): unknown => {
  if (!Predicate.isObjectOrArray(error)) return mask(error)
  if (error instanceof Error && !isPrintable(error)) return new DetailsWithheld({ error: nameOf(error) })
  const masked = mask(error)
  const isOfItsType =
    Predicate.isObjectOrArray(masked) && Object.getPrototypeOf(masked) === Object.getPrototypeOf(error)
  return isOfItsType ? masked : new DetailsWithheld({ error: nameOf(error) })
}

const isPrintable = (error: Error): boolean => {
  try {
    return Predicate.isString(`${error}${error.message}`)
  } catch {
    return false
  }
}

const nameOf = (error: object): string => Object.getPrototypeOf(error)?.constructor?.name ?? "Error"
