import { Effect, Option } from "effect"
import { Secrets } from "../Secrets.ts"
import type { Mask } from "./mask.ts"

/** Masks what the secrets of the surroundings hide; nothing, where there are none. For whatever is written down. */
export const withoutSecrets: Effect.Effect<Mask> = Effect.map(
  Effect.serviceOption(Secrets),
  Option.match({ onNone: () => ((value: unknown) => value) as Mask, onSome: ({ mask }) => mask })
)

/** A warning in the log, without secrets. */
export const warned = (text: string): Effect.Effect<void> =>
  Effect.flatMap(withoutSecrets, (mask) => Effect.logWarning(mask(text)))
