import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"

/** What every object has from its prototype. */
const names = Object.getOwnPropertyNames(Object.prototype)

describe("a field named like what every object has", () => {
  for (const name of names) {
    const Fields = Schema.Struct({ [name]: Schema.optionalKey(Schema.String) })
    const Nested = Schema.Struct({ list: Schema.Array(Fields), one: Schema.optionalKey(Fields) })
    const echo = (success?: Schema.Codec<unknown>) =>
      Toolset.tool("echo", {
        parameters: Nested,
        success,
        handler: (args) => Effect.succeed(args as unknown)
      })
    const given = JSON.parse(`{"list":[{},{"${name}":"x"}],"one":{"${name}":"y"}}`) as unknown

    it.effect(`may be left out, and comes through where it is given: ${name}`, () =>
      Effect.gen(function* () {
        for (const tools of [echo(), echo(Nested)]) {
          assert.strictEqual(JSON.stringify(yield* Toolset.call(tools, "echo", given)), JSON.stringify(given))
        }
        const direct = Toolset.tool("echo", {
          parameters: Fields,
          success: Fields,
          handler: (args) => Effect.succeed(args)
        })
        assert.deepStrictEqual(yield* Toolset.call(direct, "echo", {}), {})
      })
    )

    it.effect(`is missed where it has to be there, and checked where it is: ${name}`, () =>
      Effect.gen(function* () {
        const needing = Toolset.tool("need", {
          parameters: Schema.Struct({ [name]: Schema.String }),
          handler: () => Effect.succeed("called")
        })
        const missing = yield* Effect.flip(Toolset.call(needing, "need", {}))
        assert.strictEqual(missing.message, `Invalid arguments: Missing key\n  at ["${name}"]`)
        const wrong = yield* Effect.flip(Toolset.call(echo(), "echo", JSON.parse(`{"list":[{"${name}":1}]}`)))
        assert.strictEqual(wrong._tag, "ModelRetry")
      })
    )

    it.effect(`is checked by JSON Schemas the same way: ${name}`, () =>
      Effect.gen(function* () {
        const properties = Object.fromEntries([[name, { type: "string" }]])
        const tools = Toolset.external([{ name: "e", parameters: { type: "object", properties } }])
        const tag = (args: unknown) =>
          Effect.map(Effect.flip(Toolset.call(tools, "e", args)), (error) => error._tag)
        assert.strictEqual(yield* tag({}), "CallDeferred")
        assert.strictEqual(yield* tag(JSON.parse(`{"${name}":"x"}`)), "CallDeferred")
        assert.strictEqual(yield* tag(JSON.parse(`{"${name}":1}`)), "ModelRetry")
      })
    )
  }

  it.effect("gives handlers ordinary objects, all the same", () =>
    Effect.gen(function* () {
      const tools = Toolset.tool("a", {
        parameters: Schema.Struct({ constructor: Schema.optionalKey(Schema.String), n: Schema.Int }),
        handler: (args) => Effect.succeed(Object.getPrototypeOf(args) === Object.prototype)
      })
      assert.isTrue(yield* Toolset.call(tools, "a", { n: 1 }))
    })
  )
})
