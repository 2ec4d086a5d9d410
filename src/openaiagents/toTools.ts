import {
  type FunctionTool,
  tool as openAiTool,
  type ToolOutputFileContent,
  type ToolOutputImage,
  type ToolOutputText
} from "@openai/agents"
import type { Part, Result, Run, Tool } from "../neutral/model.ts"
import { textOf } from "../neutral/result.ts"

/**
 * The tools of a run for an `Agent` of OpenAI Agents.
 *
 * Arguments are validated by the toolset alone. A tool that needs approval interrupts the SDK's run. The SDK has no flag
 * for failed results: the model reads the text.
 *
 * ```ts run
 * import { Agent, Runner } from "@openai/agents"
 * import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing"
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as Neutral from "effect-toolset/Neutral"
 * import * as OpenAiAgents from "effect-toolset/OpenAiAgents"
 *
 * const temperature = Toolset.tool("temperature", {
 *   parameters: Schema.Struct({ city: Schema.String }),
 *   handler: ({ city }) => Effect.succeed(`21 °C in ${city}`)
 * })
 * // In production: the name of a model.
 * const model = new ScriptedModel([
 *   [functionCall("temperature", { city: "Paris" }, { callId: "1" })],
 *   [assistantMessage("It is warm.")]
 * ])
 * const runner = new Runner({ tracingDisabled: true })
 *
 * const program = Neutral.run(temperature, (run) => {
 *   const agent = new Agent({ name: "Weather", model, tools: OpenAiAgents.toTools(run) })
 *   return runner.run(agent, "Paris?", OpenAiAgents.toOptions(run))
 * })
 * const { finalOutput } = await Effect.runPromise(program)
 * console.log(finalOutput)
 * //> It is warm.
 * ```
 */
export const toTools = (run: Run): Array<FunctionTool<any, any, Output>> => {
  /** The SDK asks each tool whether it is enabled before each request of the model, and when it reads a state. */
  const asked = new Set<Tool>()
  const isEnabled = async (tool: Tool): Promise<boolean> => {
    const begins = asked.size === 0 || asked.has(tool)
    if (begins) asked.clear()
    asked.add(tool)
    if (begins) await run.next()
    return true
  }
  return run.tools.map((tool) => openAiAgentsTool(tool, () => isEnabled(tool)))
}

type OutputPart = ToolOutputText | ToolOutputImage | ToolOutputFileContent
type Output = string | Array<OutputPart>

const openAiAgentsTool = (tool: Tool, isEnabled: () => Promise<boolean>): FunctionTool<any, any, Output> => {
  const made = openAiTool({
    name: tool.name,
    description: tool.description ?? tool.name,
    // What is not strict is not rewritten and not validated; the type wants less of a schema than the SDK sends.
    strict: false,
    parameters: tool.parameters as never,
    // What is thrown ends the run; by default it would be told to the model.
    errorFunction: null,
    needsApproval: tool.needsApproval,
    isEnabled,
    execute: async (args, _context, details) => {
      const known = { id: details?.toolCall?.callId, approved: tool.needsApproval }
      return output(await tool.call(args, details?.signal, known))
    }
  })
  // `tool` makes a `_` of a `-`, and two tools of one name.
  return Object.assign(made, { name: tool.name })
}

const output = (result: Result): Output => result.parts?.map(outputPart) ?? textOf(result)

const outputPart = (part: Part): OutputPart => {
  if (part.type === "text") return { type: "text", text: part.text }
  const { data, fileName, mediaType } = part
  if (mediaType.startsWith("image/")) {
    return { type: "image", image: data instanceof URL ? { url: data.href } : { data, mediaType } }
  }
  return {
    type: "file",
    file:
      data instanceof URL
        ? { url: data.href, ...(fileName === undefined ? {} : { filename: fileName }) }
        : { data, mediaType, filename: fileName ?? "file" }
  }
}
