/** What the AI SDK has of its own. */
import { assert, describe, it } from "@effect/vitest"
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type ModelMessage,
  streamText,
  ToolLoopAgent,
  type UIMessage
} from "ai"
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import { ToolReturn, Toolset } from "effect-toolset"
import * as AiSdk from "effect-toolset/AiSdk"
import * as Neutral from "effect-toolset/Neutral"
import { modelOf } from "./aiSdk.ts"
import { call, deploying, type Request, StationOnFire, type Turn } from "./framework.ts"

const scripted = (...turns: ReadonlyArray<Turn>) => {
  const seen: Array<Request> = []
  return { seen, model: modelOf(MockLanguageModelV4, turns, seen) }
}
const stopWhen = isStepCount(8)

const { deploy, deployed } = deploying()

const deciding = (approved: boolean) =>
  Effect.gen(function* () {
    deployed.length = 0
    const asking = scripted([call("deploy")], "Never.")
    const first = yield* Neutral.run(deploy, (run) =>
      generateText({ model: asking.model, prompt: "Go.", stopWhen, ...AiSdk.toOptions(run) })
    )
    const request = first.content.find((part) => part.type === "tool-approval-request")
    assert.strictEqual(asking.seen.length, 1)
    assert.deepStrictEqual(deployed, [])
    const answer = { type: "tool-approval-response" as const, approvalId: request!.approvalId, approved }
    const messages: Array<ModelMessage> = [
      { role: "user", content: "Go." },
      ...first.responseMessages,
      { role: "tool", content: [answer] }
    ]
    const going = scripted("Done.")
    yield* Neutral.run(deploy, (run) =>
      generateText({ model: going.model, messages, stopWhen, ...AiSdk.toOptions(run) })
    )
    return going.seen[0]?.results
  })

describe("the AI SDK", () => {
  it.effect("asks before a tool that needs approval, and runs it after a yes", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* deciding(true), [{ text: "deployed", isError: false }])
      assert.deepStrictEqual(deployed, ["now"])
    })
  )

  it.effect("does not run it after a no", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* deciding(false))?.[0]?.isError, true)
      assert.deepStrictEqual(deployed, [])
    })
  )

  it.effect("sends files as files", () =>
    Effect.gen(function* () {
      const url = new URL("https://example.org/cloud.png")
      const look = Toolset.tool("look", {
        handler: () =>
          Effect.succeed(
            new ToolReturn({
              value: "a cloud",
              modelOutput: [
                Prompt.textPart({ text: "See:" }),
                Prompt.filePart({ mediaType: "image/png", data: "iVBORw0KGgo=", fileName: "cloud.png" })
              ],
              content: [Prompt.filePart({ mediaType: "image/png", data: url })]
            })
          )
      })
      const { model, seen } = scripted([call("look")], "Done.")
      yield* Neutral.run(look, (run) =>
        generateText({ model, prompt: "Go.", stopWhen, ...AiSdk.toOptions(run) })
      )
      assert.deepStrictEqual(JSON.parse(seen[1]!.results[0]!.text), {
        type: "content",
        value: [
          { type: "text", text: "See:" },
          {
            type: "file",
            data: { type: "data", data: "iVBORw0KGgo=" },
            mediaType: "image/png",
            filename: "cloud.png"
          },
          { type: "file", data: { type: "url", url: url.href }, mediaType: "image/png" }
        ]
      })
    })
  )

  it.effect("reads files again that its messages, or those of an interface, kept as JSON", () =>
    Effect.gen(function* () {
      const url = new URL("https://example.org/cloud.png")
      const look = Toolset.tool("look", {
        handler: () =>
          Effect.succeed(
            new ToolReturn({
              value: "a cloud",
              content: [
                Prompt.filePart({ mediaType: "image/png", data: new Uint8Array([104, 105]) }),
                Prompt.filePart({ mediaType: "image/png", data: url })
              ]
            })
          )
      })
      const first = scripted([call("look")], "Done.")
      const { responseMessages, steps } = yield* Neutral.run(look, (run) =>
        generateText({ model: first.model, prompt: "Go.", stopWhen, ...AiSdk.toOptions(run) })
      )
      const [result] = steps[0]!.toolResults
      const shown: UIMessage = {
        id: "1",
        role: "assistant",
        parts: [
          {
            type: "dynamic-tool",
            toolName: "look",
            toolCallId: "1",
            state: "output-available",
            input: {},
            output: JSON.parse(JSON.stringify(result!.output))
          }
        ]
      }
      const again = scripted("Done.", "Done.")
      yield* Neutral.run(look, async (run) => {
        const options = AiSdk.toOptions(run)
        const { tools } = options
        const kept: ReadonlyArray<ModelMessage> = JSON.parse(JSON.stringify(responseMessages))
        for (const messages of [kept, await convertToModelMessages([shown], { tools })]) {
          await generateText({
            model: again.model,
            messages: [...messages, { role: "user", content: "And now?" }],
            ...options
          })
        }
      })
      for (const { prompt } of again.model.doGenerateCalls) {
        const result = prompt.find(({ role }) => role === "tool")?.content[0]
        assert.deepStrictEqual(JSON.parse(JSON.stringify(result)).output, {
          type: "content",
          value: [
            { type: "text", text: "a cloud" },
            { type: "file", data: { type: "data", data: "aGk=" }, mediaType: "image/png" },
            { type: "file", data: { type: "url", url: url.href }, mediaType: "image/png" }
          ]
        })
      }
      assert.strictEqual(again.seen.length, 2)
    })
  )

  it.effect("counts turns without its hooks, too", () =>
    Effect.gen(function* () {
      const picky = Toolset.tool("picky", { handler: () => Effect.succeed(1) }).pipe(
        Toolset.prepared((tools) =>
          Effect.succeed(tools.map((tool) => ({ ...tool, parameters: { type: "object", required: ["a"] } })))
        )
      )
      const { model, seen } = scripted([call("picky")], [call("picky")], [call("picky")], "Done.")
      const error = yield* Effect.flip(
        Neutral.run(picky, async (run) => {
          const { tools } = AiSdk.toOptions(run)
          return await generateText({ model, prompt: "Go.", stopWhen, tools })
        })
      )
      assert.strictEqual(error._tag, "ToolRetriesExceeded")
      assert.isAtLeast(seen.length, 2)
    })
  )

  it.effect("may be an agent", () =>
    Effect.gen(function* () {
      const hello = Toolset.tool("hello", { handler: () => Effect.succeed("Hello!") })
      const { model, seen } = scripted([call("hello")], "Done.")
      const { text } = yield* Neutral.run(hello, (run) => {
        const { abortSignal, ...options } = AiSdk.toOptions(run)
        return new ToolLoopAgent({ model, ...options }).generate({ prompt: "Go.", abortSignal })
      })
      assert.strictEqual(text, "Done.")
      assert.deepStrictEqual(seen[1]?.results, [{ text: "Hello!", isError: false }])
    })
  )

  it.effect("streams, and stops when a tool fails for good", () =>
    Effect.gen(function* () {
      const fire = new StationOnFire({ city: "Paris" })
      const burn = Toolset.tool("burn", { handler: () => Effect.fail(fire) })
      let requests = 0
      const model = new MockLanguageModelV4({
        doStream: async () => {
          requests++
          return {
            stream: convertArrayToReadableStream([
              { type: "stream-start" as const, warnings: [] },
              { type: "tool-call" as const, toolCallId: "1", toolName: "burn", input: "{}" },
              {
                type: "finish" as const,
                finishReason: { unified: "tool-calls" as const, raw: "tool-calls" },
                usage: {
                  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
                  outputTokens: { total: 1, text: 1, reasoning: 0 }
                }
              }
            ])
          }
        }
      })
      const parts: Array<string> = []
      const error = yield* Effect.flip(
        Neutral.run(burn, async (run) => {
          const { stream } = streamText({
            model,
            prompt: "Go.",
            stopWhen,
            onError: () => undefined,
            ...AiSdk.toOptions(run)
          })
          for await (const part of stream) parts.push(part.type)
        })
      )
      assert.strictEqual(error, fire)
      assert.strictEqual(requests, 1)
      assert.include(parts, "abort")
    })
  )
})
