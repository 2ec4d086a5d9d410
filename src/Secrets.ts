import { Config, Context, Effect, Layer, Redacted, Schema } from "effect"
import { type Mask, maskOf } from "./secrets/mask.ts"
import { patternOf } from "./secrets/pattern.ts"

/** A value that is too short to be masked: it would be found in ordinary words. */
export class SecretTooShort extends Schema.TaggedError<SecretTooShort>()("SecretTooShort", {
  label: Schema.optional(Schema.String),
  length: Schema.Int,
  minimum: Schema.Int
}) {
  override get message(): string {
    const which = this.label === undefined ? "A secret" : `The secret '${this.label}'`
    return (
      `${which} of ${this.length} characters cannot be masked: it would hide ordinary text, too. ` +
      `Secrets have at least ${this.minimum} characters.`
    )
  }
}

/** What is shorter is refused. */
const minimum = 6

/** Whether a secret is long enough to be registered. */
export const isMaskable = (secret: string): boolean => secret.trim().length >= minimum

/**
 * The values that nobody outside may see, read by `Toolset.masked`, `Toolset.traced`, the spans of agents and durable
 * records.
 *
 * - `register`: adds a value; one that is shorter than 6 characters is refused with `SecretTooShort`.
 * - `mask`: a value with `***` in the place of every registered one: at any depth, in keys, Maps, Sets, instances,
 *   errors, numbers and bytes, as it is or as JSON, URLs and base64 write it. What has none comes out as it went in.
 * - `isEmpty`: whether none is registered.
 *
 * `Secrets.layer(…)` makes one, `Secrets.config(…)` reads a secret from the configuration and registers it.
 *
 * ```ts run
 * import { Effect, Redacted } from "effect"
 * import { Secrets } from "effect-toolset"
 *
 * const program = Effect.gen(function* () {
 *   const secrets = yield* Secrets
 *   yield* secrets.register(Redacted.make("pa55-w0rd"))
 *   return secrets.mask({ url: "https://me:pa55-w0rd@host", basic: `Basic ${btoa("me:pa55-w0rd")}`, n: 1 })
 * })
 * console.log(Effect.runSync(program.pipe(Effect.provide(Secrets.layer()))))
 * //> { url: 'https://me:***@host', basic: 'Basic bWU6***', n: 1 }
 * ```
 */
export class Secrets extends Context.Service<
  Secrets,
  {
    readonly register: (secret: Redacted.Redacted<string>) => Effect.Effect<void, SecretTooShort>
    readonly mask: Mask
    readonly isEmpty: () => boolean
  }
>()("effect-toolset/Secrets") {
  /** A registry of these values; more may be registered later. */
  static readonly layer = (
    ...secrets: ReadonlyArray<Redacted.Redacted<string>>
  ): Layer.Layer<Secrets, SecretTooShort> =>
    Layer.effect(
      Secrets,
      Effect.tap(Effect.sync(newRegistry), ({ register }) =>
        Effect.forEach(secrets, register, { discard: true })
      )
    )

  /** Reads a secret, and registers it before anybody has it. */
  static readonly config = (
    config: Config.Config<Redacted.Redacted<string>>
  ): Effect.Effect<Redacted.Redacted<string>, Config.ConfigError | SecretTooShort, Secrets> =>
    Effect.tap(config, (secret) => Effect.flatMap(Secrets, ({ register }) => register(secret)))
}

const newRegistry = (): Secrets["Service"] => {
  const values = new Set<string>()
  let mask: Mask | undefined
  return {
    register: (secret) =>
      Effect.suspend(() => {
        const value = Redacted.value(secret)
        const trimmed = value.trim()
        if (!isMaskable(value)) {
          return Effect.fail(new SecretTooShort({ label: secret.label, length: trimmed.length, minimum }))
        }
        // What comes from a file often ends with a line break that nobody sends.
        values.add(value).add(trimmed)
        const pattern = patternOf(values)
        mask = pattern && maskOf(pattern)
        return Effect.void
      }),
    mask: ((value: unknown) => (mask === undefined ? value : mask(value))) as Mask,
    isEmpty: () => values.size === 0
  }
}
