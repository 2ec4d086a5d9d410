import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { AnthropicStructuredOutput, type LanguageModel, OpenAiStructuredOutput, Tool } from "effect/ai"
import type { ToolDefinition } from "effect-toolset"
import { Toolset } from "effect-toolset"
import { aiTool, OutputTool } from "../../src/interop/aiTool.ts"

const raw = {
  type: "object",
  properties: {
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], minItems: 2, maxItems: 2 },
    more: { type: "object", additionalProperties: { $ref: "#/$defs/n" } },
    maybe: { anyOf: [{ type: "string", pattern: "^a" }, { type: "null" }] }
  },
  required: ["pair"],
  $defs: { n: { type: "number", exclusiveMinimum: 0 } }
}
const definition: ToolDefinition = {
  name: "search",
  description: "Finds things.",
  parameters: raw,
  kind: "function",
  sequential: false,
  metadata: {},
  annotations: Context.empty()
}

describe("the effect/ai tool of a definition", () => {
  it("is a dynamic one, with its name and description", () => {
    const tool = aiTool(definition)
    assert.isTrue(Tool.isDynamic(tool))
    assert.isFalse(Tool.isUserDefined(tool))
    assert.isFalse(Tool.isProviderDefined(tool))
    assert.strictEqual(tool.name, "search")
    assert.strictEqual(Tool.getDescription(tool), "Finds things.")
    assert.strictEqual(Tool.getDescription(aiTool({ ...definition, description: undefined })), undefined)
  })

  const transformers: ReadonlyArray<[title: string, transform: LanguageModel.CodecTransformer]> = [
    ["OpenAI", OpenAiStructuredOutput.toCodecOpenAI],
    ["Anthropic", AnthropicStructuredOutput.toCodecAnthropic]
  ]

  it("has the JSON Schema of the definition, as it is", () => {
    assert.strictEqual(Tool.getJsonSchema(aiTool(definition)), raw)
    for (const [, transformer] of transformers) {
      assert.deepStrictEqual(Tool.getJsonSchema(aiTool(definition), { transformer }), raw)
    }
  })

  for (const [title, transform] of transformers) {
    it.effect(`survives the codec that a provider derives from it: ${title}`, () =>
      Effect.gen(function* () {
        const { codec, jsonSchema } = transform(aiTool(definition).parametersSchema)
        assert.deepInclude(jsonSchema, { type: "object" })
        // What the model sends comes out unchanged, whatever it is.
        for (const args of [{ pair: ["a", 1], more: { x: 2 } }, {}, { pair: "wrong" }, "{}", null, 3]) {
          const decoded = yield* Schema.decodeUnknownEffect(codec as Schema.Codec<unknown>)(args)
          assert.deepStrictEqual(decoded, args)
        }
      })
    )
  }

  it.effect("survives them for the tools of every kind of parameters", () =>
    Effect.gen(function* () {
      const Tree: Schema.Codec<any> = Schema.Struct({
        value: Schema.Int,
        children: Schema.Array(Schema.suspend(() => Tree))
      }).annotate({ identifier: "Tree" })
      const of = (name: string, parameters?: Schema.Codec<any, any>) =>
        Toolset.tool(name, { parameters: parameters as never, handler: () => Effect.void })
      const definitions = yield* Toolset.list(
        Toolset.combined(
          of("none"),
          of("recursive", Tree),
          of("record", Schema.Record(Schema.String, Schema.Int)),
          of("union", Schema.Union([Schema.Struct({ a: Schema.Int }), Schema.Struct({ b: Schema.Int })])),
          Toolset.external([{ name: "external", parameters: raw }])
        )
      )
      for (const definition of definitions) {
        const tool = aiTool(definition)
        assert.strictEqual(Tool.getJsonSchema(tool), definition.parameters)
        for (const [, transform] of transformers) transform(tool.parametersSchema)
      }
    })
  )

  it("is not strict, unless the definition says so", () => {
    assert.isFalse(Tool.getStrictMode(aiTool({ ...definition })))
    const annotations = Context.make(Tool.Strict, true) as Context.Context<never>
    assert.isTrue(Tool.getStrictMode(aiTool({ ...definition, annotations })))
  })

  it("has the annotations of the definition", () => {
    const annotations = Context.make(Tool.Title, "Search").pipe(
      Context.add(Tool.Readonly, true)
    ) as Context.Context<never>
    const tool = aiTool({ ...definition, annotations })
    assert.strictEqual(Context.get(tool.annotations as Context.Context<Tool.Title>, Tool.Title), "Search")
    assert.isTrue(Context.get(tool.annotations, Tool.Readonly))
    assert.isTrue(Context.get(tool.annotations, Tool.Destructive))
  })

  it("says whether a call of it ends the run", () => {
    const isOutput = (kind: ToolDefinition["kind"]) =>
      Context.get(aiTool({ ...definition, kind }).annotations, OutputTool)
    assert.deepStrictEqual((["function", "external", "unapproved", "output"] as const).map(isOutput), [
      false,
      false,
      false,
      true
    ])
  })

  it("is the same one for the same definition, and another for another", () => {
    assert.strictEqual(aiTool(definition), aiTool(definition))
    assert.notStrictEqual(aiTool(definition), aiTool({ ...definition }))
  })

  it("has schemas that all of them share, so that effect/ai has nothing to derive anew", () => {
    const [one, other] = [aiTool(definition), aiTool({ ...definition, name: "other" })]
    assert.strictEqual(one.parametersSchema, other.parametersSchema)
    assert.strictEqual(one.successSchema, other.successSchema)
  })
})
