import { Effect } from "effect"
import { JsonSchemaValidator, type ToolDefinition, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"

describe("external", () => {
  it("fails with nothing and needs nothing", () => {
    const definitions: ReadonlyArray<ToolDefinition.External> = []
    expectTypeOf(Toolset.external(definitions)).toEqualTypeOf<Toolset.Toolset>()
    expectTypeOf(Toolset.external([])).toEqualTypeOf<Toolset.Toolset>()
  })

  it("takes definitions in JSON, with undefined for what is not said", () => {
    Toolset.external([
      { name: "a" },
      { name: "b", description: undefined, parameters: undefined, returns: undefined, metadata: undefined },
      {
        name: "c",
        parameters: { type: "object", properties: { x: { type: "string" } } },
        metadata: { team: 1 }
      }
    ])
    // @ts-expect-error a definition has a name
    Toolset.external([{ parameters: { type: "object" } }])
    // @ts-expect-error its kind is said by being here
    Toolset.external([{ name: "a", kind: "function" }])
    // @ts-expect-error one definition is a list of one
    Toolset.external({ name: "a" })
  })
})

describe("JsonSchemaValidator", () => {
  it("is a reference, so that its user needs nothing", () => {
    const strict: JsonSchemaValidator.Compile = (schema) => {
      expectTypeOf(schema.type).toEqualTypeOf<unknown>()
      return (value) => Effect.succeed(value === undefined ? "There is nothing." : undefined)
    }
    const { JsonSchemaValidator: key } = JsonSchemaValidator
    expectTypeOf(Effect.service(key)).toEqualTypeOf<Effect.Effect<JsonSchemaValidator.Compile>>()
    expectTypeOf(Effect.provideService(Effect.void, key, strict)).toEqualTypeOf<Effect.Effect<void>>()
  })
})
