/** What a tool of the AI SDK is as a tool of a toolset. */
import { assert, describe, it } from "@effect/vitest"
import { toStandardJsonSchema } from "@valibot/to-json-schema"
import { asSchema, dynamicTool, jsonSchema, type Tool as SdkTool, tool, type ToolSet } from "ai"
import { type } from "arktype"
import { Context, Effect, Schema } from "effect"
import { Tool } from "effect/ai"
import { ToolNameConflict, Toolset } from "effect-toolset"
import * as AiSdk from "effect-toolset/AiSdk"
import * as v from "valibot"
import * as z from "zod"
import { z as z3 } from "zod/v3"
import { first, flaw, names } from "../toolset/asking.ts"

const execute = async () => "done"
const only = (fields: object): Toolset.Toolset =>
  AiSdk.fromTools({ t: { inputSchema: jsonSchema({ type: "object" }), execute, ...fields } as never })
const definitionOf = (inputSchema: unknown) => first(only({ inputSchema }))

const a = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false
}

describe("a tool of the AI SDK", () => {
  it.effect("keeps its key, its description and the order", () =>
    Effect.gen(function* () {
      const tools = AiSdk.fromTools({
        b: tool({ description: "The b.", inputSchema: z.object({}), execute }),
        a: tool({ inputSchema: z.object({}), execute })
      })
      assert.deepStrictEqual(yield* names(tools), ["b", "a"])
      const listed = yield* Toolset.list(tools)
      assert.deepStrictEqual(
        listed.map(({ description, kind, sequential }) => [description, kind, sequential]),
        [
          ["The b.", "function", false],
          [undefined, "function", false]
        ]
      )
      assert.strictEqual(tools.label, "aiSdk")
    })
  )

  const schemas: ReadonlyArray<[library: string, schema: unknown]> = [
    ["zod", z.object({ a: z.string() })],
    ["zod 3", z3.object({ a: z3.string() })],
    ["ArkType", type({ a: "string" })],
    ["valibot", toStandardJsonSchema(v.object({ a: v.string() }))],
    ["jsonSchema", jsonSchema(a as never)],
    ["jsonSchema, promised", jsonSchema(Promise.resolve(a) as never)],
    ["jsonSchema, lazy", jsonSchema(() => a as never)],
    ["a lazy schema", () => jsonSchema(a as never)]
  ]
  for (const [library, schema] of schemas) {
    it.effect(`has the schema that the AI SDK shows: ${library}`, () =>
      Effect.gen(function* () {
        const { parameters } = yield* definitionOf(schema)
        assert.deepStrictEqual(parameters, a)
        const { $schema: _, ...shown } = yield* Effect.promise(async () => ({
          ...(await asSchema(schema as never).jsonSchema)
        }))
        assert.deepStrictEqual(shown as unknown, a)
      })
    )
  }

  it.effect("has it in draft 2020-12, with all that it says", () =>
    Effect.gen(function* () {
      const { parameters } = yield* definitionOf(
        jsonSchema({
          $schema: "http://json-schema.org/draft-07/schema#",
          type: "object",
          definitions: { N: { type: "object", properties: { next: { $ref: "#/definitions/N" } } } },
          properties: {
            n: { $ref: "#/definitions/N" },
            pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
            mail: { type: "string", format: "email", pattern: "@", examples: ["a@b"], default: "a@b" }
          }
        })
      )
      assert.deepStrictEqual(parameters, {
        type: "object",
        properties: {
          n: { $ref: "#/$defs/N" },
          pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
          mail: { type: "string", format: "email", pattern: "@", examples: ["a@b"], default: "a@b" }
        },
        $defs: { N: { type: "object", properties: { next: { $ref: "#/$defs/N" } } } }
      })
    })
  )

  it.effect("shows what is taken: a default is not required, a transform is what it takes", () =>
    Effect.gen(function* () {
      const { parameters } = yield* definitionOf(
        z.object({ n: z.number().default(3), s: z.string().transform((text) => text.length) })
      )
      assert.deepStrictEqual(parameters, {
        type: "object",
        properties: { n: { type: "number", default: 3 }, s: { type: "string" } },
        required: ["s"],
        additionalProperties: false
      })
    })
  )

  it.effect("may contain itself, and be one of effect's own", () =>
    Effect.gen(function* () {
      const tree = z.object({
        name: z.string(),
        get kids() {
          return z.array(tree)
        }
      })
      const tools = only({ inputSchema: tree, execute: (input: unknown) => input })
      assert.deepStrictEqual((yield* first(tools)).parameters.properties, {
        name: { type: "string" },
        kids: { type: "array", items: { $ref: "#" } }
      })
      const args = { name: "a", kids: [{ name: "b", kids: [] }] }
      assert.deepStrictEqual(yield* Toolset.call(tools, "t", args), args)
      const own = Schema.toStandardSchemaV1(
        Schema.toStandardJSONSchemaV1(Schema.toCodecJson(Schema.Struct({ at: Schema.Date })))
      )
      const dated = only({ inputSchema: own, execute: ({ at }: { at: Date }) => at.getTime() })
      assert.strictEqual(yield* Toolset.call(dated, "t", { at: "1970-01-01T00:00:00.007Z" }), 7)
    })
  )

  it.effect("may be a union of objects", () =>
    Effect.gen(function* () {
      const union = z.discriminatedUnion("k", [
        z.object({ k: z.literal("a") }),
        z.object({ k: z.literal("b") })
      ])
      const { parameters } = yield* definitionOf(union)
      assert.strictEqual(parameters.type, "object")
      assert.lengthOf(parameters.oneOf as ReadonlyArray<unknown>, 2)
    })
  )

  it.effect("has a copy that nobody can change, and leaves the source as it was", () =>
    Effect.gen(function* () {
      const source = { type: "object" as const, properties: { a: { type: "string" as const } } }
      const before = structuredClone(source)
      const { parameters } = yield* definitionOf(jsonSchema(source))
      assert.throws(() => Object.assign(parameters, { type: "array" }), TypeError)
      assert.throws(() => Object.assign(parameters.properties as object, { b: {} }), TypeError)
      assert.deepStrictEqual(source, before)
      source.properties.a.type = "number" as never
      assert.deepStrictEqual(parameters, before)
    })
  )

  it.effect("is the same tool each time it is listed", () =>
    Effect.gen(function* () {
      const tools = only({ inputSchema: z.object({}) })
      assert.strictEqual(yield* first(tools), yield* first(tools))
    })
  )

  it.effect("has a name that providers accept; the same name twice is a conflict", () =>
    Effect.gen(function* () {
      const long = "x".repeat(70)
      const t = tool({ inputSchema: z.object({}), execute })
      const [valid, cut, empty] = yield* names(AiSdk.fromTools({ "files.read me": t, [long]: t, "": t }))
      assert.strictEqual(valid, "files_read_me")
      assert.match(cut!, /^x{55}_[0-9a-f]{8}$/)
      assert.strictEqual(empty, "_")
      const error = yield* Effect.flip(Toolset.list(AiSdk.fromTools({ "a.b": t, "a b": t })))
      assert.instanceOf(error, ToolNameConflict)
      assert.deepStrictEqual(error.sources, ["aiSdk(a.b)", "aiSdk(a b)"])
    })
  )

  it.effect("keeps what it says of itself as metadata and annotations", () =>
    Effect.gen(function* () {
      const { annotations, metadata } = yield* first(
        only({
          title: "A tool",
          strict: true,
          metadata: { server: "files" },
          providerOptions: { openai: { x: 1 } },
          inputExamples: [{ input: {} }],
          deferLoading: true
        })
      )
      assert.deepStrictEqual(metadata, {
        server: "files",
        aiSdk: {
          name: "t",
          deferLoading: true,
          inputExamples: [{ input: {} }],
          providerOptions: { openai: { x: 1 } }
        }
      })
      assert.isTrue(Context.get(annotations, Tool.Strict))
      assert.strictEqual(
        Context.getOrUndefined(annotations as Context.Context<Tool.Title>, Tool.Title),
        "A tool"
      )
      assert.deepStrictEqual((yield* first(only({}))).metadata, { aiSdk: { name: "t" } })
    })
  )

  it.effect("has the schema of its results, where the model sees them as they are", () =>
    Effect.gen(function* () {
      const outputSchema = z.object({ sum: z.number() })
      const { returns } = yield* first(only({ outputSchema }))
      assert.deepStrictEqual(returns?.properties, { sum: { type: "number" } })
      const toModelOutput = () => ({ type: "text", value: "" })
      assert.isUndefined((yield* first(only({ outputSchema, toModelOutput }))).returns)
      assert.isUndefined((yield* first(only({ outputSchema: z.object({ at: z.date() }) }))).returns)
    })
  )

  it.effect("may describe itself by its context", () =>
    Effect.gen(function* () {
      const described = {
        inputSchema: z.object({}),
        contextSchema: z.object({ city: z.string(), unit: z.string().default("C") }),
        description: ({ context }: { context: { city: string; unit: string } }) =>
          `The weather in ${context.city}, in °${context.unit}.`,
        execute
      } as unknown as SdkTool
      const given = (toolsContext: Readonly<Record<string, unknown>>) =>
        AiSdk.fromTools({ t: described } as ToolSet, { toolsContext })
      assert.strictEqual(
        (yield* first(given({ t: { city: "Oslo" } }))).description,
        "The weather in Oslo, in °C."
      )
      assert.deepStrictEqual(yield* flaw(Toolset.list(given({}))), {
        source: "aiSdk(t)",
        problem: "Its context does not fit its `contextSchema`.",
        hint: "Give one in `toolsContext`, under the name of the tool."
      })
      const failing = only({ description: ({ context }: { context: { city: string } }) => context.city })
      assert.match(
        (yield* flaw(Toolset.list(failing))).problem,
        /^Its `description` cannot be asked: Cannot read properties of undefined/
      )
    })
  )

  it.effect("may be one whose types are not known: they are at run time", () =>
    Effect.gen(function* () {
      const dynamic = dynamicTool({
        description: "Adds.",
        inputSchema: jsonSchema({ type: "object", properties: { n: { type: "number" } }, required: ["n"] }),
        execute: async (input) => (input as { n: number }).n + 1
      })
      assert.strictEqual(yield* Toolset.call(AiSdk.fromTools({ dynamic }), "dynamic", { n: 1 }), 2)
    })
  )
})
