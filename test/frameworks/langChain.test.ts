import { assert, describe, it } from "@effect/vitest"
import { ToolMessage } from "@langchain/core/messages"
import type { StructuredTool } from "@langchain/core/tools"
import { toJsonSchema } from "@langchain/core/utils/json_schema"
import { Command, MemorySaver } from "@langchain/langgraph"
import { Effect, Schema } from "effect"
import { Prompt } from "effect/ai"
import { ToolReturn, Toolset } from "effect-toolset"
import * as LangChain from "effect-toolset/LangChain"
import * as LangChainAgent from "effect-toolset/LangChainAgent"
import * as Neutral from "effect-toolset/Neutral"
import { AIMessage, createAgent, fakeModel, tool } from "langchain"
import { z } from "zod"
import { endsRuns } from "./endings.ts"
import { call, type Framework, type Request, StationOnFire, type Turn } from "./framework.ts"
import { tellsOutcomes } from "./outcomes.ts"

type Model = ReturnType<typeof fakeModel>
type Bound = Parameters<Model["bindTools"]>[0]

const modelOf = (turns: ReadonlyArray<Turn>, seen: Array<Request>): Model => {
  const model = fakeModel()
  let bound: Bound = []
  const bindTools = model.bindTools.bind(model)
  // Each request binds the tools that it offers.
  model.bindTools = (tools) => {
    bound = tools
    return bindTools(tools)
  }
  turns.forEach((turn, number) => {
    model.respond((messages) => {
      seen.push({
        tools: bound.map((tool: any) => ({
          name: tool.name,
          description: tool.description,
          parameters: toJsonSchema(tool.schema)
        })),
        results: messages
          .slice(messages.findLastIndex((message) => message.type === "ai") + 1)
          .filter((message) => ToolMessage.isInstance(message))
          .map(({ content, status }) => ({
            text: typeof content === "string" ? content : JSON.stringify(content),
            isError: status === "error"
          }))
      })
      return typeof turn === "string"
        ? new AIMessage(turn)
        : new AIMessage({
            content: "",
            tool_calls: turn.map(({ args, name }, i) => ({
              type: "tool_call" as const,
              id: `call-${number}-${i}`,
              name,
              args: args as Record<string, unknown>
            }))
          })
    })
  })
  return model
}

const framework: Framework = {
  name: "LangChain.js",
  hasFlag: true,
  follows: true,
  drive: async (run, turns, seen, how) => {
    const model = modelOf(turns, seen)
    const { messages } =
      how?.bare === true
        ? await createAgent({ model, tools: LangChain.toTools(run) }).invoke({ messages: "Go." })
        : await createAgent({ model, ...LangChainAgent.toOptions(run) }).invoke(
            { messages: "Go." },
            { signal: run.signal }
          )
    return messages.at(-1)!.text
  }
}

describe(framework.name, () => {
  tellsOutcomes(framework)
  endsRuns(framework)

  const deployed: Array<string> = []
  const deploy = Toolset.combined(
    Toolset.tool("deploy", {
      parameters: Schema.Struct({ to: Schema.String }),
      handler: ({ to }) => Effect.sync(() => (deployed.push(to), "deployed"))
    }).pipe(Toolset.approvalRequired()),
    Toolset.tool("asks", { handler: () => Effect.succeed("asked") }).pipe(
      Toolset.approvalRequired((tool) => tool.name === "asks")
    )
  )
  const sometimes = { text: "The call waits for an approval. Nobody can be asked here.", isError: true }

  const decisions = [
    [{ type: "approve" }, ["prod"], { text: "deployed", isError: false }],
    [
      { type: "edit", editedAction: { name: "deploy", args: { to: "staging" } } },
      ["staging"],
      { text: "deployed", isError: false }
    ],
    [{ type: "reject", message: "Not today." }, [], { text: "Not today.", isError: true }]
  ] as const

  for (const [decision, expected, result] of decisions) {
    it.effect(`interrupts before a tool that needs approval, and hears ${decision.type}`, () =>
      Effect.gen(function* () {
        deployed.length = 0
        const seen: Array<Request> = []
        const model = modelOf([[call("deploy", { to: "prod" }), call("asks")], "Done."], seen)
        const checkpointer = new MemorySaver()
        const config = { configurable: { thread_id: "1" } }
        const going = (input: Command | { readonly messages: string }) =>
          Neutral.run(deploy, (run) =>
            createAgent({ model, checkpointer, ...LangChainAgent.toOptions(run) }).invoke(input as never, {
              ...config,
              signal: run.signal
            })
          )
        const waiting = yield* going({ messages: "Go." })
        assert.strictEqual(
          (waiting as { readonly __interrupt__?: ReadonlyArray<unknown> }).__interrupt__?.length,
          1
        )
        assert.deepStrictEqual([deployed, seen.length], [[], 1])
        yield* going(new Command({ resume: { decisions: [decision] } }))
        assert.deepStrictEqual(deployed, [...expected])
        // The others of the response come first, but for a refusal, which is an answer already.
        const others = decision.type === "reject" ? [] : [sometimes]
        assert.deepStrictEqual(new Set(seen[1]?.results), new Set([...others, result]))
      })
    )
  }

  it.effect("refuses a tool that needs approval where nobody is asked", () =>
    Effect.gen(function* () {
      deployed.length = 0
      const message = yield* Neutral.run(deploy, (run) =>
        LangChain.toTools(run)[0]!.invoke({
          type: "tool_call",
          id: "1",
          name: "deploy",
          args: { to: "prod" }
        })
      )
      assert.deepStrictEqual([message.text, message.status, deployed], [sometimes.text, "error", []])
    })
  )

  it.effect("takes arguments that look like a call as they are", () =>
    Effect.gen(function* () {
      const echo = Toolset.tool("echo", {
        parameters: Schema.Record(Schema.String, Schema.Unknown),
        handler: (args) => Effect.succeed(args)
      })
      const all = [{ type: "tool_call", id: "2", name: "other", args: { n: 1 } }, { type: "tool_call" }, {}]
      const seen: Array<Request> = []
      yield* Neutral.run(echo, (run) =>
        framework.drive(run, [all.map((args) => call("echo", args)), "Done."], seen)
      )
      assert.deepStrictEqual(
        seen[1]?.results.map(({ text }) => JSON.parse(text)),
        all
      )
    })
  )

  it.effect("sends files as content blocks", () =>
    Effect.gen(function* () {
      const look = Toolset.tool("look", {
        handler: () =>
          Effect.succeed(
            new ToolReturn({
              value: "a cloud",
              content: [
                Prompt.filePart({ mediaType: "image/png", data: "iVBORw0KGgo=", fileName: "cloud.png" }),
                Prompt.filePart({ mediaType: "text/plain", data: new URL("https://example.org/a.txt") })
              ]
            })
          )
      })
      const seen: Array<Request> = []
      yield* Neutral.run(look, (run) => framework.drive(run, [[call("look")], "Done."], seen))
      assert.deepStrictEqual(JSON.parse(seen[1]!.results[0]!.text), [
        { type: "text", text: "a cloud" },
        { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=", metadata: { filename: "cloud.png" } },
        { type: "file", mimeType: "text/plain", url: "https://example.org/a.txt" }
      ])
    })
  )

  it.effect("leaves the agent's other tools alone", () =>
    Effect.gen(function* () {
      const other = tool(() => "theirs", { name: "other", description: "Another.", schema: z.object({}) })
      const ours = Toolset.tool("ours", { handler: () => Effect.succeed("ours") })
      const seen: Array<Request> = []
      const model = modelOf([[call("other"), call("ours")], "Done."], seen)
      yield* Neutral.run(ours, (run) => {
        const { middleware, tools } = LangChainAgent.toOptions(run)
        const all: Array<StructuredTool> = [...tools, other]
        return createAgent({ model, middleware, tools: all }).invoke({ messages: "Go." })
      })
      for (const { tools } of seen) {
        assert.sameMembers(
          tools.map(({ name }) => name),
          ["ours", "other"]
        )
      }
      assert.deepStrictEqual(
        seen[1]?.results.map(({ text }) => text),
        ["theirs", "ours"]
      )
    })
  )

  it.effect("stops without the signal, too", () =>
    Effect.gen(function* () {
      const fire = new StationOnFire({ city: "Paris" })
      const burn = Toolset.tool("burn", { handler: () => Effect.fail(fire) })
      const seen: Array<Request> = []
      const model = modelOf([[call("burn")], "Never."], seen)
      const error = yield* Effect.flip(
        Neutral.run(burn, (run) =>
          createAgent({ model, ...LangChainAgent.toOptions(run) }).invoke({ messages: "Go." })
        )
      )
      assert.strictEqual(error, fire)
      assert.strictEqual(seen.length, 1)
    })
  )
})
