import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Secrets } from "effect-toolset"

describe("a secret", () => {
  it.effect(
    "is hidden in files of many megabytes",
    () =>
      Effect.gen(function* () {
        const { mask } = yield* Secrets
        const zeros = Buffer.alloc(6_000_000)
        const file = (...parts: ReadonlyArray<string>) =>
          Buffer.concat([zeros, ...parts.map((part) => Buffer.from(part))]).toString("base64")
        const clean = file("end")
        assert.isTrue(mask(clean) === clean)
        const masked = Buffer.from(mask(file(`pw"91c3`, " end")), "base64")
        assert.strictEqual(masked.subarray(zeros.length).toString(), "*** end")
        assert.strictEqual(mask(`data:;base64,${file(`pw"91c3`)} end`), "data:;base64,*** end")
      }).pipe(Effect.provide(Secrets.layer(Redacted.make(`pw"91c3`)))),
    60_000
  )
})
