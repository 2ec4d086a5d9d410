/** What a preparer demands is checked, or the list says that it cannot be. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type JsonSchema, Schema } from "effect"
import { JsonSchemaValidator, Toolset } from "effect-toolset"
import { flaw, inRunOf, tag } from "./asking.ts"

const paint = Toolset.tool("paint", {
  parameters: Schema.Struct({ color: Schema.String, size: Schema.optionalKey(Schema.Int) }),
  handler: ({ color }) => Effect.succeed(color)
})
const color = (schema: JsonSchema.JsonSchema, more: JsonSchema.JsonSchema = {}) =>
  Toolset.prepared((tools) =>
    tools.map((tool) => ({
      ...tool,
      parameters: { type: "object", properties: { color: schema, size: { type: "integer" } }, ...more }
    }))
  )

describe("what a preparer demands", () => {
  const unreadable: Readonly<Record<string, ReturnType<typeof color>>> = {
    not: color({ type: "string", not: { const: "mauve" } }),
    if: color({ type: "string" }, { if: { required: ["size"] }, else: { required: ["color"] } }),
    dependentRequired: color({ type: "string" }, { dependentRequired: { size: ["color"] } }),
    contains: color({ type: "array", contains: { type: "string" } }),
    "a reference that leads out": color({ $ref: "https://example.com/color.json" }),
    "a reference that leads nowhere": color({ $ref: "#/$defs/Color" }),
    "an object in an enum": color({ enum: [{ red: 1 }] }),
    pattern: color({ type: "string", pattern: "^red$" }),
    patternProperties: color({ type: "string" }, { patternProperties: { "^x-": { type: "string" } } })
  }
  for (const [keyword, prepared] of Object.entries(unreadable)) {
    it.effect(`is refused where the validator cannot check it: ${keyword}`, () =>
      Effect.gen(function* () {
        const { hint, problem, source } = yield* flaw(Toolset.list(paint.pipe(prepared)))
        assert.strictEqual(source, "prepared(tool(paint)) 'paint'")
        assert.include(problem, "The JsonSchemaValidator cannot check the changed parameters. ")
        assert.strictEqual(
          hint,
          "Leave out what it does not read, or provide a JsonSchemaValidator that does."
        )
        const able: JsonSchemaValidator.Compile = () => () => Effect.succeed("no")
        const own = Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, able)
        assert.strictEqual(
          yield* own(tag(Toolset.call(paint.pipe(prepared), "paint", { color: "red" }))),
          "ModelRetry"
        )
      })
    )
  }

  it.effect("is compiled once by a validator of somebody else, in all steps, calls and runs", () =>
    Effect.gen(function* () {
      let compiled = 0
      const counting: JsonSchemaValidator.Compile = () => {
        compiled++
        return () => Effect.undefined
      }
      const parameters = { type: "object", properties: { color: { enum: ["red"] } } }
      const red = Toolset.prepared(paint, (tools) => tools.map((tool) => ({ ...tool, parameters })))
      const twoSteps = Effect.scoped(
        Effect.gen(function* () {
          const session = yield* Toolset.open(red)
          for (const step of [1, 2]) {
            yield* session.tools.pipe(inRunOf({ step }))
            assert.strictEqual(yield* session.call("paint", { color: "red" }), "red")
          }
        })
      ).pipe(Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, counting))
      yield* twoSteps
      yield* twoSteps
      assert.strictEqual(compiled, 1)
    })
  )

  it.effect("is refused where a validator of somebody else fails to read it", () =>
    Effect.gen(function* () {
      const unable: JsonSchemaValidator.Compile = () => JSON.parse("{") as never
      const { problem } = yield* flaw(Toolset.list(paint.pipe(color({ enum: ["red"] })))).pipe(
        Effect.provideService(JsonSchemaValidator.JsonSchemaValidator, unable)
      )
      assert.include(problem, "JSON")
    })
  )

  it.effect("is nothing where it only says it otherwise, whatever the schema is", () =>
    Effect.gen(function* () {
      const parameters = {
        type: "object",
        properties: { description: { type: "string", pattern: "^a", not: { const: "b" } } }
      }
      const told = Toolset.prepared((tools) =>
        tools.map((tool) => ({
          ...tool,
          parameters: {
            ...parameters,
            description: "New.",
            properties: {
              description: { ...parameters.properties.description, title: "T", examples: ["a"], default: "a" }
            }
          }
        }))
      )
      const tools = Toolset.external([{ name: "e", parameters }]).pipe(told)
      const [tool] = yield* Toolset.list(tools)
      assert.strictEqual(tool?.parameters.description, "New.")
      assert.strictEqual(yield* tag(Toolset.call(tools, "e", { description: "a" })), "CallDeferred")
      // A property may be called like a keyword that only describes.
      const { description: _, ...others } = { description: 1, other: { type: "string" } }
      const dropped = Toolset.external([{ name: "e", parameters }]).pipe(
        Toolset.prepared((tools) =>
          tools.map((tool) => ({
            ...tool,
            parameters: { type: "object", properties: others, additionalProperties: false }
          }))
        )
      )
      assert.strictEqual(yield* tag(Toolset.call(dropped, "e", { description: "a" })), "ModelRetry")
    })
  )
})
