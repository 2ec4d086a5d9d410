/**
 * Counting retries: a pure function from what a step did to what the next one knows.
 *
 * The unit is the step. A name that asked for a retry has one more, however many of its calls did; one that only
 * succeeded starts again at none; one that was not called, or only failed or was deferred, keeps what it has. Names that
 * nobody offers share one counter, which nothing resets, and so do outputs.
 */

export interface Retries {
  readonly byName: ReadonlyMap<string, number>
  readonly unknownNames: number
  readonly outputs: number
}

export const none: Retries = { byName: new Map(), unknownNames: 0, outputs: 0 }

/** What one call of a step did for its name. */
export interface Verdict {
  readonly name: string
  readonly kind: "tool" | "unknown" | "output"
  readonly outcome: "success" | "retry" | "neither"
}

/** The retries that a name has spent. */
export const spent = (retries: Retries, name: string, isOffered: boolean): number =>
  isOffered ? (retries.byName.get(name) ?? 0) : retries.unknownNames

/** The retries after a step. */
export const afterStep = (retries: Retries, verdicts: ReadonlyArray<Verdict>): Retries => {
  if (retries.byName.size === 0 && !verdicts.some((verdict) => verdict.outcome === "retry")) return retries
  const byName = new Map(retries.byName)
  const tools = verdicts.filter((verdict) => verdict.kind === "tool")
  for (const { name, outcome } of tools) if (outcome === "success") byName.delete(name)
  for (const { name, outcome } of tools) {
    if (outcome === "retry") byName.set(name, (retries.byName.get(name) ?? 0) + 1)
  }
  const one = (kind: Verdict["kind"]) =>
    verdicts.some((verdict) => verdict.kind === kind && verdict.outcome === "retry") ? 1 : 0
  return {
    byName,
    unknownNames: retries.unknownNames + one("unknown"),
    outputs: retries.outputs + one("output")
  }
}
