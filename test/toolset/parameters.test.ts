import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema, SchemaGetter } from "effect"
import { ToolCall, Toolset } from "effect-toolset"
import { codec, decoding } from "../../src/toolset/parameters.ts"
import { asCall, inRunOf, retry } from "./asking.ts"

/** A tool that answers with its decoded arguments, as JSON. */
const echo = (parameters: any) => Toolset.tool("t", { parameters, handler: (args) => Effect.succeed(args) })
const call = (parameters: unknown, args: unknown) => Toolset.call(echo(parameters), "t", args)

const A = Schema.Struct({ a: Schema.String })
class Point extends Schema.Class<Point>("Point")({ x: Schema.FiniteFromString }) {}
class Nothing extends Schema.Class<Nothing>("Nothing")({}) {}

const encoded = (parameters: any, args: unknown) =>
  Effect.flatMap(decoding(codec(parameters))(args), (decoded) => decoded.encoded()).pipe(
    asCall({}),
    inRunOf({})
  )

describe("arguments", () => {
  it.effect("decode through the JSON codec: defaults are honoured, null is an optional field left out", () =>
    Effect.gen(function* () {
      const parameters = Schema.Struct({
        a: Schema.optional(Schema.String),
        n: Schema.Finite.pipe(Schema.withDecodingDefault(Effect.succeed(7))),
        at: Schema.optionalKey(Schema.Date)
      })
      assert.deepStrictEqual(yield* call(parameters, {}), { n: 7 })
      assert.deepStrictEqual(yield* call(parameters, { a: null, n: 1 }), { n: 1 })
      assert.deepStrictEqual(yield* call(parameters, { a: "x", n: 1, at: "1970-01-01T00:00:00.000Z" }), {
        a: "x",
        n: 1,
        at: "1970-01-01T00:00:00.000Z"
      })
    })
  )

  it.effect("give the handler instances of a class, also of one without fields", () =>
    Effect.gen(function* () {
      const isPoint = Toolset.tool("t", {
        parameters: Point,
        handler: (point) => Effect.succeed([point instanceof Point, point.x])
      })
      assert.deepStrictEqual(yield* Toolset.call(isPoint, "t", { x: "1" }), [true, 1])
      const isNothing = Toolset.tool("t", {
        parameters: Nothing,
        handler: (nothing) => Effect.succeed(nothing instanceof Nothing)
      })
      assert.strictEqual(yield* Toolset.call(isNothing, "t", {}), true)
    })
  )

  const wrong: ReadonlyArray<[what: string, parameters: unknown, args: unknown, problem: string]> = [
    ["of another type", A, { a: 1 }, `Expected string\n  at ["a"]`],
    ["missing", A, {}, `Missing key\n  at ["a"]`],
    ["in excess", A, { a: "x", b: 1 }, `Expected no excess property\n  at ["b"]`],
    [
      "in excess, inside",
      Schema.Struct({ in: A }),
      { in: { a: "x", b: 1 } },
      `Expected no excess property\n  at ["in"]["b"]`
    ],
    [
      "all of them",
      A,
      { b: 1, c: 2 },
      `Expected no excess property\n  at ["b"]\nExpected no excess property\n  at ["c"]\nMissing key\n  at ["a"]`
    ],
    ["given to a tool without parameters", undefined, { a: 1 }, `Expected never\n  at ["a"]`],
    ["given to a struct without fields", Schema.Struct({}), { a: 1 }, `Expected never\n  at ["a"]`],
    ["given to a class without fields", Nothing, { a: 1 }, `Expected never\n  at ["a"]`],
    [
      "called __proto__",
      A,
      JSON.parse('{"a":"x","__proto__":{"b":1}}'),
      `Expected no excess property\n  at ["__proto__"]`
    ],
    ["no object", A, ["a"], "Expected object"],
    ["null", undefined, null, "Expected object"],
    ["null, for a struct without fields", Schema.Struct({}), null, "Expected object"],
    ["an array, for a struct without fields", Schema.Struct({}), [], "Expected object"]
  ]
  for (const [what, parameters, args, problem] of wrong) {
    it.effect(`are sent back to the model where they are ${what} (P51)`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* retry(call(parameters, args)), [
          "arguments",
          `Invalid arguments: ${problem}`
        ])
      })
    )
  }

  it.effect("ask for the services that decoding needs, and have the run and the call while they decode", () =>
    Effect.gen(function* () {
      class Factor extends Context.Service<Factor, number>()("test/Factor") {}
      const Scaled = Schema.Finite.pipe(
        Schema.decodeTo(Schema.Finite, {
          decode: SchemaGetter.transformEffect((n: number) =>
            Effect.zipWith(Factor, ToolCall, (factor, { attempt }) => n * factor + attempt)
          ),
          encode: SchemaGetter.passthrough()
        })
      )
      const tool: Toolset.Toolset<never, Factor> = Toolset.tool("t", {
        parameters: Schema.Struct({ n: Scaled }),
        handler: ({ n }) => Effect.succeed(n)
      })
      // @ts-expect-error it needs a factor
      const needy: Toolset.Toolset = tool
      const called = Toolset.call(tool, "t", { n: 3 }).pipe(asCall({ attempt: 1 }), inRunOf({ step: 2 }))
      assert.strictEqual(yield* Effect.provideService(called, Factor, 10), 31)
      assert.strictEqual(needy, tool as unknown)
    })
  )

  it.effect("ask for the services that encoding them again needs: whoever approves sees them encoded", () =>
    Effect.gen(function* () {
      class Locale extends Context.Service<Locale, string>()("test/Locale") {}
      const parameters = Schema.Struct({
        n: Schema.String.pipe(
          Schema.decodeTo(Schema.Finite, {
            decode: SchemaGetter.transform(Number),
            encode: SchemaGetter.transformEffect((n: number) =>
              Effect.map(Locale, (locale) => `${n} (${locale})`)
            )
          })
        )
      })
      const tool: Toolset.Toolset<never, Locale> = Toolset.tool("t", {
        parameters,
        handler: ({ n }) => Effect.succeed(n)
      })
      // @ts-expect-error it needs a locale
      const needy: Toolset.Toolset = tool
      assert.strictEqual(yield* Effect.provideService(Toolset.call(tool, "t", { n: "3" }), Locale, "en"), 3)
      assert.deepStrictEqual(yield* Effect.provideService(encoded(parameters, { n: "3" }), Locale, "en"), {
        n: "3 (en)"
      })
      assert.strictEqual(needy, tool as unknown)
    })
  )
})

describe("decoded arguments, encoded again", () => {
  it.effect("are what will run, as JSON: with defaults, without what decoding left out", () =>
    Effect.gen(function* () {
      const parameters = Schema.Struct({
        n: Schema.Finite.pipe(Schema.withDecodingDefault(Effect.succeed(7))),
        text: Schema.Trim
      })
      assert.deepStrictEqual(yield* encoded(parameters, { text: " x " }), { n: 7, text: "x" })
      assert.deepStrictEqual(yield* encoded(Point, { x: "01" }), { x: "1" })
    })
  )

  it.effect("are what was sent, where they cannot be encoded", () =>
    Effect.gen(function* () {
      const oneWay = Schema.Struct({
        a: Schema.String.pipe(
          Schema.decodeTo(Schema.String, {
            decode: SchemaGetter.passthrough(),
            encode: SchemaGetter.forbidden(() => "no")
          })
        )
      })
      assert.deepStrictEqual(yield* encoded(oneWay, { a: "x" }), { a: "x" })
    })
  )
})
