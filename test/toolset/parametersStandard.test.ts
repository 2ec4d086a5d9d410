/** Parameters of other schema libraries: zod, ArkType, valibot. */
import { assert, describe, it } from "@effect/vitest"
import { toStandardJsonSchema } from "@valibot/to-json-schema"
import { type } from "arktype"
import { Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import { runInNewContext } from "node:vm"
import * as v from "valibot"
import * as z from "zod"
import { codec, decoding } from "../../src/toolset/parameters.ts"
import { asCall, defect, first, flaw, inRunOf, retry } from "./asking.ts"

const echo = (parameters: any) => Toolset.tool("t", { parameters, handler: (args) => Effect.succeed(args) })

/** A schema that takes anything. */
const printing = (json: object) => ({
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => json, output: () => json }
  }
})
const call = (parameters: unknown, args: unknown) => Toolset.call(echo(parameters), "t", args)

const a = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }

describe("parameters of zod, ArkType and valibot", () => {
  const objects: ReadonlyArray<[library: string, parameters: unknown, json: unknown]> = [
    ["zod", z.object({ a: z.string() }), a],
    ["zod, closed", z.strictObject({ a: z.string() }), { ...a, additionalProperties: false }],
    ["ArkType", type({ a: "string" }), a],
    ["valibot", toStandardJsonSchema(v.object({ a: v.string() })), a]
  ]
  for (const [library, parameters, json] of objects) {
    it.effect(`are told as JSON Schema, and decode: ${library}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* first(echo(parameters))).parameters, json)
        assert.deepStrictEqual(yield* call(parameters, { a: "x" }), { a: "x" })
        const [reason, message] = yield* retry(call(parameters, { a: 1 }))
        assert.strictEqual(reason, "arguments")
        assert.match(message!, /^Invalid arguments: .*string.*\n {2}at \["a"\]$/)
        assert.strictEqual((yield* retry(call(parameters, [])))[0], "arguments")
        assert.strictEqual((yield* retry(call(parameters, null)))[0], "arguments")
      })
    )
  }

  const choices: ReadonlyArray<[what: string, parameters: unknown]> = [
    [
      "a union of zod",
      z.union([z.object({ k: z.literal("a"), n: z.number() }), z.object({ k: z.literal("b") })])
    ],
    [
      "a discriminated union of zod",
      z.discriminatedUnion("k", [
        z.object({ k: z.literal("a"), n: z.number() }),
        z.object({ k: z.literal("b") })
      ])
    ],
    ["a union of ArkType", type({ k: "'a'", n: "number" }).or({ k: "'b'" })],
    [
      "a union of valibot",
      toStandardJsonSchema(
        v.union([v.object({ k: v.literal("a"), n: v.number() }), v.object({ k: v.literal("b") })])
      )
    ],
    [
      "a variant of valibot",
      toStandardJsonSchema(
        v.variant("k", [v.object({ k: v.literal("a"), n: v.number() }), v.object({ k: v.literal("b") })])
      )
    ]
  ]
  for (const [what, parameters] of choices) {
    it.effect(`may be ${what}, since each choice is an object`, () =>
      Effect.gen(function* () {
        const { parameters: json } = yield* first(echo(parameters))
        assert.strictEqual(json["type"], "object")
        assert.deepStrictEqual(yield* call(parameters, { k: "b" }), { k: "b" })
        assert.strictEqual((yield* retry(call(parameters, { k: "a" })))[0], "arguments")
      })
    )
  }

  const intersections: ReadonlyArray<[what: string, parameters: unknown]> = [
    ["an intersection of zod", z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() }))],
    ["an intersection of ArkType", type({ a: "string" }).and({ b: "string" })],
    [
      "an intersection of valibot",
      toStandardJsonSchema(v.intersect([v.object({ a: v.string() }), v.object({ b: v.string() })]))
    ]
  ]
  for (const [what, parameters] of intersections) {
    it.effect(`may be ${what}, since all of it are objects`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* first(echo(parameters))).parameters["type"], "object")
        assert.deepStrictEqual(yield* call(parameters, { a: "x", b: "y" }), { a: "x", b: "y" })
        assert.strictEqual((yield* retry(call(parameters, { a: "x" })))[0], "arguments")
      })
    )
  }

  const rootless: ReadonlyArray<[what: string, parameters: unknown]> = [
    ["a text of zod", z.string()],
    ["an array of zod", z.array(z.string())],
    ["an array of ArkType", type("string[]")],
    ["an array of valibot", toStandardJsonSchema(v.array(v.string()))],
    ["a union of texts and numbers", z.union([z.string(), z.number()])],
    ["what is an object and a text at once", z.intersection(z.union([z.object({}), z.null()]), z.string())],
    ["a reference to nothing", printing({ $ref: "#/$defs/%E0%A4%A", $defs: { A: { type: "object" } } })],
    ["a reference to itself", printing({ $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } })]
  ]
  for (const [what, parameters] of rootless) {
    it.effect(`cannot be ${what}: the root is no object`, () =>
      Effect.gen(function* () {
        const { problem } = yield* flaw(Toolset.list(echo(parameters)))
        assert.match(problem, /^The root of its `parameters` is no object: /)
      })
    )
  }

  it.effect("may be a reference to a reference to an object", () =>
    Effect.gen(function* () {
      const json = { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: { ...a } } }
      assert.deepStrictEqual((yield* first(echo(printing(json)))).parameters, a)
    })
  )

  it.effect("cannot be what their library cannot print", () =>
    Effect.gen(function* () {
      const { problem } = yield* flaw(Toolset.list(echo(z.object({ at: z.date() }))))
      assert.include(problem, "Its `parameters` cannot be printed as JSON Schema: ")
      assert.include(problem, "Date")
    })
  )

  it.effect("cannot be of a library that prints nothing", () =>
    Effect.gen(function* () {
      const silent = v.object({ a: v.string() })
      const hint =
        "zod can since 4.2, ArkType since 2.1.28, valibot with toStandardJsonSchema of @valibot/to-json-schema."
      assert.deepStrictEqual(yield* flaw(Toolset.list(echo(silent))), {
        source: "tool(t)",
        problem: "The schema library of its `parameters` cannot print JSON Schema.",
        hint
      })
      const success: any = silent
      const giving = Toolset.tool("t", { success, handler: () => Effect.void })
      assert.strictEqual(
        (yield* flaw(Toolset.list(giving))).problem,
        "The schema library of its `success` cannot print JSON Schema."
      )
      // effect's own can, whatever they are turned into.
      const own = Schema.toStandardSchemaV1(Schema.Struct({ a: Schema.String }))
      assert.deepStrictEqual(yield* call(own, { a: "x" }), { a: "x" })
    })
  )

  it.effect("give the handler what they decode to, in its type too", () =>
    Effect.gen(function* () {
      const length = z.object({ a: z.string().transform((text) => text.length), n: z.number().default(7) })
      const ofZod = Toolset.tool("t", { parameters: length, handler: ({ a, n }) => Effect.succeed(a + n) })
      assert.strictEqual(yield* Toolset.call(ofZod, "t", { a: "xyz" }), 10)
      const parsed = type({ a: "string.numeric.parse" })
      const ofArkType = Toolset.tool("t", { parameters: parsed, handler: ({ a }) => Effect.succeed(a + 1) })
      assert.strictEqual(yield* Toolset.call(ofArkType, "t", { a: "41" }), 42)
      const trimmed = toStandardJsonSchema(v.object({ a: v.optional(v.string(), "none") }))
      const ofValibot = Toolset.tool("t", {
        parameters: trimmed,
        handler: ({ a }) => Effect.succeed(a.length)
      })
      assert.strictEqual(yield* Toolset.call(ofValibot, "t", {}), 4)
    })
  )

  it.effect("tell their description, where the tool has none", () =>
    Effect.gen(function* () {
      const described = z.object({ a: z.string().describe("An a.") }).describe("Takes an a.")
      const { description, parameters } = yield* first(echo(described))
      assert.strictEqual(description, "Takes an a.")
      assert.deepStrictEqual(parameters["properties"], { a: { type: "string", description: "An a." } })
    })
  )

  it.effect("may validate asynchronously", () =>
    Effect.gen(function* () {
      const known = z.object({
        id: z.string().refine((id) => Promise.resolve(id === "x"), "Nobody is called so.")
      })
      assert.deepStrictEqual(yield* call(known, { id: "x" }), { id: "x" })
      assert.deepStrictEqual(yield* retry(call(known, { id: "y" })), [
        "arguments",
        `Invalid arguments: Nobody is called so.\n  at ["id"]`
      ])
      const Elsewhere: PromiseConstructor = runInNewContext("Promise")
      const { validate: check } = known["~standard"]
      const later = (value: unknown) => Elsewhere.resolve().then(() => check(value))
      const elsewhere = { "~standard": { ...known["~standard"], validate: later } }
      assert.strictEqual((yield* retry(call(elsewhere, { id: "y" })))[0], "arguments")
      // Not zod: of what fails so, it leaves a rejection that nobody handles.
      const { "~standard": standard } = z.object({ id: z.string() })
      const validate = () => Promise.reject(new TypeError("no database"))
      const broken = { "~standard": { ...standard, validate } }
      assert.strictEqual(yield* defect(call(broken, { id: "x" })), "TypeError: no database")
    })
  )

  it.effect("say all that is wrong, and where", () =>
    Effect.gen(function* () {
      const rows = z.object({
        rows: z.array(z.object({ n: z.number("Not a number.") })),
        all: z.boolean("Say which.")
      })
      assert.deepStrictEqual(yield* retry(call(rows, { rows: [{ n: 1 }, { n: "x" }] })), [
        "arguments",
        `Invalid arguments: Not a number.\n  at ["rows"]["1"]["n"]\nSay which.\n  at ["all"]`
      ])
      const whole = z.object({}).refine(() => false, "Not today.")
      assert.deepStrictEqual(yield* retry(call(whole, {})), ["arguments", "Invalid arguments: Not today."])
    })
  )

  it.effect("stand for themselves as they were sent, since they only decode", () =>
    Effect.gen(function* () {
      const decode = decoding(codec(z.object({ a: z.string().transform((text) => text.length) })))
      const { encoded, raw, value } = yield* decode({ a: "xyz" }).pipe(asCall({}), inRunOf({}))
      assert.deepStrictEqual([value, raw], [{ a: 3 }, { a: "xyz" }])
      assert.deepStrictEqual(yield* encoded().pipe(asCall({}), inRunOf({})), { a: "xyz" })
    })
  )
})
