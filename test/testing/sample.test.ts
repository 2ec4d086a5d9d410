import { assert, describe, it } from "@effect/vitest"
import { type JsonSchema, Option } from "effect"
import { alphabet, plainString } from "../../src/testing/plainString.ts"
import { sample } from "../../src/testing/sample.ts"

type Json = JsonSchema.JsonSchema

const made = (schema: Json, seed = 0): unknown => Option.getOrElse(sample(schema, seed), () => "no value")
const object = (properties: Readonly<Record<string, Json>>, more?: Json): Json => ({
  type: "object",
  properties,
  ...more
})

const check = (
  cases: ReadonlyArray<readonly [title: string, schema: Json, expected: unknown, seed?: number]>
) => {
  for (const [title, schema, expected, seed] of cases) {
    it(title, () => assert.deepStrictEqual(made(schema, seed), expected))
  }
}

describe("a sample without a seed (P178)", () => {
  check([
    ["of a string", { type: "string" }, "a"],
    ["of a string that is long enough", { type: "string", minLength: 10 }, "aaaaaaaaaa"],
    ["of a string that is short enough", { type: "string", maxLength: 0 }, ""],
    ["of an integer", { type: "integer" }, 0],
    ["of an integer above", { type: "integer", exclusiveMinimum: 5 }, 6],
    ["of an integer from", { type: "integer", minimum: 5 }, 5],
    ["of an integer below", { type: "integer", exclusiveMaximum: -5 }, -6],
    ["of an integer up to", { type: "integer", maximum: -5 }, -5],
    ["of an integer between", { type: "integer", exclusiveMinimum: 5, exclusiveMaximum: 15 }, 6],
    ["of a number", { type: "number" }, 0],
    ["of a boolean", { type: "boolean" }, false],
    ["of null", { type: "null" }, null],
    ["of anything", {}, "a"],
    ["of an example", { type: "integer", examples: [1234, 1] }, 1234],
    ["of one of several", { enum: [1, 2, 3] }, 1],
    [
      "of a tuple",
      { type: "array", prefixItems: [{ type: "integer" }, { type: "string" }], minItems: 2, maxItems: 2 },
      [0, "a"]
    ],
    ["of a list", { type: "array", items: { type: "string" } }, ["a"]],
    ["of a record", { type: "object", additionalProperties: { type: "integer" } }, { additionalProperty: 0 }]
  ])
})

describe("a sample", () => {
  check([
    ["is a constant, whatever it is: an empty text (P186)", { const: "" }, ""],
    ["is a constant, whatever it is: false (P186)", { const: false }, false],
    ["is a constant, whatever it is: 0 (P186)", { const: 0 }, 0],
    ["is a constant, whatever it is: null (P186)", { const: null }, null],
    ["is a constant, whatever the seed", { const: "x" }, "x", 7],
    ["is the only integer that there is (P182)", { type: "integer", minimum: 7, maximum: 7 }, 7, 3],
    ["is the only number that there is (P182)", { type: "number", minimum: 7.5, maximum: 7.5 }, 7.5, 3],
    [
      "leaves out what is optional (P179)",
      object({ a: { type: "string" }, b: { type: "string" } }, { required: ["b"] }),
      { b: "a" }
    ],
    [
      "has another property beside one that is called like it (P181)",
      object(
        { additionalProperty: { type: "integer" } },
        { required: ["additionalProperty"], additionalProperties: true }
      ),
      { additionalProperty: 0, additionalProperty_: "a" }
    ],
    [
      "has another property under a name that no optional one has (P181)",
      object({ additionalProperty: { type: "integer" } }, { additionalProperties: { type: "string" } }),
      { additionalProperty_: "a" }
    ],
    [
      "has as many properties as are needed",
      object({}, { additionalProperties: { type: "null" }, minProperties: 2 }),
      {
        additionalProperty: null,
        additionalProperty_: null
      }
    ],
    ["has a required property that nothing describes", { type: "object", required: ["x"] }, { x: "a" }],
    [
      "is an empty list where there may be none (P185)",
      { type: "array", items: { type: "string" }, maxItems: 0 },
      []
    ],
    ["is a list that is long enough", { type: "array", items: { type: "integer" }, minItems: 3 }, [0, 0, 0]],
    [
      "has other items in a set (P184)",
      {
        type: "array",
        prefixItems: [{ type: "string" }, { type: "string" }],
        items: false,
        uniqueItems: true
      },
      ["a", "b"]
    ],
    [
      "moves no seed but that of the set (P183)",
      object(
        {
          set: { type: "array", items: { type: "string" }, minItems: 2, uniqueItems: true },
          next: { type: "string" }
        },
        { required: ["set", "next"] }
      ),
      { set: ["a", "b"], next: "a" }
    ],
    [
      "goes past the end of the alphabet in a set (P183)",
      { type: "array", items: { type: "string" }, minItems: 4, uniqueItems: true },
      ["}", "~", "aa", "ab"],
      alphabet.length - 2
    ],
    ["is a date", { type: "string", format: "date" }, "2024-01-01"],
    ["is a date some days later", { type: "string", format: "date" }, "2024-01-06", 5]
  ])
})

describe("a seed", () => {
  check([
    ["chooses the character", { type: "string" }, "d", 3],
    ["chooses the branch", { anyOf: [{ type: "string" }, { type: "integer" }] }, 1, 1],
    ["chooses the branch, of oneOf too", { oneOf: [{ type: "string" }, { type: "integer" }] }, 1, 1],
    ["chooses the value", { enum: ["x", "y", "z"] }, "y", 4],
    ["chooses the type", { type: ["string", "null"] }, null, 1],
    ["chooses the boolean", { type: "boolean" }, true, 1],
    ["is an integer by itself", { type: "integer" }, 17, 17],
    ["is added to what is least", { type: "integer", minimum: 5 }, 8, 3],
    ["is taken from what is most", { type: "integer", maximum: 5 }, 2, 3]
  ])

  it("reaches every value between two bounds, the last one too", () => {
    const values = [0, 1, 2, 3, 4].map((seed) => made({ type: "integer", minimum: 3, maximum: 5 }, seed))
    assert.deepStrictEqual(values, [3, 4, 5, 3, 4])
  })

  it("has a text of its own", () => {
    const texts = Array.from({ length: 10_000 }, (_, seed) => plainString(seed))
    assert.strictEqual(new Set(texts).size, texts.length)
    assert.deepStrictEqual([0, 93, 94, 95, 94 + 94 * 94 - 1, 94 + 94 * 94].map(plainString), [
      "a",
      "~",
      "aa",
      "ab",
      "~~",
      "aaa"
    ])
    assert.strictEqual(new Set(alphabet).size, 94)
  })
})

describe("a sample follows", () => {
  const integer: Json = { type: "integer" }
  check([
    ["a reference", { $ref: "#/$defs/N", $defs: { N: integer } }, 0],
    ["a chain of references", { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: integer } }, 0],
    [
      "a reference with an escaped name",
      object({ x: { $ref: "#/$defs/a~1b~0c" } }, { required: ["x"], $defs: { "a/b~c": { const: 7 } } }),
      { x: 7 }
    ],
    [
      "a reference to another place of the document",
      object({ x: { $ref: "#/definitions/B" } }, { required: ["x"], definitions: { B: { const: 7 } } }),
      { x: 7 }
    ],
    ["what stands beside a reference", { $ref: "#/$defs/N", minimum: 3, $defs: { N: integer } }, 3],
    ["all of allOf", { type: "integer", allOf: [{ minimum: 3 }, { minimum: 5, maximum: 9 }] }, 5],
    [
      "all properties of allOf",
      {
        allOf: [
          object({ a: { type: "string" } }, { required: ["a"] }),
          object({ b: integer, c: integer }, { required: ["b"] })
        ]
      },
      { a: "a", b: 0 }
    ],
    [
      "both sides, where parts speak of the same property",
      { allOf: [object({ n: integer }, { required: ["n"] }), object({ n: { minimum: 5 } })] },
      { n: 5 }
    ],
    [
      "what is said once for all branches",
      { anyOf: [{ type: "integer" }, { type: "number" }], minimum: 3 },
      3
    ],
    [
      "a type that has to be read off its keywords: an object",
      { properties: { x: integer }, required: ["x"] },
      { x: 0 }
    ],
    ["a type that has to be read off its keywords: a list", { items: integer, minItems: 2 }, [0, 0]]
  ])
})

describe("a sample fits between narrow bounds", () => {
  check([
    ["exclusive ones", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    ["exclusive ones with one integer", { type: "integer", exclusiveMinimum: 5, exclusiveMaximum: 7 }, 6, 9],
    ["one that is a fraction", { type: "integer", minimum: 5.5 }, 6],
    ["multiples", { type: "integer", multipleOf: 5, minimum: 7 }, 10],
    ["negative multiples", { type: "integer", multipleOf: 7, maximum: -3 }, -7],
    ["multiples above an exclusive bound", { type: "integer", multipleOf: 7, exclusiveMinimum: 14 }, 21]
  ])
})

describe("there is no sample", () => {
  const self = (rest: Json): Json => ({ $ref: "#/$defs/A", $defs: { A: rest } })
  check([
    ["of two numbers at once", { type: "integer", minimum: 5, maximum: 3 }, "no value"],
    ["of an integer between two", { type: "integer", exclusiveMinimum: 5, exclusiveMaximum: 6 }, "no value"],
    ["of a multiple between two", { type: "integer", multipleOf: 5, minimum: 6, maximum: 9 }, "no value"],
    ["of a text longer than it may be", { type: "string", minLength: 5, maxLength: 3 }, "no value"],
    [
      "of a set with more items than there are",
      { type: "array", items: { enum: [1, 2] }, minItems: 3, uniqueItems: true },
      "no value"
    ],
    [
      "of an object without what it needs",
      object({}, { minProperties: 1, additionalProperties: false }),
      "no value"
    ],
    [
      "of what has to contain itself",
      self(object({ a: { $ref: "#/$defs/A" } }, { required: ["a"] })),
      "no value"
    ],
    ["of what is only itself", self({ $ref: "#/$defs/A" }), "no value"],
    ["of what is refused altogether", { not: {} }, "no value"],
    ["of one of none", { enum: [] }, "no value"],
    ["of nothing at all", object({ x: false as never }, { required: ["x"] }), "no value"]
  ])
})
