/** Results that schemas of zod, ArkType and valibot describe. */
import { assert, describe, it } from "@effect/vitest"
import { toStandardJsonSchema } from "@valibot/to-json-schema"
import { type } from "arktype"
import { Effect } from "effect"
import { ToolResultError, ToolReturn, Toolset } from "effect-toolset"
import * as v from "valibot"
import * as z from "zod"
import { defect, first, flaw } from "./asking.ts"

const giving = (success: any, value: unknown) =>
  Toolset.tool("t", { success, handler: () => Effect.succeed(value) })
const given = (success: unknown, value: unknown) => Toolset.call(giving(success, value), "t", {})

const a = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }

describe("results by schemas of zod, ArkType and valibot", () => {
  const objects: ReadonlyArray<[library: string, success: unknown, json: unknown]> = [
    ["zod", z.object({ a: z.string() }), { ...a, additionalProperties: false }],
    ["ArkType", type({ a: "string" }), a],
    ["valibot", toStandardJsonSchema(v.object({ a: v.string() })), a]
  ]
  for (const [library, success, json] of objects) {
    it.effect(`are told as JSON Schema, and checked: ${library}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* first(giving(success, {}))).returns, json)
        assert.deepStrictEqual(yield* given(success, { a: "x" }), { a: "x" })
        const error = yield* Effect.flip(given(success, { a: 1 }))
        assert.instanceOf(error, ToolResultError)
        assert.deepStrictEqual([error.toolName, error.path], ["t", ["a"]])
        assert.match(error.problem, /string/)
      })
    )
  }

  it.effect("may be of any kind", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* given(z.number(), 3), 3)
      assert.deepStrictEqual(yield* given(type("string[]"), ["x"]), ["x"])
      assert.deepStrictEqual((yield* first(giving(z.array(z.int()), []))).returns, {
        type: "array",
        items: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }
      })
    })
  )

  it.effect("are what the schema makes of them, and so is what is told", () =>
    Effect.gen(function* () {
      const success = z.object({
        n: z.number().default(7),
        at: z
          .string()
          .transform((text) => text.length)
          .pipe(z.number())
      })
      const { returns } = yield* first(giving(success, {}))
      assert.deepStrictEqual(returns?.properties, {
        n: { default: 7, type: "number" },
        at: { type: "number" }
      })
      assert.deepStrictEqual(returns?.required, ["n", "at"])
      assert.deepStrictEqual(yield* given(success, { at: "xyz", more: 1 }), { n: 7, at: 3 })
    })
  )

  it.effect("say where they do not fit", () =>
    Effect.gen(function* () {
      const rows = z.object({ rows: z.array(z.object({ n: z.number("Not a number.") })) })
      const error = yield* Effect.flip(given(rows, { rows: [{ n: 1 }, { n: "x" }] }))
      assert.instanceOf(error, ToolResultError)
      assert.deepStrictEqual([error.path, error.problem], [["rows", 1, "n"], "Not a number."])
      const valibot = toStandardJsonSchema(v.object({ a: v.array(v.number()) }))
      assert.deepInclude(yield* Effect.flip(given(valibot, { a: ["x"] })), { path: ["a", 0] })
    })
  )

  it.effect("may be rich, or judged later", () =>
    Effect.gen(function* () {
      const success = z.string().refine((text) => Promise.resolve(text !== "y"), "Not y.")
      const seen: Array<ToolReturn> = []
      const rich = giving(success, new ToolReturn({ value: "x", metadata: { rows: 1 } })).pipe(
        Toolset.wrapper((call, next) =>
          Effect.tap(next(call), (result) => Effect.sync(() => seen.push(result)))
        )
      )
      assert.strictEqual(yield* Toolset.call(rich, "t", {}), "x")
      assert.deepStrictEqual(seen[0]?.metadata, { rows: 1 })
      assert.deepInclude(yield* Effect.flip(given(success, "y")), { problem: "Not y." })
    })
  )

  it.effect("cannot be what their library cannot print, nor what is not JSON in the end", () =>
    Effect.gen(function* () {
      const { problem } = yield* flaw(Toolset.list(giving(z.date(), new Date(0))))
      assert.match(problem, /^Its `success` cannot be printed as JSON Schema: .*Date/)
      const error = yield* Effect.flip(given(z.any(), new Map()))
      assert.instanceOf(error, ToolResultError)
      assert.match(error.problem, /A Map is not JSON/)
    })
  )

  it.effect("that a broken schema cannot judge are a defect", () =>
    Effect.gen(function* () {
      const { "~standard": standard } = z.string()
      const validate = () => Promise.reject(new TypeError("no database"))
      assert.strictEqual(
        yield* defect(given({ "~standard": { ...standard, validate } }, "x")),
        "TypeError: no database"
      )
    })
  )
})
