import { Effect, Option } from "effect"
import { Secrets } from "../Secrets.ts"
import type { Mask } from "./mask.ts"

/** Masks what the secrets of the surroundings hide; nothing, where there are none. For whatever is written down. */
export const withoutSecrets: Effect.Effect<Mask> = Effect.map(
  Effect.serviceOption(Secrets),
  Option.match({ onNone: () => ((value: unknown) => value) as Mask, onSome: ({ mask }) => mask })
)
