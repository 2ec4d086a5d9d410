import { Effect, Schema } from "effect"
import { ToolReturn, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { flag } from "./fixtures.ts"

const Sky = Schema.Literals(["clear", "rain"])

describe("the result of a handler", () => {
  it("is of the type of success", () => {
    Toolset.tool("literal", { success: Sky, handler: (_) => Effect.succeed("clear") })
    Toolset.tool("date", { success: Schema.Date, handler: () => Effect.succeed(new Date(0)) })
    // @ts-expect-error not what `success` says
    Toolset.tool("wrong", { success: Schema.String, handler: () => Effect.succeed(1) })
    // @ts-expect-error not the encoded side of what `success` says
    Toolset.tool("encoded", { success: Schema.FiniteFromString, handler: () => Effect.succeed("1") })
    // @ts-expect-error nothing is not what `success` says
    Toolset.tool("nothing", { success: Schema.String, handler: () => Effect.void })
  })

  it("is whatever it is without success", () => {
    expectTypeOf(
      Toolset.tool("any", { handler: () => Effect.succeed([1, "a"]) })
    ).toEqualTypeOf<Toolset.Toolset>()
    expectTypeOf(Toolset.tool("void", { handler: () => Effect.void })).toEqualTypeOf<Toolset.Toolset>()
  })

  it("is whatever it is where success is said to be none", () => {
    expectTypeOf(
      Toolset.tool("any", { success: undefined, handler: () => Effect.succeed(1) })
    ).toEqualTypeOf<Toolset.Toolset>()
  })

  it("may be rich, always or sometimes", () => {
    Toolset.tool("rich", {
      success: Schema.Finite,
      handler: () => Effect.succeed(new ToolReturn({ value: 1, metadata: { cost: 2 } }))
    })
    Toolset.tool("sometimes", {
      success: Schema.Finite,
      handler: () => Effect.succeed(flag ? 1 : new ToolReturn({ value: 1 }))
    })
    const text = Effect.succeed(new ToolReturn({ value: "1" }))
    // @ts-expect-error the value of a rich result is of that type too
    Toolset.tool("wrong", { success: Schema.Finite, handler: () => text })
  })

  it("widens beside an inline schema in a function without parameters, unless it says `as const`", () => {
    Toolset.tool("literal", {
      success: Schema.Literals(["clear", "rain"]),
      handler: () => Effect.succeed("clear" as const)
    })
    Toolset.tool("literal", {
      success: Schema.Literals(["clear", "rain"]),
      // @ts-expect-error a known limit of TypeScript: the literal widens before `success` is known
      handler: (_) => Effect.succeed("clear")
    })
    // @ts-expect-error and here too, though the schema has a name
    Toolset.tool("literal", { success: Sky, handler: () => Effect.succeed("clear") })
  })
})

describe("ToolReturn", () => {
  it("is of its value, covariantly", () => {
    expectTypeOf(new ToolReturn({ value: 1 })).toEqualTypeOf<ToolReturn<number>>()
    expectTypeOf<ToolReturn<"a">>().toExtend<ToolReturn<string>>()
    expectTypeOf<ToolReturn<string>>().not.toExtend<ToolReturn<"a">>()
    expectTypeOf<ToolReturn["value"]>().toEqualTypeOf<unknown>()
  })

  it("takes undefined for what is not said", () => {
    expectTypeOf(
      new ToolReturn({ value: "a", content: undefined, metadata: undefined, modelOutput: undefined })
    ).toEqualTypeOf<ToolReturn<string>>()
    // @ts-expect-error but it always has a value
    expectTypeOf(new ToolReturn({ metadata: {} })).toEqualTypeOf<ToolReturn>()
  })
})
