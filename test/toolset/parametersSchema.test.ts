/** Parameters as JSON Schema. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, SchemaGetter } from "effect"
import { Toolset } from "effect-toolset"
import { objectRoot } from "../../src/toolset/parameters.ts"
import { first, flaw } from "./asking.ts"

const echo = (parameters: any) => Toolset.tool("t", { parameters, handler: (args) => Effect.succeed(args) })

const A = Schema.Struct({ a: Schema.String })
class Point extends Schema.Class<Point>("Point")({ x: Schema.FiniteFromString }) {}
class Nothing extends Schema.Class<Nothing>("Nothing")({}) {}

interface Tree {
  readonly name: string
  readonly kids: ReadonlyArray<Tree>
}
const Tree: Schema.Codec<Tree> = Schema.Struct({
  name: Schema.String,
  kids: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
}).annotate({ identifier: "Tree/of ~kids" })

const closed = (properties: object, ...required: ReadonlyArray<string>) => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false
})
const justA = closed({ a: { type: "string" } }, "a")
const nothing = closed({})

describe("parameters as JSON Schema", () => {
  const table: ReadonlyArray<[what: string, parameters: unknown, json: unknown]> = [
    ["none", undefined, nothing],
    ["a struct", A, justA],
    ["a class, by its fields", Point, closed({ x: { type: "string" } }, "x")],
    ["a struct with checks", A.check(Schema.makeFilter(({ a }) => a !== "")), justA],
    ["a branded struct", A.pipe(Schema.brand("A")), justA],
    [
      "optional fields, which may be null",
      Schema.Struct({ a: Schema.optional(Schema.String) }),
      closed({ a: { anyOf: [{ type: "string" }, { type: "null" }] } })
    ],
    [
      "descriptions of fields",
      Schema.Struct({ a: Schema.String.annotate({ description: "An a." }) }),
      closed({ a: { type: "string", description: "An a." } }, "a")
    ],
    [
      "a record, which is open",
      Schema.Record(Schema.String, Schema.Finite),
      { type: "object", properties: {}, additionalProperties: { type: "number" } }
    ],
    [
      "a union of structs",
      Schema.Union([A, Schema.Struct({ b: Schema.Finite })]),
      { type: "object", anyOf: [justA, closed({ b: { type: "number" } }, "b")] }
    ],
    [
      "a struct that decodes to something else",
      A.pipe(
        Schema.decodeTo(Schema.Struct({ a: Schema.String, b: Schema.String }), {
          decode: SchemaGetter.transform(({ a }) => ({ a, b: a })),
          encode: SchemaGetter.transform(({ a }) => ({ a }))
        })
      ),
      justA
    ],
    ["a struct without fields", Schema.Struct({}), nothing],
    [
      "a struct without fields, described",
      Schema.Struct({}).annotate({ description: "None." }),
      { ...nothing, description: "None." }
    ],
    ["a struct without fields, checked", Schema.Struct({}).check(Schema.makeFilter(() => true)), nothing],
    ["a struct without fields, branded", Schema.Struct({}).pipe(Schema.brand("None")), nothing],
    ["a class without fields", Nothing, nothing]
  ]
  for (const [what, parameters, json] of table) {
    it.effect(`are closed, and say that they are an object: ${what} (P3)`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* first(echo(parameters))).parameters, json)
      })
    )
  }

  it.effect("have their definitions inside, and a root that is no reference", () =>
    Effect.gen(function* () {
      const tree = closed(
        {
          name: { type: "string" },
          kids: { type: "array", items: { $ref: "#/$defs/Tree~1of%20~0kids" } }
        },
        "name",
        "kids"
      )
      assert.deepStrictEqual((yield* first(echo(Tree))).parameters, {
        ...tree,
        $defs: { "Tree/of ~kids": tree }
      })
      const kid = { name: "b", kids: [] }
      assert.deepStrictEqual(yield* Toolset.call(echo(Tree), "t", { name: "a", kids: [kid] }), {
        name: "a",
        kids: [kid]
      })
    })
  )

  it("lose a definition that only the root refers to, and keep those that others refer to", () => {
    const B = { type: "object", properties: { c: { $ref: "#/$defs/C" } } }
    assert.deepStrictEqual(objectRoot({ $ref: "#/$defs/B", $defs: { B, C: { type: "string" } } }), {
      ...B,
      $defs: { C: { type: "string" } }
    })
    const pointers = { "a~1b~0c%20d": "a/b~c d", "a~01b": "a~1b" }
    for (const [pointer, name] of Object.entries(pointers)) {
      const root = { $ref: `#/$defs/${pointer}`, $defs: { [name]: { type: "object" } } }
      assert.deepStrictEqual(objectRoot(root), { type: "object", properties: {} })
    }
  })

  const rootless: ReadonlyArray<[what: string, parameters: unknown]> = [
    ["a text", Schema.String],
    ["a date", Schema.Date],
    ["an array", Schema.Array(Schema.String)],
    ["a tuple", Schema.Tuple([Schema.String])],
    ["a Map", Schema.ReadonlyMap(Schema.String, Schema.String)],
    ["null", Schema.Null],
    ["anything", Schema.Unknown],
    ["any JSON", Schema.Json],
    ["nothing at all", Schema.Never],
    ["a union of texts", Schema.Union([Schema.Literal("a"), Schema.Literal("b")])]
  ]
  for (const [what, parameters] of rootless) {
    it.effect(`cannot be ${what}: the root is no object`, () =>
      Effect.gen(function* () {
        const { hint, problem, source } = yield* flaw(Toolset.list(echo(parameters)))
        assert.strictEqual(source, "tool(t)")
        assert.match(problem, /^The root of its `parameters` is no object: \{.*\}\.$/)
        assert.strictEqual(hint, "A model sends an object: wrap the schema in a Schema.Struct.")
      })
    )
  }

  it.effect("cannot be what no JSON Schema describes", () =>
    Effect.gen(function* () {
      const { hint, problem } = yield* flaw(
        Toolset.list(echo(Schema.Struct({ [Symbol.for("x")]: Schema.String })))
      )
      assert.include(problem, "Its `parameters` cannot be printed as JSON Schema")
      assert.include(hint, "JSON")
    })
  )
})
