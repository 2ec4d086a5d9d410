import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { Prompt } from "effect/ai"
import { Secrets, ToolReturn, Toolset } from "effect-toolset"
import { leaks } from "../secrets/leaking.ts"
import { answering } from "./asking.ts"

const secret = "s3cr3t-Ada-51f09"
const secrets = Secrets.layer(Redacted.make(secret))

/** The whole result of a call. */
const resultOf = <E, R>(tools: Toolset.Toolset<E, R>) =>
  Effect.gen(function* () {
    const seen: Array<ToolReturn> = []
    const watched = Toolset.wrapper(tools, (call, next) =>
      Effect.tap(next(call), (result) => Effect.sync(() => seen.push(result)))
    )
    yield* Effect.exit(Toolset.call(watched, "a", {}))
    return seen[0]
  })

/** Also what is too short to be found. */
const halves = Array.from({ length: secret.length - 5 }, (_, i) => secret.slice(0, i + 5))

describe("truncated, where something is secret", () => {
  const Long = Schema.Struct({
    before: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 })),
    after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 })),
    maxBytes: Schema.Int.check(Schema.isBetween({ minimum: 128, maximum: 160 })),
    as: Schema.Literals(["text", "field", "list", "content"])
  })

  it.effect.prop(
    "leaves no half of a secret, before and after masked alike",
    { long: Long },
    ({ long }) =>
      Effect.gen(function* () {
        const text = `${"x".repeat(long.before)}${secret}${"y".repeat(long.after)}`
        const result = {
          text: () => text,
          field: () => ({ a: 1, text }),
          list: () => [text, text],
          content: () => new ToolReturn({ value: 1, content: [Prompt.makePart("text", { text })] })
        }[long.as]()
        const cut = Toolset.truncated({ maxBytes: long.maxBytes })
        const tools = answering("a", result)
        const inside = yield* resultOf(tools.pipe(cut, Toolset.masked))
        const outside = yield* resultOf(tools.pipe(Toolset.masked, cut))
        assert.deepStrictEqual(inside, outside)
        assert.deepStrictEqual(leaks(inside, halves), [])
      }).pipe(Effect.provide(secrets)),
    { arbitrary: { runs: 100, seed: process.env.LAWS_SEED ?? "truncated" } }
  )

  it.effect("cuts what is too long without its secrets, also where nothing is masked", () =>
    Effect.gen(function* () {
      const text = `${"x".repeat(100)}${secret}${"y".repeat(40)}`
      const cut = yield* Toolset.call(
        answering("a", text).pipe(Toolset.truncated({ maxBytes: 128 })),
        "a",
        {}
      )
      assert.deepStrictEqual(leaks(cut, halves), [])
      const short = yield* Toolset.call(
        answering("a", secret).pipe(Toolset.truncated({ maxBytes: 128 })),
        "a",
        {}
      )
      assert.strictEqual(short, secret)
    }).pipe(Effect.provide(secrets))
  )

  it.effect("does not refuse what is short enough without them", () =>
    Effect.gen(function* () {
      const text = `${"x".repeat(115)}${secret}`
      const tools = answering("a", text).pipe(Toolset.truncated({ maxBytes: 128, onTruncate: "raise" }))
      assert.strictEqual(yield* Toolset.call(tools, "a", {}), `${"x".repeat(115)}***`)
    }).pipe(Effect.provide(secrets))
  )
})
