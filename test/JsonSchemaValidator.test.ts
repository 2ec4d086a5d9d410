import { assert, describe, it } from "@effect/vitest"
import { Effect, type JsonSchema, Logger, References } from "effect"
import { JsonSchemaValidator, Toolset } from "effect-toolset"
import { answering, retry, tag } from "./toolset/asking.ts"

const { JsonSchemaValidator: Validator } = JsonSchemaValidator

/** What the validator that is there says of a value; nothing, where it accepts it. */
const problem = (schema: JsonSchema.JsonSchema, value: unknown) =>
  Effect.flatMap(Effect.service(Validator), (compile) => compile(schema)(value))

const field = (a: unknown): JsonSchema.JsonSchema => ({ type: "object", properties: { a } })

describe("the default validator", () => {
  const table: ReadonlyArray<
    [what: string, schema: JsonSchema.JsonSchema, good: unknown, bad: unknown, text: string]
  > = [
    ["an object", { type: "object" }, { a: 1 }, 3, "Expected object"],
    ["no array", { type: "object" }, {}, [], "Expected object"],
    ["the type of a field", field({ type: "string" }), { a: "x" }, { a: 1 }, `Expected string\n  at ["a"]`],
    [
      "one of several types",
      field({ type: ["string", "null"] }),
      { a: null },
      { a: 1 },
      `Expected string | null\n  at ["a"]`
    ],
    [
      "required fields",
      { type: "object", properties: {}, required: ["a"] },
      { a: 1 },
      {},
      `Missing key\n  at ["a"]`
    ],
    [
      "no other fields",
      { type: "object", properties: {}, additionalProperties: false },
      {},
      { b: 1 },
      `Expected never\n  at ["b"]`
    ],
    [
      "the type of other fields",
      { type: "object", additionalProperties: { type: "integer" } },
      { b: 1 },
      { b: "x" },
      `Expected number\n  at ["b"]`
    ],
    ["integers", field({ type: "integer" }), { a: 1 }, { a: 1.5 }, `Expected an integer\n  at ["a"]`],
    [
      "a minimum",
      field({ type: "number", minimum: 3 }),
      { a: 3 },
      { a: 2 },
      `Expected a value greater than or equal to 3\n  at ["a"]`
    ],
    [
      "a least length",
      field({ type: "string", minLength: 2 }),
      { a: "xy" },
      { a: "x" },
      `Expected a string with at least 2 code points\n  at ["a"]`
    ],
    [
      "items",
      field({ type: "array", items: { type: "integer" } }),
      { a: [1] },
      { a: [1, "x"] },
      `Expected number\n  at ["a"][1]`
    ],
    ["a choice of values", field({ enum: ["x", 1] }), { a: 1 }, { a: 2 }, `Expected "x" | 1\n  at ["a"]`],
    ["one value", field({ const: 1 }), { a: 1 }, { a: 2 }, `Expected 1\n  at ["a"]`],
    [
      "all of several",
      field({ allOf: [{ type: "integer" }, { minimum: 3 }] }),
      { a: 3 },
      { a: 2 },
      `Expected a value greater than or equal to 3\n  at ["a"]`
    ],
    [
      "definitions",
      { ...field({ $ref: "#/$defs/X" }), $defs: { X: { type: "integer" } } },
      { a: 1 },
      { a: "x" },
      `Expected X\n  at ["a"]`
    ]
  ]
  for (const [what, schema, good, bad, text] of table) {
    it.effect(`checks ${what}`, () =>
      Effect.gen(function* () {
        assert.isUndefined(yield* problem(schema, good))
        assert.strictEqual(yield* problem(schema, bad), text)
      })
    )
  }

  it.effect("says all that is wrong", () =>
    Effect.gen(function* () {
      const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] }
      assert.strictEqual(
        yield* problem(schema, { a: 1 }),
        `Expected string\n  at ["a"]\nMissing key\n  at ["b"]`
      )
    })
  )

  it.effect("takes fields that a schema does not speak of", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* problem(field({ type: "string" }), { a: "x", b: 1 }))
    })
  )

  it.effect("never runs regular expressions of somebody else's", () =>
    Effect.gen(function* () {
      const evil = "^(a+)+$"
      const text = `${"a".repeat(50)}!`
      assert.isUndefined(yield* problem(field({ type: "string", pattern: evil }), { a: text }))
      assert.isUndefined(
        yield* problem({ type: "object", patternProperties: { [evil]: { type: "string" } } }, { [text]: "x" })
      )
    })
  )

  it.effect("accepts what it cannot read, and says so at debug level", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.make(
        ({ logLevel, message }) => void lines.push([logLevel, (message as Array<unknown>)[0]])
      )
      const logging = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        effect.pipe(
          Effect.provideService(References.MinimumLogLevel, "Debug"),
          Effect.provide(Logger.layer([logger]))
        )
      const unreadable = field({ $ref: "#/$defs/Nowhere" })
      assert.isUndefined(yield* logging(problem(unreadable, { a: 1 })))
      assert.deepStrictEqual(lines, [["Debug", "A JSON Schema is not checked, since it cannot be imported."]])
      const external = Toolset.external([{ name: "t", parameters: unreadable }])
      assert.strictEqual(yield* tag(Toolset.call(external, "t", { a: 1 })), "CallDeferred")
    })
  )
})

describe("another validator", () => {
  const external = (parameters: JsonSchema.JsonSchema = { type: "object" }) =>
    Toolset.external([{ name: "t", parameters }])

  /** A validator that refuses everything, and the schemas that it was asked about. */
  const refusing = () => {
    const asked: Array<unknown> = []
    const compile: JsonSchemaValidator.Compile = (schema) => {
      asked.push(schema)
      return () => Effect.succeed("nothing is good enough")
    }
    return { asked, by: Effect.provideService(Validator, compile) }
  }
  const refused = ["arguments", "Invalid arguments: nothing is good enough"]

  it.effect("checks what no Effect schema stands behind: external tools, and what prepared changed", () =>
    Effect.gen(function* () {
      const { by } = refusing()
      assert.deepStrictEqual(yield* by(retry(Toolset.call(external(), "t", {}))), refused)
      const prepared = answering("t").pipe(
        Toolset.prepared((all) => all.map((tool) => ({ ...tool, parameters: { type: "object" } })))
      )
      assert.deepStrictEqual(yield* by(retry(Toolset.call(prepared, "t", {}))), refused)
    })
  )

  it.effect("is not asked about tools that have an Effect schema", () =>
    Effect.gen(function* () {
      const { asked, by } = refusing()
      assert.strictEqual(yield* by(Toolset.call(answering("t"), "t", {})), "t")
      assert.deepStrictEqual(asked, [])
    })
  )

  it.effect("is asked once per schema, when that is first needed", () =>
    Effect.gen(function* () {
      const { asked, by } = refusing()
      const schema = { type: "object" }
      const tools = external(schema)
      yield* by(Toolset.list(tools))
      assert.deepStrictEqual(asked, [])
      yield* by(retry(Toolset.call(tools, "t", {})))
      yield* by(retry(Toolset.call(tools, "t", { a: 1 })))
      assert.strictEqual(asked.length, 1)
      assert.deepStrictEqual(asked[0], schema)
    })
  )

  it.effect("holds where it is provided, and the default elsewhere", () =>
    Effect.gen(function* () {
      const tools = external()
      assert.strictEqual(yield* tag(Toolset.call(tools, "t", {})), "CallDeferred")
      assert.deepStrictEqual(yield* refusing().by(retry(Toolset.call(tools, "t", {}))), refused)
      assert.strictEqual(yield* tag(Toolset.call(tools, "t", {})), "CallDeferred")
    })
  )

  it.effect("may take its time", () =>
    Effect.gen(function* () {
      const patient: JsonSchemaValidator.Compile = () => (value) =>
        Effect.as(Effect.yieldNow, value instanceof Object && "a" in value ? undefined : "no a")
      const call = (args: unknown) =>
        Effect.provideService(Toolset.call(external(), "t", args), Validator, patient)
      assert.strictEqual(yield* tag(call({ a: 1 })), "CallDeferred")
      assert.deepStrictEqual(yield* retry(call({})), ["arguments", "Invalid arguments: no a"])
    })
  )
})
