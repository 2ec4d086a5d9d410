import { assert, describe, it } from "@effect/vitest"
import { Agent, type AgentInputItem, type Model, Runner, RunState, Usage } from "@openai/agents"
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents/testing"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import { ModelRetry, ToolReturn, Toolset } from "effect-toolset"
import * as Neutral from "effect-toolset/Neutral"
import * as OpenAiAgents from "effect-toolset/OpenAiAgents"
import { endsRuns } from "./endings.ts"
import { call, deploying, type Framework, type Request, type Turn } from "./framework.ts"
import { tellsOutcomes } from "./outcomes.ts"

const runner = new Runner({ tracingDisabled: true })

const modelOf = (turns: ReadonlyArray<Turn>, seen: Array<Request>) =>
  new ScriptedModel(
    turns.map((turn, number) =>
      modelResponder(({ request: { input, tools } }) => {
        seen.push({
          tools: tools.flatMap((tool) =>
            tool.type === "function"
              ? [{ name: tool.name, description: tool.description, parameters: tool.parameters }]
              : []
          ),
          results: typeof input === "string" ? [] : resultsIn(input)
        })
        return typeof turn === "string"
          ? [assistantMessage(turn)]
          : turn.map(({ args, name }, i) =>
              functionCall(name, args as Record<string, unknown>, { callId: `call-${number}-${i}` })
            )
      })
    )
  )

/** Those behind the last calls. */
const resultsIn = (input: ReadonlyArray<AgentInputItem>): Request["results"] => {
  const from = input.findLastIndex((item) => item.type === "function_call")
  return input.slice(from).flatMap((item) => {
    if (item.type !== "function_call_result") return []
    const { output } = item
    const text =
      typeof output === "object" && "type" in output && output.type === "text"
        ? output.text
        : JSON.stringify(output)
    return [{ text, isError: undefined }]
  })
}

const framework: Framework = {
  name: "OpenAI Agents",
  hasFlag: false,
  follows: false,
  drive: async (run, turns, seen, how) => {
    const agent = new Agent({ name: "Agent", model: modelOf(turns, seen), tools: OpenAiAgents.toTools(run) })
    const options = how?.bare === true ? {} : OpenAiAgents.toOptions(run)
    const { finalOutput } = await runner.run(agent, "Go.", options)
    return finalOutput ?? ""
  }
}

describe(framework.name, () => {
  tellsOutcomes(framework)
  endsRuns(framework)

  const { deploy, deployed } = deploying()

  for (const approved of [true, false]) {
    it.effect(`asks before a tool that needs approval, and hears ${approved ? "yes" : "no"}`, () =>
      Effect.gen(function* () {
        deployed.length = 0
        const seen: Array<Request> = []
        const model = modelOf([[call("deploy")], "Done."], seen)
        const agentOf = (run: Neutral.Run) =>
          new Agent({ name: "Agent", model, tools: OpenAiAgents.toTools(run) })
        const waiting = yield* Neutral.run(deploy, async (run) => {
          const { interruptions, state } = await runner.run(agentOf(run), "Go.", OpenAiAgents.toOptions(run))
          assert.deepStrictEqual(
            interruptions.map(({ name }) => name),
            ["deploy"]
          )
          return state.toString()
        })
        assert.deepStrictEqual([deployed, seen.length], [[], 1])
        yield* Neutral.run(deploy, async (run) => {
          const agent = agentOf(run)
          const state = await RunState.fromString(agent, waiting)
          for (const item of state.getInterruptions()) {
            if (approved) state.approve(item)
            else state.reject(item)
          }
          await runner.run(agent, state, OpenAiAgents.toOptions(run))
        })
        assert.strictEqual(seen[1]?.results.length, 1)
        assert.strictEqual(seen[1]?.results[0]?.text === "deployed", approved)
        assert.deepStrictEqual(deployed, approved ? ["now"] : [])
      })
    )
  }

  it.effect("counts turns where the model says nothing of its usage, too", () =>
    Effect.gen(function* () {
      const retries = Toolset.tool("retry", {
        handler: () => Effect.fail(new ModelRetry({ message: "Which city?" }))
      })
      let requests = 0
      const model: Model = {
        getResponse: async () => ({
          usage: new Usage(),
          output: [functionCall("retry", {}, { callId: `call-${requests++}` })]
        }),
        getStreamedResponse: () => assert.fail("It does not stream.")
      }
      const error = yield* Effect.flip(
        Neutral.run(retries, (run) => {
          const agent = new Agent({ name: "Agent", model, tools: OpenAiAgents.toTools(run) })
          return runner.run(agent, "Go.", OpenAiAgents.toOptions(run))
        })
      )
      assert.strictEqual(error._tag, "ToolRetriesExceeded")
      assert.strictEqual(requests, 2)
    })
  )

  it.effect("has the names of the toolset, with their hyphens", () =>
    Effect.gen(function* () {
      const names = ["look-up", "look_up"]
      const tools = Toolset.combined(
        ...names.map((name) => Toolset.tool(name, { handler: () => Effect.succeed(name) }))
      )
      const seen: Array<Request> = []
      yield* Neutral.run(tools, (run) =>
        framework.drive(run, [names.map((name) => call(name)), "Done."], seen)
      )
      assert.deepStrictEqual(
        seen[0]?.tools.map(({ name }) => name),
        names
      )
      assert.deepStrictEqual(
        seen[1]?.results.map(({ text }) => text),
        names
      )
    })
  )

  it.effect("sends files as files", () =>
    Effect.gen(function* () {
      const look = Toolset.tool("look", {
        handler: () =>
          Effect.succeed(
            new ToolReturn({
              value: "a cloud",
              content: [
                Prompt.filePart({ mediaType: "image/png", data: "iVBORw0KGgo=" }),
                Prompt.filePart({
                  mediaType: "text/plain",
                  data: new Uint8Array([104, 105]),
                  fileName: "a.txt"
                }),
                Prompt.filePart({ mediaType: "image/png", data: new URL("https://example.org/cloud.png") })
              ]
            })
          )
      })
      const seen: Array<Request> = []
      yield* Neutral.run(look, (run) => framework.drive(run, [[call("look")], "Done."], seen))
      const parts: ReadonlyArray<Record<string, unknown>> = JSON.parse(seen[1]!.results[0]!.text)
      assert.deepStrictEqual(
        parts.map((part) => [part.type, part.text ?? part.image ?? part.filename]),
        [
          ["input_text", "a cloud"],
          ["input_image", "data:image/png;base64,iVBORw0KGgo="],
          ["input_file", "a.txt"],
          ["input_image", "https://example.org/cloud.png"]
        ]
      )
    })
  )
})
