import { Effect } from "effect"
import { canonical } from "../toolset/canonical.ts"

/** What an approval is bound to, as one word: the same values give the same one, whatever the order of their fields. */
export const digest = (value: unknown): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical(value)))),
    (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )
