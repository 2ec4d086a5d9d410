import { assert, describe, it } from "@effect/vitest"
import { Agent } from "@mastra/core/agent"
import { Mastra as Server } from "@mastra/core/mastra"
import { InMemoryStore } from "@mastra/core/storage"
import { createTool } from "@mastra/core/tools"
import { MockLanguageModelV4 } from "ai/test"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import { ToolReturn, Toolset } from "effect-toolset"
import * as Mastra from "effect-toolset/Mastra"
import * as Neutral from "effect-toolset/Neutral"
import { z } from "zod"
import { modelOf } from "./aiSdk.ts"
import { endsRuns } from "./endings.ts"
import { call, deploying, type Framework, type Request, StationOnFire, type Turn } from "./framework.ts"
import { tellsOutcomes } from "./outcomes.ts"

const agentOf = (turns: ReadonlyArray<Turn>, seen: Array<Request>) => {
  const agent = new Agent({
    id: "agent",
    name: "Agent",
    instructions: "Be brief.",
    // Its declarations want more of a model than it does.
    model: modelOf(MockLanguageModelV4, turns, seen) as never
  })
  // It prints every failure with its stack.
  return new Server({ agents: { agent }, logger: false, storage: new InMemoryStore() }).getAgent("agent")
}

const framework: Framework = {
  name: "Mastra",
  hasFlag: true,
  follows: true,
  rewritten: (schema) => ({
    ...schema,
    properties: {
      ...schema.properties,
      kind: { const: "tree", type: ["string", "number", "integer", "boolean", "object", "null"] }
    }
  }),
  drive: async (run, turns, seen, how) => {
    const { abortSignal, prepareStep, toolsets } = Mastra.toOptions(run)
    const options = how?.bare === true ? { toolsets } : { toolsets, abortSignal, prepareStep }
    const { text } = await agentOf(turns, seen).generate("Go.", options)
    return text
  }
}

describe(framework.name, () => {
  tellsOutcomes(framework)
  endsRuns(framework)

  const { deploy, deployed } = deploying()

  for (const approved of [true, false]) {
    it.effect(`suspends before a tool that needs approval, and hears ${approved ? "yes" : "no"}`, () =>
      Effect.gen(function* () {
        deployed.length = 0
        const seen: Array<Request> = []
        const agent = agentOf([[call("deploy")], "Done."], seen)
        const { text } = yield* Neutral.run(deploy, async (run) => {
          const options = Mastra.toOptions(run)
          const { finishReason, runId, suspendPayload } = await agent.generate("Go.", options)
          assert.deepStrictEqual([finishReason, deployed, seen.length], ["suspended", [], 1])
          const answer = { runId: runId!, toolCallId: suspendPayload.toolCallId, ...options }
          return approved ? agent.approveToolCallGenerate(answer) : agent.declineToolCallGenerate(answer)
        })
        assert.strictEqual(text, "Done.")
        assert.strictEqual(seen[1]?.results.length, 1)
        assert.strictEqual(seen[1]?.results[0]?.text === "deployed", approved)
        assert.deepStrictEqual(deployed, approved ? ["now"] : [])
      })
    )
  }

  it.effect(
    "goes on with all calls of a turn after a yes, and ends where the approved one fails for good",
    () =>
      Effect.gen(function* () {
        const fire = new StationOnFire({ city: "Paris" })
        const log: Array<string> = []
        const ok = Toolset.tool("ok", { handler: () => Effect.sync(() => void log.push("ok")) })
        const burn = Toolset.tool("burn", { handler: () => Effect.fail(fire) }).pipe(
          Toolset.approvalRequired()
        )
        const tools = Toolset.combined(ok, deploy, burn)
        const seen: Array<Request> = []
        const agent = agentOf([[call("deploy"), call("ok"), call("burn")], "Never."], seen)
        deployed.length = 0
        const error = yield* Effect.flip(
          Neutral.run(tools, async (run) => {
            const options = Mastra.toOptions(run)
            let suspended = await agent.generate("Go.", options)
            for (const name of ["deploy", "burn"]) {
              const { finishReason, runId, suspendPayload } = suspended
              assert.deepStrictEqual([finishReason, suspendPayload.toolName], ["suspended", name])
              const { toolCallId } = suspendPayload
              suspended = await agent.approveToolCallGenerate({ ...options, runId: runId!, toolCallId })
            }
          })
        )
        assert.strictEqual(error, fire)
        assert.deepStrictEqual([log, deployed, seen.length], [["ok"], ["now"], 1])
      })
  )

  it.effect("sends files as files", () =>
    Effect.gen(function* () {
      const look = Toolset.tool("look", {
        handler: () =>
          Effect.succeed(
            new ToolReturn({
              value: "a cloud",
              content: [Prompt.filePart({ mediaType: "image/png", data: "iVBORw0KGgo=" })]
            })
          )
      })
      const seen: Array<Request> = []
      yield* Neutral.run(look, (run) => framework.drive(run, [[call("look")], "Done."], seen))
      assert.deepStrictEqual(JSON.parse(seen[1]!.results[0]!.text), {
        type: "content",
        value: [
          { type: "text", text: "a cloud" },
          { type: "file", data: { type: "data", data: "iVBORw0KGgo=" }, mediaType: "image/png" }
        ]
      })
    })
  )

  it.effect("leaves the agent's other tools alone", () =>
    Effect.gen(function* () {
      const ours = Toolset.tool("ours", { handler: () => Effect.succeed("ours") })
      const other = createTool({
        id: "other",
        description: "Another.",
        inputSchema: z.object({}),
        execute: async () => "theirs"
      })
      const seen: Array<Request> = []
      const agent = agentOf([[call("other"), call("ours")], "Done."], seen)
      yield* Neutral.run(ours, (run) => {
        const { toolsets, ...options } = Mastra.toOptions(run)
        return agent.generate("Go.", { ...options, toolsets: { ...toolsets, mine: { other } } })
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
})
