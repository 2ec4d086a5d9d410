/** Lists that are too long for a model. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type JsonSchema } from "effect"
import { ToolFailed } from "effect-toolset"
import { truncated, truncatedSchema, truncationFlaw } from "../../src/rest/truncated.ts"

const endpoint = { method: "GET", path: "/tasks" }
const many = Array.from({ length: 137 }, (_, i) => i)

describe("truncation", () => {
  it.effect("notes how many there are", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* truncated(many, { maxItems: 20 }, endpoint), {
        items: many.slice(0, 20),
        truncated: true,
        total_items: 137,
        returned_items: 20
      })
      assert.deepStrictEqual(yield* truncated([1], { maxItems: 0, onTruncate: "note" }, endpoint), {
        items: [],
        truncated: true,
        total_items: 1,
        returned_items: 0
      })
    })
  )

  it.effect("raises where it is asked to, with the count and what to do", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(truncated(many, { maxItems: 20, onTruncate: "raise" }, endpoint))
      assert.instanceOf(error, ToolFailed)
      assert.strictEqual(
        error.message,
        "GET /tasks returned 137 items, more than the 20 that fit. Narrow the query."
      )
    })
  )

  it.effect("leaves alone what is short enough, and what is no list", () =>
    Effect.gen(function* () {
      for (const onTruncate of ["note", "raise"] as const) {
        for (const value of [[], many.slice(0, 20), { data: many }, "x".repeat(100), 137, null, true]) {
          assert.strictEqual(yield* truncated(value, { maxItems: 20, onTruncate }, endpoint), value)
        }
        assert.strictEqual(yield* truncated(many, { onTruncate }, endpoint), many)
      }
    })
  )
})

describe("the schema of a result that may be truncated", () => {
  const isEnvelope = (schema: unknown, items: unknown) =>
    assert.deepStrictEqual(schema, {
      type: "object",
      properties: {
        items,
        truncated: { const: true },
        total_items: { type: "integer" },
        returned_items: { type: "integer" }
      },
      required: ["items", "truncated", "total_items", "returned_items"],
      additionalProperties: false
    })

  it("is that of the list, or of the envelope", () => {
    const list = { type: "array", items: { type: "string" } }
    const { anyOf } = truncatedSchema(list, { maxItems: 20 }) as { anyOf: ReadonlyArray<unknown> }
    assert.strictEqual(anyOf.length, 2)
    assert.deepStrictEqual(anyOf[0], list)
    isEnvelope(anyOf[1], list)
  })

  it("keeps definitions at the root", () => {
    const $defs = { User: { type: "object" } }
    const schema = truncatedSchema({ type: "array", items: { $ref: "#/$defs/User" }, $defs }, { maxItems: 1 })
    assert.deepStrictEqual(schema.$defs, $defs)
    assert.notInclude(JSON.stringify(schema.anyOf), '$defs":')
  })

  it("is there for whatever may be a list", () => {
    const $defs = { Users: { type: "array" }, User: { type: "object" } }
    const lists: ReadonlyArray<JsonSchema.JsonSchema> = [
      {},
      { type: ["array", "null"] },
      { anyOf: [{ type: "null" }, { type: "array" }] },
      { $ref: "#/$defs/Users", $defs },
      { anyOf: [{ $ref: "#/$defs/Users" }, { type: "null" }], $defs }
    ]
    for (const schema of lists) {
      assert.isArray(truncatedSchema(schema, { maxItems: 1 }).anyOf, JSON.stringify(schema))
      assert.notStrictEqual(truncatedSchema(schema, { maxItems: 1 }), schema)
    }
  })

  it("is unchanged for whatever is never cut", () => {
    const $defs = { User: { type: "object" } }
    const others: ReadonlyArray<JsonSchema.JsonSchema> = [
      { type: "object" },
      { type: ["string", "null"] },
      { const: "x" },
      { enum: [1, 2] },
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { $ref: "#/$defs/User", $defs }
    ]
    for (const schema of others) assert.strictEqual(truncatedSchema(schema, { maxItems: 1 }), schema)
    const list = { type: "array" }
    assert.strictEqual(truncatedSchema(list, {}), list)
    assert.strictEqual(truncatedSchema(list, { maxItems: 1, onTruncate: "raise" }), list)
  })
})

describe("a number of items", () => {
  it("is a whole number of at least 0", () => {
    for (const maxItems of [undefined, 0, 1, 20]) assert.isUndefined(truncationFlaw({ maxItems }))
    for (const maxItems of [-1, 1.5, Number.NaN, Infinity]) {
      assert.match(truncationFlaw({ maxItems })?.problem ?? "", /maxItems/)
    }
  })
})
