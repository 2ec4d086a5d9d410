import { Effect } from "effect"
import { sha256 } from "../durable/digest.ts"
import { canonical } from "../toolset/canonical.ts"

/** What an approval is bound to, as one word: the same values give the same one, whatever the order of their fields. */
export const digest = (value: unknown): Effect.Effect<string> =>
  Effect.promise(() => sha256(canonical(value)))
