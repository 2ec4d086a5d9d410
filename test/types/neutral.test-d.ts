import type { Agent as MastraAgent } from "@mastra/core/agent"
import { Agent, Runner } from "@openai/agents"
import { Context, Effect, type ManagedRuntime } from "effect"
import { Toolset, type ToolsetError } from "effect-toolset"
import * as AiSdk from "effect-toolset/AiSdk"
import * as LangChainAgent from "effect-toolset/LangChainAgent"
import * as Mastra from "effect-toolset/Mastra"
import * as Neutral from "effect-toolset/Neutral"
import * as OpenAiAgents from "effect-toolset/OpenAiAgents"
import { generateText, type LanguageModel } from "ai"
import { createAgent, createMiddleware } from "langchain"
import { describe, expectTypeOf, it } from "vitest"
import { z } from "zod"

class City extends Context.Service<City, string>()("City") {}
declare const model: LanguageModel
declare const mastraAgent: MastraAgent
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

  it("leaves what each framework infers as it is", () => {
    const schema = z.object({ n: z.number() })
    const openAi = Neutral.run(here, async (run) => {
      const agent = new Agent<{ readonly user: string }, typeof schema>({
        name: "Agent",
        outputType: schema,
        tools: OpenAiAgents.toTools(run)
      })
      const options = { ...OpenAiAgents.toOptions(run), context: { user: "me" } }
      return (await new Runner().run(agent, "Go.", options)).finalOutput
    })
    expectTypeOf<Effect.Success<typeof openAi>>().toEqualTypeOf<{ n: number } | undefined>()

    const langChain = Neutral.run(here, async (run) => {
      const { middleware, tools } = LangChainAgent.toOptions(run)
      const counting = createMiddleware({ name: "Counting", stateSchema: z.object({ count: z.number() }) })
      const agent = createAgent({
        model: "a model",
        tools,
        middleware: [...middleware, counting],
        responseFormat: schema
      })
      const { count, structuredResponse } = await agent.invoke({ messages: "Go.", count: 0 })
      return { count, ...structuredResponse }
    })
    expectTypeOf<Effect.Success<typeof langChain>>().toEqualTypeOf<{ n: number; count: number }>()

    const mastra = Neutral.run(here, async (run) => {
      const options = { ...Mastra.toOptions(run), structuredOutput: { schema } }
      return (await mastraAgent.generate("Go.", options)).object
    })
    expectTypeOf<Effect.Success<typeof mastra>>().toEqualTypeOf<{ n: number }>()
  })

  it("is a promise with a runtime for what the toolset needs", () => {
    expectTypeOf(Neutral.runPromise(here, async () => 1, { runtime })).toEqualTypeOf<Promise<number>>()
    expectTypeOf(Neutral.runPromise(Toolset.empty, async () => 1)).toEqualTypeOf<Promise<number>>()
    // @ts-expect-error: nobody gives the city
    void Neutral.runPromise(here, async () => 1)
  })
})
