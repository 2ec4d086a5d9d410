/** Runs with tools of the AI SDK. */
import { assert, describe, it } from "@effect/vitest"
import { tool } from "ai"
import { Effect, Schema, Stream } from "effect"
import { Prompt } from "effect/ai"
import { Agent, DeferredToolRequests, DeferredToolResults } from "effect-toolset"
import * as AiSdk from "effect-toolset/AiSdk"
import { ScriptedModel, TestModel, ToolsetLaws } from "effect-toolset/testing"
import * as z from "zod"
import { messagesBefore } from "../../src/aisdk/messages.ts"
import { resultsIn } from "../agent/answers.ts"
import { readsTheOutcomes, runsTheChain } from "../frameworks/chain.ts"
import { tools } from "./tools.ts"

const { calls, layer, text } = ScriptedModel
const city = z.object({ city: z.string() })

const weather = AiSdk.fromTools({
  temperature_celsius: tool({ inputSchema: city, execute: async () => 21 }),
  temperature_fahrenheit: tool({ inputSchema: city, execute: async () => 69.8 }),
  conditions: tool({
    inputSchema: city,
    execute: async ({ city }) => {
      if (city === "Atlantis") throw new Error("It has sunk.")
      return `It's raining in ${city}`
    }
  })
})

describe("an agent", () => {
  it.effect("runs the weather chain: prefixed, filtered, renamed", () => runsTheChain(weather))

  it.effect("reads each of the outcomes", () => {
    const execute = (): Promise<string> => Promise.reject(new Error("Disk full."))
    const fail = tool({ inputSchema: z.object({}), execute })
    return readsTheOutcomes(weather, AiSdk.fromTools({ fail }, { onError: "recover" }))
  })

  it.effect("ends with the error of a tool that fails, after one request", () =>
    Effect.gen(function* () {
      const cause = new Error("Disk full.")
      const failing = AiSdk.fromTools(
        { fail: tool({ inputSchema: z.object({}), execute: (): Promise<string> => Promise.reject(cause) }) },
        { onError: "fail" }
      )
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [failing] }), { prompt: "Go." }))
      assert.instanceOf(error, AiSdk.AiSdkToolError)
      assert.strictEqual(error.cause, cause)
      assert.lengthOf(yield* ScriptedModel.requests, 1)
    }).pipe(Effect.provide(layer([calls({ fail: {} }), text("Never said.")])))
  )

  it.effect("asks for approval, and hands over what runs elsewhere", () =>
    Effect.gen(function* () {
      const toolset = AiSdk.fromTools({
        book: tool({ inputSchema: city, needsApproval: true, execute: async ({ city }) => `booked ${city}` }),
        locate: tool({ inputSchema: z.object({}), outputSchema: z.string() })
      })
      const agent = Agent.make({ toolsets: [toolset], output: [Schema.String, DeferredToolRequests] })
      const first = yield* Agent.run(agent, { prompt: "Book." })
      assert.instanceOf(first.output, DeferredToolRequests)
      assert.deepStrictEqual(
        [first.output.approvals, first.output.calls].map((calls) => calls.map((call) => call.toolName)),
        [["book"], ["locate"]]
      )
      const deferredResults = DeferredToolResults.from(first.output, {
        approveAll: true,
        calls: { [first.output.calls[0]!.toolCallId]: "Oslo" }
      })
      const { messages, output } = yield* Agent.run(agent, { history: first.messages, deferredResults })
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(resultsIn(messages), [
        ["book", "booked Rome"],
        ["locate", "Oslo"]
      ])
    }).pipe(Effect.provide(layer([calls({ book: { city: "Rome" }, locate: {} }), text("Done.")])))
  )

  it.effect("streams the progress of what yields", () =>
    Effect.gen(function* () {
      const counting = AiSdk.fromTools({
        count: tool({
          inputSchema: z.object({}),
          execute: async function* () {
            yield 1
            yield 2
          }
        })
      })
      const events = yield* Stream.runCollect(
        Agent.stream(Agent.make({ toolsets: [counting] }), { prompt: "Count." })
      )
      const progress = Array.from(events).flatMap((event) =>
        event._tag === "ToolProgress" ? [event.value] : []
      )
      assert.deepStrictEqual(progress, [1, 2])
    }).pipe(Effect.provide(layer([calls({ count: {} }), text("Two.")])))
  )
})

describe("the laws of toolsets", () => {
  it.effect("hold", () =>
    ToolsetLaws.check(weather, {
      calls: { conditions: { city: "Oslo" }, temperature_celsius: { city: "Oslo" } }
    })
  )

  it.effect("hold for any of its tools: TestModel calls them all", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.run(Agent.make({ toolsets: [weather] }), { prompt: "Weather?" })
      assert.include(output, '"temperature_celsius":21')
    }).pipe(Effect.provide(TestModel.layer()))
  )
})

describe("what a tool knows of the history", () => {
  it.effect("is what the model was sent before the call, without the system's messages", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const toolset = tools({ execute: (_: unknown, { messages }: any) => void seen.push(messages) })
      const agent = Agent.make({ toolsets: [toolset], instructions: "Be brief." })
      yield* Agent.run(agent, { prompt: "Go." })
      const first = [{ role: "user", content: [{ type: "text", text: "Go." }] }]
      assert.deepStrictEqual(seen, [
        first,
        [
          ...first,
          {
            role: "assistant",
            content: [
              { type: "tool-call", toolCallId: "call_0_0", toolName: "t", input: {}, providerExecuted: false }
            ]
          },
          {
            role: "tool",
            content: [
              {
                type: "tool-result",
                toolCallId: "call_0_0",
                toolName: "t",
                output: { type: "json", value: null }
              }
            ]
          }
        ]
      ])
    }).pipe(Effect.provide(layer([calls({ t: {} }), calls({ t: {} }), text("Done.")])))
  )

  it("has files, reasoning and failed results", () => {
    const history = Prompt.make([
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "file", mediaType: "image/png", data: "AAAA", fileName: "a.png" }
        ]
      },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm." },
          { type: "file", mediaType: "image/png", data: "AAAA" },
          { type: "tool-call", id: "1", name: "t", params: { a: 1 }, providerExecuted: false }
        ]
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", id: "1", name: "t", isFailure: true, result: "no", providerExecuted: false },
          {
            type: "tool-result",
            id: "2",
            name: "t",
            isFailure: true,
            result: { a: 1 },
            providerExecuted: false
          },
          {
            type: "tool-result",
            id: "3",
            name: "t",
            isFailure: false,
            result: "yes",
            providerExecuted: false
          }
        ]
      }
    ])
    const result = (toolCallId: string, output: object) => ({
      type: "tool-result",
      toolCallId,
      toolName: "t",
      output
    })
    const before = [
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "file", data: "AAAA", mediaType: "image/png", filename: "a.png" }
        ]
      }
    ]
    assert.deepStrictEqual(messagesBefore("1", history) as unknown, before)
    assert.deepStrictEqual(messagesBefore("9", history) as unknown, [
      ...before,
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm." },
          { type: "file", data: "AAAA", mediaType: "image/png" },
          { type: "tool-call", toolCallId: "1", toolName: "t", input: { a: 1 }, providerExecuted: false }
        ]
      },
      {
        role: "tool",
        content: [
          result("1", { type: "error-text", value: "no" }),
          result("2", { type: "error-json", value: { a: 1 } }),
          result("3", { type: "text", value: "yes" })
        ]
      }
    ])
  })
})
