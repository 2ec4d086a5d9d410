import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Ref, Schema, SchemaGetter, SynchronizedRef } from "effect"
import { ToolResultError, ToolReturn, Toolset } from "effect-toolset"
import { anyResult, resultCodec } from "../../src/toolset/result.ts"
import { answering, flaw } from "./asking.ts"

/** What a tool gives that returns this. */
const given = (value: unknown, success?: Schema.Codec<any, any>) =>
  Toolset.call(
    Toolset.tool("t", { success: success ?? Schema.Unknown, handler: () => Effect.succeed(value) }),
    "t",
    {}
  )

const refused = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert.instanceOf(error, ToolResultError)
    const { message, path, problem, toolName } = error
    const place = path.length === 0 ? "" : ` at ${path.join(".")}`
    assert.strictEqual(message, `The result of the tool '${toolName}' cannot be sent${place}: ${problem}`)
    return { toolName, path, problem }
  })

class User extends Schema.Class<User>("User")({ name: Schema.String, born: Schema.Date }) {}

describe("a result with a schema", () => {
  const table: ReadonlyArray<[what: string, success: Schema.Codec<any, any>, value: unknown, json: unknown]> =
    [
      ["a text", Schema.String, "x", "x"],
      ["a date", Schema.Date, new Date(0), "1970-01-01T00:00:00.000Z"],
      ["a bigint", Schema.BigInt, 12n, "12"],
      ["a Map", Schema.ReadonlyMap(Schema.String, Schema.Finite), new Map([["a", 1]]), [["a", 1]]],
      ["bytes", Schema.Uint8Array, new Uint8Array([1]), "AQ=="],
      ["a URL", Schema.URL, new URL("https://a.b/"), "https://a.b/"],
      ["NaN, where numbers may be it", Schema.Number, Number.NaN, "NaN"],
      ["nothing", Schema.Void, undefined, null],
      [
        "an optional field that is undefined",
        Schema.Struct({ a: Schema.optional(Schema.Finite) }),
        { a: undefined },
        { a: null }
      ],
      [
        "an instance",
        User,
        new User({ name: "Ada", born: new Date(0) }),
        { name: "Ada", born: "1970-01-01T00:00:00.000Z" }
      ],
      ["any JSON", Schema.Json, [{ a: null }], [{ a: null }]],
      [
        "a field called __proto__",
        Schema.Record(Schema.String, Schema.Finite),
        JSON.parse('{"__proto__":1}'),
        JSON.parse('{"__proto__":1}')
      ]
    ]
  for (const [what, success, value, json] of table) {
    it.effect(`is encoded to JSON: ${what}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* given(value, success), json)
        assert.deepStrictEqual(yield* given(new ToolReturn({ value }), success), json)
      })
    )
  }

  it.effect("shows what the schema knows, and nothing else", () =>
    Effect.gen(function* () {
      const success = Schema.Struct({ a: Schema.Finite })
      assert.deepStrictEqual(yield* given({ a: 1, secret: 2 }, success), { a: 1 })
    })
  )

  const wrong: ReadonlyArray<
    [
      what: string,
      success: Schema.Codec<any, any>,
      value: unknown,
      path: ReadonlyArray<string | number>,
      problem: string
    ]
  > = [
    ["another type", Schema.Finite, "x", [], "Expected number"],
    ["no number", Schema.Finite, Number.NaN, [], "Expected a finite number"],
    [
      "a field of another type, deep inside",
      Schema.Struct({ rows: Schema.Array(Schema.Struct({ n: Schema.Int })) }),
      { rows: [{ n: 1 }, { n: "x" }] },
      ["rows", 1, "n"],
      "Expected number"
    ],
    ["a field that is missing", Schema.Struct({ a: Schema.Finite }), {}, ["a"], "Missing key"],
    [
      "a rich result in a list (P79)",
      Schema.Array(Schema.Finite),
      [new ToolReturn({ value: 1 })],
      [0],
      "Expected number"
    ]
  ]
  for (const [what, success, value, path, problem] of wrong) {
    it.effect(`is an error at once, which says where, if the schema cannot encode it: ${what} (P81)`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* refused(given(value, success)), { toolName: "t", path, problem })
      })
    )
  }

  const anything: ReadonlyArray<[what: string, success: Schema.Codec<any, any>]> = [
    ["Schema.Unknown", Schema.Unknown],
    ["Schema.Any", Schema.Any],
    ["Schema.Json", Schema.Json],
    ["a field of Schema.Unknown", Schema.Struct({ a: Schema.Unknown })],
    ["a field of Schema.Any", Schema.Struct({ a: Schema.Any })]
  ]
  for (const [what, success] of anything) {
    it.effect(`is an error at once, if the schema takes anything and it is no JSON: ${what} (P81)`, () =>
      Effect.gen(function* () {
        for (const value of [1n, new Map(), () => 1]) {
          for (const [made, inside] of [
            [value, []],
            [{ b: [0, { c: value }] }, ["b", 1, "c"]]
          ] as const) {
            const isField = "fields" in success
            const { path, problem, toolName } = yield* refused(given(isField ? { a: made } : made, success))
            assert.strictEqual(toolName, "t")
            assert.deepStrictEqual(path, isField ? ["a", ...inside] : inside)
            assert.strictEqual(problem, (yield* refused(given(value))).problem)
          }
        }
      })
    )
  }

  it.effect("is an error of its schema, where that says it in another form", () =>
    Effect.gen(function* () {
      const { problem } = yield* refused(
        given(new Map([["k", { b: 1n }]]), Schema.ReadonlyMap(Schema.String, Schema.Json))
      )
      assert.strictEqual(problem, "Expected JSON value")
    })
  )

  it.effect("is an error of the tool that was called, by the name that it was called by", () =>
    Effect.gen(function* () {
      const tools = {
        "its own": Toolset.tool("t", { handler: () => Effect.succeed(1n) }),
        "a wrapper's": answering("t").pipe(
          Toolset.wrapper(() => Effect.succeed(new ToolReturn({ value: new Map() })))
        ),
        "a stub's": answering("t").pipe(Toolset.stubbed({ t: () => new Map() }))
      }
      for (const [whose, tool] of Object.entries(tools)) {
        const both = Toolset.combined(Toolset.prefixed(tool, "x"), Toolset.prefixed(tool, "y"))
        const error = yield* Effect.flip(Toolset.call(both, "y_t", {}))
        assert.strictEqual(error._tag === "ToolResultError" ? error.toolName : error._tag, "y_t", whose)
      }
    })
  )

  it.effect("asks for the services that encoding needs", () =>
    Effect.gen(function* () {
      class Factor extends Context.Service<Factor, number>()("test/Factor") {}
      const Scaled = Schema.Finite.pipe(
        Schema.decodeTo(Schema.Finite, {
          decode: SchemaGetter.passthrough(),
          encode: SchemaGetter.transformEffect((n: number) => Effect.map(Factor, (factor) => n / factor))
        })
      )
      const tool: Toolset.Toolset<never, Factor> = Toolset.tool("t", {
        success: Schema.Struct({ n: Scaled }),
        handler: () => Effect.succeed(new ToolReturn({ value: { n: 30 } }))
      })
      // @ts-expect-error it needs a factor
      const needy: Toolset.Toolset = tool
      assert.deepStrictEqual(yield* Toolset.call(Toolset.provide(tool, Context.make(Factor, 10)), "t", {}), {
        n: 3
      })
      assert.strictEqual(needy, tool as unknown)
    })
  )

  it.effect("cannot be one that no JSON Schema describes", () =>
    Effect.gen(function* () {
      const success = Schema.Struct({ [Symbol.for("x")]: Schema.String })
      const tool = Toolset.tool("t", { success, handler: () => Effect.succeed({ [Symbol.for("x")]: "y" }) })
      const { hint, problem, source } = yield* flaw(Toolset.list(tool))
      assert.strictEqual(source, "tool(t)")
      assert.include(problem, "`success`")
      assert.include(problem, "names must be strings")
      assert.include(hint, "JSON")
    })
  )
})

describe("a result without a schema", () => {
  it.effect("is nothing where a handler sets a ref, which shows no inside of it", () =>
    Effect.gen(function* () {
      const ref = yield* Ref.make("old")
      const synchronized = yield* SynchronizedRef.make("old")
      const set = Toolset.tool("set", { handler: () => Ref.set(ref, "secret") })
      const declared = Toolset.tool("declared", {
        success: Schema.Void,
        handler: () => Ref.set(ref, "secret")
      })
      const other = Toolset.tool("other", { handler: () => SynchronizedRef.set(synchronized, "secret") })
      for (const name of ["set", "declared", "other"]) {
        assert.isNull(yield* Toolset.call(Toolset.combined(set, declared, other), name, {}))
      }
    })
  )

  const untold = (value: unknown) =>
    Toolset.call(Toolset.tool("t", { handler: () => Effect.succeed(value) }), "t", {})

  it.effect("is what it is as JSON", () =>
    Effect.gen(function* () {
      for (const value of ["x", 1, null, [1, { a: [] }], { a: { b: 1 } }]) {
        assert.deepStrictEqual(yield* untold(value), value)
        assert.deepStrictEqual(yield* untold(new ToolReturn({ value })), value)
      }
      assert.isNull(yield* untold(undefined))
      assert.strictEqual(yield* untold(new Date(0)), "1970-01-01T00:00:00.000Z")
    })
  )

  it.effect("is an error at once, which says where, if it is no JSON (P81)", () =>
    Effect.gen(function* () {
      const values: ReadonlyArray<[value: unknown, problem: string]> = [
        [1n, "A bigint is not JSON."],
        [new Map(), "A Map is not JSON: give the tool a success schema."],
        [new Error("x"), "A Error is not JSON: give the tool a success schema."],
        [new URLSearchParams("a=1"), "A URLSearchParams is not JSON: give the tool a success schema."],
        [Number.NaN, "NaN is not a JSON number."]
      ]
      for (const [value, problem] of values) {
        assert.deepStrictEqual(yield* refused(untold(value)), { toolName: "t", path: [], problem })
        assert.deepStrictEqual(yield* refused(untold({ a: [value] })), {
          toolName: "t",
          path: ["a", 0],
          problem
        })
        assert.deepStrictEqual(yield* refused(untold(new ToolReturn({ value }))), {
          toolName: "t",
          path: [],
          problem
        })
      }
    })
  )

  it.effect("cannot have a rich result inside it (P79)", () =>
    Effect.gen(function* () {
      const rich = new ToolReturn({ value: 1, metadata: { secret: true } })
      for (const [value, path] of [
        [[rich], [0]],
        [{ a: rich }, ["a"]],
        [new ToolReturn({ value: rich }), []]
      ] as const) {
        const error = yield* refused(untold(value))
        assert.deepStrictEqual(error.path, path)
        assert.include(error.problem, "ToolReturn")
      }
    })
  )
})

describe("a rich result", () => {
  it.effect("keeps everything but its value, which is encoded", () =>
    Effect.gen(function* () {
      const rich = new ToolReturn({
        value: new Date(0),
        content: [],
        metadata: { client: new Map() },
        modelOutput: []
      })
      for (const { encode } of [anyResult, resultCodec(Schema.Date)]) {
        const encoded = yield* encode(rich)
        assert.instanceOf(encoded, ToolReturn)
        assert.deepStrictEqual(encoded, new ToolReturn({ ...rich, value: "1970-01-01T00:00:00.000Z" }))
        assert.strictEqual(encoded.metadata, rich.metadata)
        assert.strictEqual(encoded.content, rich.content)
        assert.strictEqual(encoded.modelOutput, rich.modelOutput)
      }
    })
  )

  it.effect("is made of a plain one: without content, metadata or output for the model", () =>
    Effect.gen(function* () {
      const { content, metadata, modelOutput, value } = yield* anyResult.encode(1)
      assert.deepStrictEqual([value, content, metadata, modelOutput], [1, [], {}, undefined])
    })
  )
})
