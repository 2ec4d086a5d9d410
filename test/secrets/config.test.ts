import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Redacted } from "effect"
import { Secrets, Toolset } from "effect-toolset"

const from = (value: string) => ConfigProvider.layer(ConfigProvider.fromUnknown({ TOKEN: value }))

describe("a secret of the configuration", () => {
  it.effect("is hidden as soon as somebody has it", () =>
    Effect.gen(function* () {
      const leaky = Toolset.unwrap(
        Effect.map(Secrets.config(Config.Redacted("TOKEN")), (token) =>
          Toolset.tool("a", { handler: () => Effect.succeed({ token: Redacted.value(token) }) })
        )
      ).pipe(Toolset.masked)
      assert.deepStrictEqual(yield* Toolset.call(leaky, "a", {}), { token: "***" })
    }).pipe(Effect.provide([Secrets.layer(), from("pw-91c3")]))
  )

  it.effect("is the value itself for whoever reads it, and is not had where it is missing or too short", () =>
    Effect.gen(function* () {
      const read = Secrets.config(Config.Redacted("TOKEN"))
      assert.strictEqual(Redacted.value(yield* Effect.provide(read, from("pw-91c3"))), "pw-91c3")
      assert.strictEqual((yield* Effect.flip(Effect.provide(read, from("short"))))._tag, "SecretTooShort")
      const missing = ConfigProvider.layer(ConfigProvider.fromUnknown({}))
      assert.strictEqual((yield* Effect.flip(Effect.provide(read, missing)))._tag, "ConfigError")
    }).pipe(Effect.provide(Secrets.layer()))
  )
})
