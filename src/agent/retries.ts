/**
 * Counting retries: a pure function from what a step did to what the next one knows.
 *
 * The unit is the step. A name that asked for a retry has one more, however many of its calls did; one that only
 * succeeded starts again at none; one that was not called, or only failed or was deferred, keeps what it has. Names that
 * nobody offers share one counter, which nothing resets.
 */

export interface Retries {
  readonly byName: ReadonlyMap<string, number>
  readonly unknownNames: number
}

export const none: Retries = { byName: new Map(), unknownNames: 0 }

/** What one call of a step did for its name. */
export interface Verdict {
  readonly name: string
  readonly isOffered: boolean
  readonly outcome: "success" | "retry" | "neither"
}

/** The retries that a name has spent. */
export const spent = (retries: Retries, name: string, isOffered: boolean): number =>
  isOffered ? (retries.byName.get(name) ?? 0) : retries.unknownNames

/** The retries after a step. */
export const afterStep = (retries: Retries, verdicts: ReadonlyArray<Verdict>): Retries => {
  const byName = new Map(retries.byName)
  const offered = verdicts.filter((verdict) => verdict.isOffered)
  for (const { name, outcome } of offered) if (outcome === "success") byName.delete(name)
  for (const { name, outcome } of offered) {
    if (outcome === "retry") byName.set(name, spent(retries, name, true) + 1)
  }
  const hasUnknown = verdicts.some((verdict) => !verdict.isOffered)
  return { byName, unknownNames: retries.unknownNames + (hasUnknown ? 1 : 0) }
}
