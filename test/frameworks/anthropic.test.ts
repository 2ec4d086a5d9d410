import Anthropic from "@anthropic-ai/sdk"
import type { BetaMessageParam } from "@anthropic-ai/sdk/resources/beta"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import { ToolReturn, Toolset } from "effect-toolset"
import { runUntilDone, toTools } from "effect-toolset/Anthropic"
import * as Neutral from "effect-toolset/Neutral"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll } from "vitest"
import { endsRuns } from "./endings.ts"
import {
  call,
  deploying,
  type Framework,
  going,
  type Request,
  StationOnFire,
  type Turn
} from "./framework.ts"
import { tellsOutcomes } from "./outcomes.ts"

/** What the service is asked for; the SDK has no mock of it. */
interface Body {
  /** Those of the thread, in the request that begins one. */
  readonly tools?: ReadonlyArray<{
    readonly name: string
    readonly description?: string
    readonly input_schema: unknown
  }>
  readonly messages: ReadonlyArray<BetaMessageParam>
}

/** What each conversation is answered with, by the first part of its path. */
const answering = new Map<string, (body: Body) => object>()

let server: Server
const client = (key: string) =>
  new Anthropic({
    apiKey: "none",
    maxRetries: 0,
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${key}`
  })

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const answer = answering.get(request.url!.split("/")[1]!)!(JSON.parse(await text(request)))
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
afterAll(() => void server.close())

const textOf = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content))

const seenIn = ({ messages, tools }: Body, before: Request | undefined): Request => ({
  tools:
    tools?.map(({ description, input_schema, name }) => ({ name, description, parameters: input_schema })) ??
    before!.tools,
  results: [messages.at(-1)!.content]
    .flat()
    .flatMap((block) =>
      typeof block === "object" && block.type === "tool_result"
        ? [{ text: textOf(block.content), isError: block.is_error ?? false }]
        : []
    )
})

let keys = 0

const runnerOf = (
  run: Neutral.Run,
  turns: ReadonlyArray<Turn>,
  seen: Array<Request>,
  stopReason = "tool_use"
) => {
  const key = `key-${++keys}`
  let number = 0
  answering.set(key, (body) => {
    seen.push(seenIn(body, seen.at(-1)))
    const turn = turns[number++]!
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: `message-${number}`, type: "message", role: "assistant", model: "claude", usage }
    return typeof turn === "string"
      ? { ...message, stop_reason: "end_turn", content: [{ type: "text", text: turn }] }
      : {
          ...message,
          stop_reason: stopReason,
          content: turn.map(({ args, name }, i) => ({
            type: "tool_use",
            id: `call-${number}-${i}`,
            name,
            input: args
          }))
        }
  })
  return client(key).beta.messages.toolRunner({
    model: "claude",
    max_tokens: 100,
    messages: [{ role: "user", content: "Go." }],
    tools: toTools(run)
  })
}

const framework: Framework = {
  name: "the tool runner of Anthropic",
  hasFlag: true,
  follows: false,
  drive: async (run, turns, seen, how) => {
    const runner = runnerOf(run, turns, seen)
    const { content } = await (how?.bare === true ? runner.runUntilDone() : runUntilDone(run, runner))
    return content.map((block) => (block.type === "text" ? block.text : "")).join("")
  }
}

describe(framework.name, () => {
  tellsOutcomes(framework)
  endsRuns(framework)

  it.effect("refuses what needs approval, since nobody can be asked", () =>
    Effect.gen(function* () {
      const { deploy, deployed } = deploying()
      const { body, seen } = going(framework, deploy, [[call("deploy")], "Done."])
      yield* Neutral.run(deploy, body)
      assert.deepStrictEqual(seen[1]?.results, [
        { text: "The call waits for an approval. Nobody can be asked here.", isError: true }
      ])
      assert.deepStrictEqual(deployed, [])
    })
  )

  it.effect("runs no tools of a turn that was cut off", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const write = Toolset.tool("write", { handler: () => Effect.sync(() => void ran.push("write")) })
      const seen: Array<Request> = []
      const message = yield* Neutral.run(write, (run) =>
        runUntilDone(run, runnerOf(run, [[call("write")], "Never."], seen, "max_tokens"))
      )
      assert.strictEqual(message.stop_reason, "max_tokens")
      assert.deepStrictEqual([ran, seen.length], [[], 1])
    })
  )

  it.effect("starts no more calls after one has failed for good", () =>
    Effect.gen(function* () {
      const fire = new StationOnFire({ city: "Paris" })
      const ran: Array<string> = []
      const burn = Toolset.tool("burn", { handler: () => Effect.fail(fire) })
      const after = Toolset.tool("after", { handler: () => Effect.sync(() => void ran.push("after")) })
      const tools = Toolset.sequential(Toolset.combined(burn, after))
      const { body, seen } = going(framework, tools, [[call("burn"), call("after"), call("after")], "Never."])
      assert.strictEqual(yield* Effect.flip(Neutral.run(tools, body)), fire)
      assert.deepStrictEqual([ran, seen.length], [[], 1])
    })
  )

  it.effect("sends images and documents as such, and names other files", () =>
    Effect.gen(function* () {
      const url = new URL("https://example.org/cloud.png")
      const look = Toolset.tool("look", {
        handler: () =>
          Effect.succeed(
            new ToolReturn({
              value: "a cloud",
              content: [
                Prompt.filePart({ mediaType: "image/png", data: new Uint8Array([104, 105]) }),
                Prompt.filePart({ mediaType: "image/png", data: url }),
                Prompt.filePart({ mediaType: "application/pdf", data: "JVBERi0=" }),
                Prompt.filePart({ mediaType: "audio/wav", data: "UklGRg==", fileName: "a.wav" })
              ]
            })
          )
      })
      const { body, seen } = going(framework, look, [[call("look")], "Done."])
      yield* Neutral.run(look, body)
      assert.deepStrictEqual(JSON.parse(seen[1]!.results[0]!.text), [
        { type: "text", text: "a cloud" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
        { type: "image", source: { type: "url", url: url.href } },
        { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" } },
        { type: "text", text: "[audio/wav a.wav omitted]" }
      ])
    })
  )
})
