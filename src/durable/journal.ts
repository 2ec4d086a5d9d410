/** What has been asked so far, in a run or in a step of one. Steps are told apart by the order in which they claim places. */
import { Context, Effect } from "effect"
import { warned } from "../secrets/withoutSecrets.ts"
import { canonical } from "../toolset/canonical.ts"
import { sha256 } from "./digest.ts"
import type { Durable, Place } from "./Durable.ts"

export interface Journal {
  readonly store: Durable["Service"]
  readonly runId: string
  readonly path: string
  /** Digest of everything asked. A promise: digests take a while, and a place is claimed at once. */
  head: Promise<string>
  count: number
  /** What all journals of an attempt have in common. */
  readonly attempt: { differs: boolean }
}

/** The journal of whoever asks: the run's, or that of the step which it is in. Without one nothing is recorded. */
export const CurrentJournal = Context.Reference<Journal | undefined>("effect-toolset/Durable/Journal", {
  defaultValue: () => undefined
})

/** That of a run. */
export const journalOf = (store: Durable["Service"], runId: string): Journal => ({
  store,
  runId,
  path: "",
  head: keyOf(canonical(runId)),
  count: 0,
  attempt: { differs: false }
})

/** A place, once its key is known. */
export type Claimed = Omit<Place, "key" | "differs"> & { readonly key: Promise<string> }

/** The next place in a journal, for what is asked now. */
export const claimIn = (journal: Journal, name: string, asked: unknown): Claimed => {
  const text = canonical([name, asked])
  journal.count++
  journal.head = journal.head.then((head) => keyOf(head + text))
  return {
    runId: journal.runId,
    path: journal.path + String(journal.count).padStart(4, "0"),
    key: journal.head,
    name
  }
}

/** What is asked inside a step, or in a run inside one, is numbered below it, and shifts nothing outside. */
export const journalBelow = (
  { attempt, store }: Journal,
  { key, path, runId }: Pick<Claimed, "runId" | "path" | "key">
): Journal => ({ store, runId, path: `${path}.`, head: key, count: 0, attempt })

/** Says where an attempt begins to differ from those before it. What comes after that differs too, and is not said. */
export const differing = ({ attempt }: Journal, { name, path, runId }: Omit<Place, "key" | "differs">) =>
  Effect.suspend(() => {
    if (attempt.differs) return Effect.void
    attempt.differs = true
    return warned(
      `${runId}: step ${path} (${name}) was recorded for another question, or by other code: it runs live, and so does ` +
        "what comes after it, also where it was done before."
    )
  })

/**
 * Turns away from records that other code has written: this step and all that start after it have other keys, the same
 * ones on every attempt. Nothing is removed, and that code would find its records again.
 */
export const turnAway = async (journal: Journal, place: Place): Promise<Place> => {
  journal.head = journal.head.then(rejected)
  return { ...place, key: await rejected(place.key) }
}

const rejected = (key: string): Promise<string> => keyOf(`${key} rejected`)

/** 128 bits are enough to tell steps apart. */
const keyOf = async (text: string): Promise<string> => (await sha256(text)).slice(0, 32)
