import { Context, Effect, type ManagedRuntime } from "effect"
import { Toolset, type ToolsetError } from "effect-toolset"
import * as AiSdk from "effect-toolset/AiSdk"
import * as Neutral from "effect-toolset/Neutral"
import { generateText, type LanguageModel } from "ai"
import { describe, expectTypeOf, it } from "vitest"

class City extends Context.Service<City, string>()("City") {}
declare const model: LanguageModel
declare const runtime: ManagedRuntime.ManagedRuntime<City, never>

const here = Toolset.tool("here", {
  handler: () =>
    Effect.flatMap(City, (city) => (city === "" ? Effect.fail("nowhere" as const) : Effect.succeed(city)))
})

describe("Neutral", () => {
  it("needs what the toolset needs and fails with what it fails with", () => {
    expectTypeOf(Neutral.run(here, async () => 1)).toEqualTypeOf<
      Effect.Effect<number, "nowhere" | Neutral.CallError | Neutral.FrameworkError | ToolsetError, City>
    >()
  })

  it("takes the promise of a framework", () => {
    const program = Neutral.run(here, (run) =>
      generateText({ model, prompt: "Go.", ...AiSdk.toOptions(run) })
    )
    expectTypeOf<Effect.Success<typeof program>["text"]>().toEqualTypeOf<string>()
  })

  it("is a promise with a runtime for what the toolset needs", () => {
    expectTypeOf(Neutral.runPromise(here, async () => 1, { runtime })).toEqualTypeOf<Promise<number>>()
    expectTypeOf(Neutral.runPromise(Toolset.empty, async () => 1)).toEqualTypeOf<Promise<number>>()
    // @ts-expect-error: nobody gives the city
    void Neutral.runPromise(here, async () => 1)
  })
})
