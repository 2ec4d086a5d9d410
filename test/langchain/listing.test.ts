/** What a tool of LangChain.js is as a tool of a toolset. */
import { assert, describe, it } from "@effect/vitest"
import { toStandardJsonSchema } from "@valibot/to-json-schema"
import { RunnableLambda } from "@langchain/core/runnables"
import { BaseToolkit, DynamicTool, StructuredTool, tool } from "@langchain/core/tools"
import { type } from "arktype"
import { Effect } from "effect"
import { CallDeferred, ToolNameConflict, Toolset } from "effect-toolset"
import * as LangChain from "effect-toolset/LangChain"
import * as v from "valibot"
import * as z from "zod"
import { z as z3 } from "zod/v3"
import { first, flaw, names } from "../toolset/asking.ts"
import { named, only } from "./tools.ts"

const a = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }

class Multiply extends StructuredTool {
  name = "multiply"
  description = "Multiplies."
  schema = z.object({ a: z.number(), b: z.number() })
  override async _call({ a, b }: { a: number; b: number }) {
    return a * b
  }
}

describe("a tool of LangChain.js", () => {
  it.effect("keeps its name, its description and the order", () =>
    Effect.gen(function* () {
      const described = tool(async () => 1, { name: "b", description: "The b.", schema: z.object({}) })
      const tools = LangChain.fromTools([described, named("a")])
      const listed = yield* Toolset.list(tools)
      assert.deepStrictEqual(
        listed.map(({ description, kind, name, sequential }) => [name, description, kind, sequential]),
        [
          ["b", "The b.", "function", false],
          ["a", "a tool", "function", false]
        ]
      )
      assert.strictEqual(tools.label, "langchain")
    })
  )

  const schemas: ReadonlyArray<[library: string, schema: unknown, shown: unknown]> = [
    ["zod", z.object({ a: z.string() }), a],
    ["zod, closed", z.strictObject({ a: z.string() }), { ...a, additionalProperties: false }],
    ["zod 3", z3.object({ a: z3.string() }), { ...a, additionalProperties: false }],
    ["ArkType", type({ a: "string" }), a],
    ["valibot", toStandardJsonSchema(v.object({ a: v.string() })), a],
    ["JSON Schema", a, a]
  ]
  for (const [library, schema, shown] of schemas) {
    it.effect(`has the schema that its library says: ${library}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* first(only(async () => 1, { schema }))).parameters, shown)
      })
    )
  }

  it.effect("shows what is taken: a default is not required, a transform is what it takes", () =>
    Effect.gen(function* () {
      const schema = z.object({ n: z.number().default(3), s: z.string().transform((text) => text.length) })
      assert.deepStrictEqual((yield* first(only(async () => 1, { schema }))).parameters, {
        type: "object",
        properties: { n: { type: "number", default: 3 }, s: { type: "string" } },
        required: ["s"]
      })
    })
  )

  it.effect("has it in draft 2020-12", () =>
    Effect.gen(function* () {
      const schema = {
        type: "object",
        definitions: { N: { type: "object", properties: { next: { $ref: "#/definitions/N" } } } },
        properties: { n: { $ref: "#/definitions/N" } }
      }
      assert.deepStrictEqual((yield* first(only(async () => 1, { schema }))).parameters, {
        type: "object",
        properties: { n: { $ref: "#/$defs/N" } },
        $defs: { N: { type: "object", properties: { next: { $ref: "#/$defs/N" } } } }
      })
    })
  )

  it.effect("has a copy that nobody can change, and leaves the source as it was", () =>
    Effect.gen(function* () {
      const schema = structuredClone(a)
      const { parameters } = yield* first(only(async () => 1, { schema }))
      assert.throws(() => Object.assign(parameters.properties as object, { b: {} }), TypeError)
      assert.deepStrictEqual(schema, a)
      schema.properties.a.type = "number"
      assert.deepStrictEqual(parameters, a)
    })
  )

  it.effect("may be made in any of the ways that there are", () =>
    Effect.gen(function* () {
      const runnable = RunnableLambda.from(async ({ a }: { a: string }) => ({ out: a })).asTool({
        name: "runnable",
        description: "Runs.",
        schema: z.object({ a: z.string() })
      })
      const text = new DynamicTool({
        name: "text",
        description: "Takes a text.",
        func: async (input) => `got ${input}`
      })
      const ofText = tool(async (input) => `heard ${input}`, { name: "ofText", schema: z.string() })
      const tools = LangChain.fromTools([new Multiply(), runnable, text, ofText])
      const listed = yield* Toolset.list(tools)
      assert.deepStrictEqual(
        listed.map(({ description, name }) => [name, description]),
        [
          ["multiply", "Multiplies."],
          ["runnable", "Runs."],
          ["text", "Takes a text."],
          ["ofText", "ofText tool"]
        ]
      )
      const input = { type: "object", properties: { input: { type: "string" } }, additionalProperties: false }
      assert.deepStrictEqual([listed[2]!.parameters, listed[3]!.parameters], [input, input])
      assert.strictEqual(yield* Toolset.call(tools, "multiply", { a: 6, b: 7 }), 42)
      assert.deepStrictEqual(yield* Toolset.call(tools, "runnable", { a: "x" }), { out: "x" })
      assert.strictEqual(yield* Toolset.call(tools, "text", { input: "x" }), "got x")
      assert.strictEqual(yield* Toolset.call(tools, "ofText", { input: "x" }), "heard x")
    })
  )

  it.effect("that cannot be invoked runs elsewhere", () =>
    Effect.gen(function* () {
      const tools = LangChain.fromTools([{ name: "locate", schema: z.object({}) }])
      assert.strictEqual((yield* first(tools)).kind, "external")
      assert.instanceOf(yield* Effect.flip(Toolset.call(tools, "locate", {})), CallDeferred)
    })
  )

  it.effect("has a name that providers accept; the same name twice is a conflict", () =>
    Effect.gen(function* () {
      const long = "x".repeat(70)
      const [valid, cut] = yield* names(LangChain.fromTools([named("files.read me"), named(long)]))
      assert.strictEqual(valid, "files_read_me")
      assert.match(cut!, /^x{55}_[0-9a-f]{8}$/)
      const error = yield* Effect.flip(Toolset.list(LangChain.fromTools([named("a"), named("a")])))
      assert.instanceOf(error, ToolNameConflict)
      assert.deepStrictEqual(error.sources, ["langchain(a)", "langchain(a)"])
    })
  )

  it.effect("keeps what it says of itself as metadata", () =>
    Effect.gen(function* () {
      const fields = {
        metadata: { server: "files" },
        extras: { cache: true },
        tags: ["disk"],
        returnDirect: true
      }
      assert.deepStrictEqual((yield* first(only(async () => 1, fields))).metadata, {
        server: "files",
        langchain: { name: "t", returnDirect: true, tags: ["disk"], extras: { cache: true } }
      })
      assert.deepStrictEqual((yield* first(only(async () => 1))).metadata.langchain, { name: "t" })
    })
  )

  it.effect("is the same tool each time it is listed", () =>
    Effect.gen(function* () {
      const tools = only(async () => 1)
      assert.strictEqual(yield* first(tools), yield* first(tools))
    })
  )
})

describe("what cannot be a tool", () => {
  const rootless: ReadonlyArray<[what: string, schema: unknown]> = [
    ["a list of zod", z.array(z.string())],
    ["a list of JSON Schema", { type: "array", items: {} }],
    ["a number of zod 3", z3.number()]
  ]
  for (const [what, schema] of rootless) {
    it.effect(`is what takes no object: ${what}`, () =>
      Effect.gen(function* () {
        const { problem, source } = yield* flaw(Toolset.list(only(async () => 1, { schema })))
        assert.strictEqual(source, "langchain(t)")
        assert.match(problem, /^The root of its parameters is /)
      })
    )
  }

  it.effect("is what has no JSON form", () =>
    Effect.gen(function* () {
      const schema = z.object({ at: z.date() })
      const { problem } = yield* flaw(Toolset.list(only(async () => 1, { schema })))
      assert.match(problem, /^Its `schema` cannot be printed as JSON Schema: .*Date/)
    })
  )
})

describe("a toolkit", () => {
  class Files extends BaseToolkit {
    tools = [named("read"), named("write")]
  }

  it.effect("is the toolset of its tools", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names(LangChain.fromTools(new Files())), ["read", "write"])
    })
  )

  it.effect("is asked once for each time it is opened", () =>
    Effect.gen(function* () {
      let asked = 0
      const tools = LangChain.fromTools({ getTools: () => [named(`tool_${++asked}`)] })
      const twice = Toolset.combined(Toolset.prefixed(tools, "a"), Toolset.prefixed(tools, "b"))
      assert.deepStrictEqual(yield* names(twice), ["a_tool_1", "b_tool_1"])
      assert.deepStrictEqual(yield* names(tools), ["tool_2"])
    })
  )

  it.effect("that cannot be asked is put together wrongly", () =>
    Effect.gen(function* () {
      const getTools = () => {
        throw new Error("no database")
      }
      assert.deepStrictEqual(yield* flaw(Toolset.list(LangChain.fromTools({ getTools }))), {
        source: "langchain",
        problem: "The toolkit cannot be asked for its tools: no database",
        hint: "See what its `getTools` needs."
      })
    })
  )
})
