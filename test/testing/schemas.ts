/** Effect schemas at random, of those of which a JSON Schema says all. */
import { Arbitrary, Schema } from "effect"
import { toJsonSchema } from "../../src/toolset/parameters.ts"

type Codec = Schema.Codec<any, any>

/** A schema, and whether some value satisfies it for certain. */
interface Described {
  readonly schema: Codec
  readonly certain: boolean
}

const int = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
const bool = Arbitrary.schema(Schema.Boolean)
const among = <A>(options: ReadonlyArray<Arbitrary.Arbitrary<A>>): Arbitrary.Arbitrary<A> =>
  Arbitrary.flatMap(int(0, options.length - 1), (i) => options[i]!)
const constant = <A>(value: A): Arbitrary.Arbitrary<A> => Arbitrary.map(bool, () => value)
const certainly = (schema: Codec): Described => ({ schema, certain: true })

const literals = Arbitrary.map(
  Arbitrary.array(
    among<string | number | boolean>([int(-3, 3), bool, among(["", "a", "x y"].map(constant))]),
    {
      minLength: 1,
      maxLength: 3
    }
  ),
  (values) => certainly(Schema.Literals(values))
)

const texts = Arbitrary.map(Arbitrary.all({ least: int(0, 4), more: int(0, 3), bounded: bool }), (one) => {
  const least = Schema.String.check(Schema.isMinCodePoints(one.least))
  return certainly(one.bounded ? least.check(Schema.isMaxCodePoints(one.least + one.more)) : least)
})

/** What is not said in unicode, effect does not print. */
const patterns = Arbitrary.map(
  among([/^[A-Z]{3}$/u, /^x-/u, /^\d+(\.\d+)?$/u, /^(yes|no)$/u].map(constant)),
  (pattern) => certainly(Schema.String.check(Schema.isPattern(pattern)))
)

const uuids = constant(certainly(Schema.String.check(Schema.isUUID())))

const numbers = Arbitrary.map(
  Arbitrary.all({
    integer: bool,
    multipleOf: int(0, 4),
    low: int(-40, 40),
    width: int(1, 20),
    bounds: int(0, 5),
    quarter: int(0, 3)
  }),
  ({ bounds, integer, low, multipleOf, quarter, width }): Described => {
    const minimum = low + quarter / 4
    const maximum = minimum + width / 2
    const checks = [
      ...(multipleOf === 0 ? [] : [Schema.isMultipleOf(multipleOf)]),
      ...(bounds === 1 ? [Schema.isGreaterThanOrEqualTo(minimum)] : []),
      ...(bounds === 2 ? [Schema.isGreaterThan(minimum)] : []),
      ...(bounds === 3 ? [Schema.isLessThanOrEqualTo(maximum)] : []),
      ...(bounds === 4 ? [Schema.isLessThan(maximum)] : []),
      ...(bounds === 5
        ? [Schema.isBetween({ minimum, maximum, exclusiveMinimum: integer, exclusiveMaximum: quarter > 1 })]
        : [])
    ]
    const base = integer ? Schema.Int : Schema.Finite
    const schema = checks.reduce<Codec>((all, check) => all.check(check), base)
    return { schema, certain: bounds !== 5 || width / 2 > Math.max(2, multipleOf * 2) }
  }
)

const simple = among([
  literals,
  texts,
  patterns,
  uuids,
  numbers,
  constant(certainly(Schema.Boolean)),
  constant(certainly(Schema.Null))
])

const every = (all: ReadonlyArray<Described>) => all.every((one) => one.certain)

const compound = (inner: Arbitrary.Arbitrary<Described>): ReadonlyArray<Arbitrary.Arbitrary<Described>> => [
  Arbitrary.map(
    Arbitrary.all({ item: inner, least: int(0, 3), more: int(0, 2), bounded: bool, unique: bool }),
    ({ bounded, item, least, more, unique }) => {
      const from = Schema.Array(item.schema).check(Schema.isMinLength(least))
      const to = bounded ? from.check(Schema.isMaxLength(least + more)) : from
      return {
        schema: unique ? to.check(Schema.isUnique()) : to,
        certain: item.certain && !(unique && least > 1)
      }
    }
  ),
  Arbitrary.map(
    Arbitrary.all({ items: Arbitrary.array(inner, { minLength: 1, maxLength: 3 }), rest: bool }),
    ({ items, rest }) => {
      const tuple = Schema.Tuple(items.map((item) => item.schema))
      return {
        schema: rest ? Schema.TupleWithRest(tuple, [items[0]!.schema]) : tuple,
        certain: every(items)
      }
    }
  ),
  Arbitrary.map(inner, ({ certain, schema }) => ({ schema: Schema.Record(Schema.String, schema), certain })),
  Arbitrary.map(
    Arbitrary.array(Arbitrary.all({ field: inner, optional: bool }), { minLength: 1, maxLength: 3 }),
    (fields) => ({
      schema: Schema.Struct(
        Object.fromEntries(
          fields.map(({ field, optional }, i) => [
            ["a", "b", "additionalProperty"][i]!,
            optional ? Schema.optionalKey(field.schema) : field.schema
          ])
        )
      ),
      certain: every(fields.map((one) => one.field))
    })
  ),
  Arbitrary.map(
    Arbitrary.all({ members: Arbitrary.array(inner, { minLength: 1, maxLength: 3 }), exclusive: bool }),
    ({ exclusive, members }) => ({
      schema: Schema.Union(
        members.map((member) => member.schema),
        { mode: exclusive ? "oneOf" : "anyOf" }
      ),
      certain: every(members) && !exclusive
    })
  ),
  Arbitrary.map(Arbitrary.all({ value: inner, kind: int(0, 3) }), ({ kind, value }) => ({
    schema: recursive(value.schema, kind),
    certain: value.certain
  }))
]

let recursions = 0

const recursive = (value: Codec, kind: number): Codec => {
  const again: Codec = Schema.suspend(() => self)
  const node = Schema.Struct({ left: again, right: again })
  const shapes: ReadonlyArray<Codec> = [
    Schema.Struct({ value, children: Schema.Array(again) }),
    Schema.Struct({ value, next: Schema.NullOr(again) }),
    Schema.Struct({ value, next: Schema.optionalKey(again) }),
    Schema.Union([node, Schema.Struct({ value })])
  ]
  const self = shapes[kind]!.annotate({ identifier: `Recursive${recursions++}` })
  return self
}

const nested = (depth: number): Arbitrary.Arbitrary<Described> =>
  depth === 0 ? simple : among([simple, ...compound(nested(depth - 1))])

/** With its JSON Schema, which says more when a property is falsified. */
export const schemas = Arbitrary.map(nested(3), ({ certain, schema }) => ({
  certain,
  json: toJsonSchema(schema),
  schema: () => schema
}))
