import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Result, Schema, SchemaAST } from "effect"
import type { ModelRetry } from "../../src/ToolSignal.ts"
import { excessIn, isAlwaysJson } from "../../src/toolset/encoded.ts"
import { toJson } from "../../src/toolset/json.ts"
import { effectCodec } from "../../src/toolset/parameters.ts"

interface Tree {
  readonly a?: Tree
}

const inner = Schema.Struct({ a: Schema.optionalKey(Schema.Finite), b: Schema.optionalKey(Schema.String) })
const known = {
  "a struct": Schema.Struct({ a: Schema.optionalKey(inner), b: Schema.optional(Schema.Finite) }),
  "structs in an array": Schema.Struct({ a: Schema.optionalKey(Schema.Array(inner)) }),
  "a tuple of values": Schema.Struct({ a: Schema.optionalKey(Schema.Tuple([Schema.Finite, Schema.String])) }),
  "a choice of values": Schema.Struct({
    a: Schema.optionalKey(Schema.Literals(["x", 1])),
    b: Schema.NullOr(Schema.String)
  }),
  "a default": Schema.Struct({ a: inner.pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))) }),
  "renamed keys": Schema.Struct({ x: Schema.optionalKey(inner), b: Schema.optionalKey(Schema.Date) }).pipe(
    Schema.encodeKeys({ x: "a" })
  ),
  "a class": class A extends Schema.Class<A>("A")({ a: Schema.optionalKey(inner) }) {}
}
const unknown = {
  "a record": Schema.Struct({ a: Schema.optionalKey(Schema.Record(Schema.String, inner)) }),
  "a choice of structs": Schema.Struct({
    a: Schema.optionalKey(Schema.Union([inner, Schema.Struct({ c: Schema.String })]))
  }),
  "a recursive one": Schema.Struct({
    a: Schema.optionalKey(
      Schema.suspend((): Schema.Codec<Tree> => Schema.Struct({ a: Schema.optionalKey(Schema.Any) }) as never)
    )
  }),
  anything: Schema.Struct({ a: Schema.Unknown, b: Schema.String }),
  "a tuple of structs": Schema.Struct({ a: Schema.optionalKey(Schema.Tuple([inner, inner])) })
}

const Value = Schema.Union([Schema.Finite, Schema.String, Schema.Null])
const Fields = Schema.Struct({
  a: Schema.optionalKey(Value),
  b: Schema.optionalKey(Value),
  c: Schema.optionalKey(Value)
})
const Sent = Schema.Struct({
  a: Schema.optionalKey(Schema.Union([Value, Fields, Schema.Array(Fields)])),
  b: Schema.optionalKey(Value),
  c: Schema.optionalKey(Value)
})

const encodedOf = (schema: Schema.Constraint) => SchemaAST.toEncoded(Schema.toCodecJson(schema).ast)

const strictly = (schema: Schema.Constraint) => {
  const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(schema), {
    errors: "all",
    onExcessProperty: "error"
  })
  return (value: unknown) => decode(value) as Effect.Effect<unknown, Schema.SchemaError>
}

describe("what is known of a schema before any value", () => {
  it("is what a strict decoder would refuse, or nothing", () => {
    for (const [name, schema] of Object.entries(known)) assert.isDefined(excessIn(encodedOf(schema)), name)
    for (const [name, schema] of Object.entries(unknown))
      assert.isUndefined(excessIn(encodedOf(schema)), name)
  })

  for (const [name, schema] of Object.entries({ ...known, ...unknown })) {
    const codec = effectCodec(schema)
    const strict = strictly(schema)
    it.effect.prop(`${name}: arguments decode as a strict decoder decodes them`, { sent: Sent }, ({ sent }) =>
      Effect.gen(function* () {
        const ours = yield* Effect.exit(codec.decode(sent))
        const theirs = yield* Effect.exit(strict(sent))
        assert.strictEqual(ours._tag, theirs._tag)
        if (Exit.isSuccess(ours) && Exit.isSuccess(theirs)) assert.deepStrictEqual(ours.value, theirs.value)
      })
    )
  }

  it("sees what is in excess at any depth", () => {
    const hasExcess = excessIn(encodedOf(known["a struct"]))
    const inItems = excessIn(encodedOf(known["structs in an array"]))
    assert.deepStrictEqual(
      [{ a: { a: 1, b: "x" } }, { a: { a: 1, c: 1 } }, { c: 1 }, { a: 1 }, {}].map((sent) =>
        hasExcess?.(sent)
      ),
      [false, true, true, false, false]
    )
    assert.deepStrictEqual(
      [{ a: [{ a: 1 }, { b: "x" }] }, { a: [{ a: 1 }, { c: 1 }] }, { a: [] }].map((sent) => inItems?.(sent)),
      [false, true, false]
    )
  })

  it("says all that is wrong, also where something else is in excess", () => {
    const decode = effectCodec(Schema.Struct({ a: Schema.Finite, b: Schema.Finite })).decode
    const { message } = Effect.runSync(
      Effect.flip(decode({ a: "x", b: "y", c: 1 }) as Effect.Effect<unknown, ModelRetry>)
    )
    for (const place of ['["a"]', '["b"]', '["c"]']) assert.include(message, place)
  })

  it("is whether all that is encoded is JSON", () => {
    for (const [name, schema] of Object.entries(known)) assert.isTrue(isAlwaysJson(encodedOf(schema)), name)
    for (const schema of [
      Schema.Unknown,
      Schema.Any,
      Schema.Struct({ a: Schema.Unknown, b: Schema.String }),
      Schema.Struct({})
    ]) {
      assert.isFalse(isAlwaysJson(encodedOf(schema)))
    }
  })

  it.effect.prop(
    "what is said to be JSON is",
    {
      value: Schema.Struct({
        n: Schema.Number,
        d: Schema.Date,
        l: Schema.Array(Schema.Number),
        o: Schema.optional(Schema.BigInt)
      })
    },
    ({ value }) =>
      Effect.gen(function* () {
        const schema = Schema.Struct({
          n: Schema.Number,
          d: Schema.Date,
          l: Schema.Array(Schema.Number),
          o: Schema.optional(Schema.BigInt)
        })
        assert.isTrue(isAlwaysJson(encodedOf(schema)))
        const encoded = yield* Schema.encodeEffect(Schema.toCodecJson(schema))(value)
        assert.deepStrictEqual(toJson(encoded), Result.succeed(encoded))
      })
  )
})
