import { DynamicTool, type StructuredToolInterface, tool as langchainTool } from "@langchain/core/tools"
import { RunnableLambda } from "@langchain/core/runnables"
import { dynamicTool, jsonSchema, tool as aiTool, type ToolSet } from "ai"
import { type } from "arktype"
import { Config, Effect, Redacted } from "effect"
import type { HttpClient, HttpClientError } from "effect/http"
import { ModelRetry, ToolCall, Toolset, type ToolsetDefinitionError } from "effect-toolset"
import * as Aci from "effect-toolset/Aci"
import * as AiSdk from "effect-toolset/AiSdk"
import * as LangChain from "effect-toolset/LangChain"
import { describe, expectTypeOf, it } from "vitest"
import { z } from "zod"
import { Db } from "./fixtures.ts"

describe("AiSdk.fromTools", () => {
  const tools = {
    add: aiTool({ inputSchema: z.object({ a: z.number() }), execute: async ({ a }) => a }),
    yields: aiTool({
      inputSchema: type({ a: "number" }),
      execute: async function* ({ a }) {
        yield a
      }
    }),
    elsewhere: aiTool({ inputSchema: z.object({}), outputSchema: z.string() }),
    dynamic: dynamicTool({ inputSchema: jsonSchema({ type: "object" }), execute: async () => 1 }),
    contextual: aiTool({
      inputSchema: z.object({}),
      contextSchema: z.object({ user: z.string() }),
      execute: async (_, { context }) => context.user
    })
  }

  it("takes what generateText takes", () => {
    expectTypeOf(AiSdk.fromTools(tools)).toEqualTypeOf<Toolset.Toolset>()
    expectTypeOf(AiSdk.fromTools(tools as ToolSet)).toEqualTypeOf<Toolset.Toolset>()
    AiSdk.fromTools(tools, { toolsContext: { contextual: { user: "ada" } }, onError: undefined })
    // @ts-expect-error tools have names
    AiSdk.fromTools([tools.add])
    // @ts-expect-error there is no such policy
    AiSdk.fromTools(tools, { onError: "ignore" })
  })

  it("has what tools throw among its failures only where it was told so", () => {
    expectTypeOf(AiSdk.fromTools(tools, { onError: "fail" })).toEqualTypeOf<
      Toolset.Toolset<AiSdk.AiSdkToolError>
    >()
    expectTypeOf(AiSdk.fromTools(tools, { onError: "recover" })).toEqualTypeOf<Toolset.Toolset>()
    const mode = "fail" as "fail" | "retry"
    expectTypeOf(AiSdk.fromTools(tools, { onError: mode })).toEqualTypeOf<
      Toolset.Toolset<AiSdk.AiSdkToolError>
    >()
  })
})

describe("LangChain.fromTools", () => {
  const add = langchainTool(async ({ a }) => a, { name: "add", schema: z.object({ a: z.number() }) })
  const text = new DynamicTool({ name: "text", description: "", func: async (input) => input })
  const runnable = RunnableLambda.from(async ({ a }: { a: string }) => a).asTool({
    name: "runnable",
    schema: z.object({ a: z.string() })
  })

  it("takes tools of any kind, and toolkits", () => {
    expectTypeOf(LangChain.fromTools([add, text, runnable])).toEqualTypeOf<Toolset.Toolset>()
    const any: ReadonlyArray<StructuredToolInterface> = [add]
    expectTypeOf(LangChain.fromTools(any)).toEqualTypeOf<Toolset.Toolset>()
    expectTypeOf(LangChain.fromTools({ getTools: () => [add, text] })).toEqualTypeOf<Toolset.Toolset>()
    LangChain.fromTools([add], { config: { configurable: { thread_id: "1" } }, onError: undefined })
    // @ts-expect-error a function is no tool
    LangChain.fromTools([async () => 1])
    // @ts-expect-error the signal is that of the call
    LangChain.fromTools([add], { config: { signal: AbortSignal.abort() } })
  })

  it("has what tools throw among its failures only where it was told so", () => {
    expectTypeOf(LangChain.fromTools([add], { onError: "fail" })).toEqualTypeOf<
      Toolset.Toolset<LangChain.LangChainToolError>
    >()
    expectTypeOf(LangChain.fromTools([add], { onError: "recover" })).toEqualTypeOf<Toolset.Toolset>()
  })
})

describe("Aci.make", () => {
  const options = { functions: ["A"], linkedAccountOwnerId: "ada" }
  type Unread = Aci.AciError | Config.ConfigError | ToolsetDefinitionError

  it("reads definitions, and gives a toolset that calls", () => {
    expectTypeOf(Aci.make(options)).toEqualTypeOf<
      Effect.Effect<Toolset.Toolset<never, HttpClient.HttpClient>, Unread, HttpClient.HttpClient>
    >()
    expectTypeOf(Aci.make({ ...options, onError: "fail" })).toEqualTypeOf<
      Effect.Effect<
        Toolset.Toolset<HttpClientError.HttpClientError | Aci.AciFunctionError, HttpClient.HttpClient>,
        Unread,
        HttpClient.HttpClient
      >
    >()
    Aci.make({
      ...options,
      apiKey: Config.succeed(Redacted.make("x")),
      baseUrl: undefined,
      onError: "recover"
    })
    // @ts-expect-error somebody has linked the account
    Aci.make({ functions: ["A"] })
    // @ts-expect-error a key is redacted
    Aci.make({ ...options, apiKey: "x" })
  })

  it("may ask for the owner, who is known to the call", () => {
    const owner = Effect.gen(function* () {
      yield* ToolCall
      yield* Db
      if (Math.random() > 2) return yield* new ModelRetry({ message: "x" })
      return yield* Effect.as(Effect.fail("nobody" as const), "ada")
    })
    expectTypeOf(Aci.make({ functions: ["A"], linkedAccountOwnerId: owner })).toEqualTypeOf<
      Effect.Effect<Toolset.Toolset<"nobody", HttpClient.HttpClient | Db>, Unread, HttpClient.HttpClient>
    >()
  })
})
