import { Effect } from "effect"
import { canonical, sha256 } from "../durable/digest.ts"

/** What an approval is bound to, as one word: the same values give the same one, whatever the order of their fields. */
export const digest = (value: unknown): Effect.Effect<string> =>
  Effect.promise(() => sha256(canonical(value)))
