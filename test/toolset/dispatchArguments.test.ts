/** The arguments of a call, as a model sends them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import { admission } from "./admitting.ts"
import { answering } from "./asking.ts"

const echo = Toolset.tool("t", {
  parameters: Schema.Record(Schema.String, Schema.Json),
  handler: (args) => Effect.succeed(args)
})

describe("the arguments of a call", () => {
  const parsing: ReadonlyArray<[what: string, args: unknown, value: unknown]> = [
    ["an object", { a: 1 }, { a: 1 }],
    ["the text of an object", '{"a":[1,null]}', { a: [1, null] }],
    ["a text with blanks around", ' \n{"a":1} ', { a: 1 }],
    ["nothing, as an empty object (P52)", undefined, {}],
    ["an empty text, as an empty object (P52)", "", {}],
    ["a text with a field called __proto__", '{"__proto__":1}', JSON.parse('{"__proto__":1}')]
  ]
  for (const [what, args, value] of parsing) {
    it.effect(`may be ${what}`, () =>
      Effect.gen(function* () {
        const { args: decoded, refused } = yield* admission(echo, { args })
        assert.isUndefined(refused)
        assert.deepStrictEqual<unknown>(decoded?.value, value)
      })
    )
  }

  const wrong: ReadonlyArray<[what: string, args: unknown, problem: string]> = [
    ["a text that is not JSON", "nope", "the text is not JSON"],
    ["a text that ends too soon", '{"a":', "the text is not JSON"],
    ["two objects", "{}{}", "the text is not JSON"],
    ["a text of blanks", "  ", "the text is not JSON"],
    ["the text of a number", "3", "Expected object"],
    ["the text of a text", '"x"', "Expected object"],
    ["the text of null", "null", "Expected object"],
    ["the text of an array", "[]", "Expected object"],
    ["null", null, "Expected object"],
    ["a number", 3, "Expected object"],
    ["an array", [{}], "Expected object"]
  ]
  for (const [what, args, problem] of wrong) {
    it.effect(`are sent back to the model where they are ${what} (P51)`, () =>
      Effect.gen(function* () {
        for (const tool of [echo, answering("t"), Toolset.external([{ name: "t" }])]) {
          const admitted = yield* admission(tool, { args })
          assert.isUndefined(admitted.args)
          assert.strictEqual(admitted.tool?.definition.name, "t")
          assert.deepInclude(admitted.refused, {
            _tag: "ModelRetry",
            reason: "arguments",
            message: `Invalid arguments: ${problem}`
          })
          assert.strictEqual(yield* admitted.perform, admitted.refused)
        }
      })
    )
  }
})
