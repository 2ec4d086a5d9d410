/** What holds for the sample of any schema. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, type JsonSchema, Option, Schema } from "effect"
import { sample } from "../../src/testing/sample.ts"
import { schemas } from "./schemas.ts"

type Json = JsonSchema.JsonSchema

const seeds = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 })))
const options = { timeout: 30_000, arbitrary: { runs: 150 } }
const text = (value: unknown) => JSON.stringify(value)

const decodes = (schema: Schema.Codec<any, any>, value: unknown, json: Json) => {
  const exit = Schema.decodeUnknownExit(Schema.toCodecJson(schema), { onExcessProperty: "error" })(value)
  assert.strictEqual(exit._tag, "Success", `${text(value)} for ${text(json)}: ${exit}`)
}

describe("the sample of any schema", () => {
  it.prop(
    "satisfies it, or there is none",
    [schemas, seeds],
    ([{ json, schema }, seed]) => {
      const made = sample(json, seed)
      if (Option.isSome(made)) decodes(schema(), made.value, json)
    },
    options
  )

  it.prop(
    "is there, where a value is",
    [schemas, seeds],
    ([{ certain, json }, seed]) => {
      if (certain) assert.isTrue(Option.isSome(sample(json, seed)), text(json))
    },
    options
  )

  it.prop(
    "is JSON, and the same each time",
    [schemas, seeds],
    ([{ json }, seed]) => {
      const made = Option.getOrUndefined(sample(json, seed))
      assert.deepStrictEqual(made, Option.getOrUndefined(sample(structuredClone(json), seed)))
      if (made !== undefined) assert.deepStrictEqual(JSON.parse(text(made)), made)
    },
    options
  )
})

/** Other ways to say the same. */
const disguises: Readonly<Record<string, (json: Json) => Json>> = {
  "a reference": ({ $defs, ...json }) => ({
    $ref: "#/$defs/Root",
    $defs: { ...($defs as object | undefined), Root: json }
  }),
  "the only part of allOf": ({ $defs, ...json }) => ({
    allOf: [json],
    ...($defs === undefined ? {} : { $defs })
  }),
  "parts of allOf that say some of it again": ({ $defs, ...json }) => {
    const again = Object.entries(json).filter(([key]) =>
      /^(type|required|minimum|maxItems|pattern)$/.test(key)
    )
    return { allOf: [json, Object.fromEntries(again)], ...($defs === undefined ? {} : { $defs }) }
  },
  "the only branch of anyOf": ({ $defs, ...json }) => ({
    anyOf: [json],
    ...($defs === undefined ? {} : { $defs })
  }),
  "the only branch of oneOf": ({ $defs, ...json }) => ({
    oneOf: [json],
    ...($defs === undefined ? {} : { $defs })
  }),
  "a list of one type": (json) => (typeof json.type === "string" ? { ...json, type: [json.type] } : json)
}

describe("the sample of any schema, said in another way, satisfies it or there is none", () => {
  for (const [title, disguise] of Object.entries(disguises)) {
    it.prop(
      `as ${title}`,
      [schemas, seeds],
      ([{ json, schema }, seed]) => {
        const made = sample(disguise(json), seed)
        if (Option.isSome(made)) decodes(schema(), made.value, json)
      },
      { timeout: 30_000, arbitrary: { runs: 60 } }
    )
  }
})
