import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { ToolReturn } from "effect-toolset"
import { toJson } from "../../src/toolset/json.ts"

class Point {
  readonly x: number
  readonly y: number
  constructor(x: number, y: number) {
    this.x = x
    this.y = y
  }
  get length() {
    return Math.hypot(this.x, this.y)
  }
}
class Sealed {
  readonly #inside = 1
  get inside() {
    return this.#inside
  }
}
class Tagged extends Map<string, number> {
  readonly name = "x"
}

const shared = { a: 1 }
const cycle: Record<string, unknown> = { a: { b: [] } }
;(cycle["a"] as { b: Array<unknown> }).b.push(cycle)
/** Of which `toJSON` gives another object each time, with itself inside. */
const endless: Record<string, unknown> = { toJSON: () => ({ again: endless }) }
const own = (text: string): unknown => JSON.parse(text)

describe("what is JSON", () => {
  const table: ReadonlyArray<[what: string, value: unknown, json: unknown]> = [
    ["a text", "x", "x"],
    ["a number", -1.5, -1.5],
    ["a boolean", false, false],
    ["null", null, null],
    ["undefined, as null", undefined, null],
    ["an array", [1, [2], {}], [1, [2], {}]],
    ["an array with undefined in it, as null", [1, undefined], [1, null]],
    // oxlint-disable-next-line no-sparse-arrays
    ["an array with holes, as null", [1, , 3], [1, null, 3]],
    ["an object", { a: { b: [] } }, { a: { b: [] } }],
    ["an object without undefined properties", { a: undefined, b: 1 }, { b: 1 }],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["an instance of a class, by its fields", new Point(3, 4), { x: 3, y: 4 }],
    ["a date, as its text", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a URL, as its text", new URL("https://a.b/c"), "https://a.b/c"],
    ["what toJSON says", { secret: 1, toJSON: () => ({ shown: [2] }) }, { shown: [2] }],
    ["what toJSON says, inside", [{ toJSON: () => "x" }], ["x"]],
    ["one object in two places", [shared, { shared }], [{ a: 1 }, { shared: { a: 1 } }]],
    ["a field called __proto__", own('{"__proto__":{"a":1},"b":2}'), own('{"__proto__":{"a":1},"b":2}')],
    [
      "fields called constructor and toString",
      { constructor: 1, toString: 2 },
      { constructor: 1, toString: 2 }
    ]
  ]
  for (const [what, value, json] of table) {
    it(`is ${what}`, () => {
      const result = toJson(value)
      assert.deepStrictEqual(result, Result.succeed(json as Schema.Json))
    })
  }

  it("is a copy: what is written into the value later is not in it", () => {
    const value = { a: [1] }
    const json = toJson(value)
    value.a.push(2)
    assert.deepStrictEqual(json, Result.succeed({ a: [1] }))
  })

  it("never reaches a prototype", () => {
    const json = Result.getOrThrow(toJson(own('{"__proto__":{"polluted":true}}'))) as object
    assert.strictEqual(Object.getPrototypeOf(json), Object.prototype)
    assert.isUndefined((json as { polluted?: boolean }).polluted)
    assert.strictEqual(JSON.stringify(json), '{"__proto__":{"polluted":true}}')
  })

  it("may be a thousand deep", () => {
    let value: unknown = 1
    for (let i = 0; i < 1000; i++) value = [value]
    assert.isTrue(Result.isSuccess(toJson(value)))
  })

  it.effect.prop("is all that JSON is, as it is", [Schema.Json], ([value]) =>
    Effect.sync(() => assert.deepStrictEqual(toJson(value), Result.succeed(value)))
  )
})

describe("what is not JSON", () => {
  const opaque = (name: string) => `A ${name} is not JSON: give the tool a success schema.`
  const table: ReadonlyArray<[what: string, value: unknown, problem: string]> = [
    ["NaN", Number.NaN, "NaN is not a JSON number."],
    ["infinity", Number.NEGATIVE_INFINITY, "-Infinity is not a JSON number."],
    ["a bigint", 1n, "A bigint is not JSON."],
    ["a symbol", Symbol("x"), "A symbol is not JSON."],
    ["a function", () => 1, "A function is not JSON."],
    ["a Map", new Map([[1, 2]]), opaque("Map")],
    ["a Set", new Set([1]), opaque("Set")],
    ["an error", new Error("x"), opaque("Error")],
    ["an error with fields", Object.assign(new RangeError("x"), { code: 1 }), opaque("RangeError")],
    ["search parameters", new URLSearchParams("a=1"), opaque("URLSearchParams")],
    ["a promise", Promise.resolve(1), opaque("Promise")],
    ["a regular expression", /x/, opaque("RegExp")],
    ["bytes", new Uint8Array([1]), opaque("Uint8Array")],
    ["a buffer", new ArrayBuffer(1), opaque("ArrayBuffer")],
    ["a buffer of Node, which would say its bytes", Buffer.from("x"), opaque("Buffer")],
    ["an instance of a class that keeps what it has to itself", new Sealed(), opaque("Sealed")],
    ["a Map that has fields too", new Tagged([["a", 1]]), opaque("Tagged")],
    ["a boxed number", Object(1), opaque("Number")],
    ["a boxed text", Object("ab"), opaque("String")]
  ]
  for (const [what, value, problem] of table) {
    it(`is ${what}, wherever it is`, () => {
      assert.deepStrictEqual(toJson(value), Result.fail({ path: [], problem }))
      assert.deepStrictEqual(
        toJson({ rows: [{ a: 1 }, { a: value }] }),
        Result.fail({ path: ["rows", 1, "a"], problem })
      )
      assert.deepStrictEqual(toJson({ toJSON: () => value }), Result.fail({ path: [], problem }))
    })
  }

  const failing: ReadonlyArray<
    [what: string, value: unknown, path: ReadonlyArray<string | number>, problem: string]
  > = [
    ["what contains itself", cycle, ["a", "b", 0], "The value contains itself."],
    [
      "what fails to say what it is",
      {
        a: {
          toJSON() {
            throw new TypeError("no words")
          }
        }
      },
      ["a"],
      "Its toJSON failed: no words"
    ]
  ]
  for (const [what, value, path, problem] of failing) {
    it(`is ${what}`, () => assert.deepStrictEqual(toJson(value), Result.fail({ path, problem })))
  }

  it("is the first of several problems", () => {
    assert.deepStrictEqual(
      toJson([1, 1n, Number.NaN]),
      Result.fail({ path: [1], problem: "A bigint is not JSON." })
    )
  })

  it("is a rich result inside another value: its metadata is not for the model (P79)", () => {
    const rich = new ToolReturn({ value: 1, metadata: { secret: true } })
    for (const [value, path] of [
      [[rich], [0]],
      [{ a: rich }, ["a"]],
      [{ rows: [1, rich] }, ["rows", 1]],
      [rich, []]
    ] as const) {
      const result = toJson(value)
      if (Result.isSuccess(result)) return assert.fail(JSON.stringify(result.success))
      assert.deepStrictEqual(result.failure.path, path)
      assert.include(result.failure.problem, "ToolReturn")
    }
  })

  const hostile: ReadonlyArray<[what: string, value: unknown]> = [
    ["what toJSON puts into itself without end", endless],
    [
      "a field that cannot be read",
      {
        get a() {
          return assert.fail("unreadable")
        }
      }
    ],
    ["an object whose class has no constructor", Object.create(Object.create(null))]
  ]
  for (const [what, value] of hostile) {
    it(`is ${what}: a problem, and nothing thrown`, () => {
      assert.isTrue(Result.isFailure(toJson(value)))
    })
  }
})
