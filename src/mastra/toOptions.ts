import { createTool, type Tool as MastraTool } from "@mastra/core/tools"
import { modelOutput, type Output, outputOf } from "../aisdk/modelOutput.ts"
import type { Run, Tool } from "../neutral/model.ts"
import { memoized } from "../toolset/memoized.ts"

/** What `generate` and `stream` of an agent of Mastra take of a run. */
export interface MastraOptions {
  readonly toolsets: { readonly effectToolset: MastraTools }
  readonly abortSignal: AbortSignal
  readonly prepareStep: (step: { readonly tools?: Record<string, unknown> }) => Promise<{
    readonly tools: Record<string, unknown>
  }>
}

/** `any`: what goes in and out is JSON. */
export type MastraTools = Record<string, MastraTool<any, any, any, any, any, string, any>>

/**
 * The tools of a run for an agent of Mastra, and what stops it when a tool fails for good. Mastra resolves when it is
 * stopped: the failure is that of `Neutral.run`.
 *
 * Arguments are validated by the toolset alone. A tool that needs approval suspends Mastra's run. While the process lives,
 * Mastra keeps the tools of a suspended run: `approveToolCallGenerate` and its like belong inside the same `Neutral.run`.
 * They take these options again: without them nothing stops what they resume, and calls beside the approved one are lost.
 *
 * ```ts run
 * import { Agent } from "@mastra/core/agent"
 * import { MockLanguageModelV4 } from "ai/test"
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as Mastra from "effect-toolset/Mastra"
 * import * as Neutral from "effect-toolset/Neutral"
 *
 * const temperature = Toolset.tool("temperature", {
 *   parameters: Schema.Struct({ city: Schema.String }),
 *   handler: ({ city }) => Effect.succeed(`21 °C in ${city}`)
 * })
 * // In production: the name of a model.
 * const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never
 * const turn = (unified: "tool-calls" | "stop", part: object) =>
 *   ({ content: [part], finishReason: { unified, raw: unified }, usage, warnings: [] }) as never
 * const call = { type: "tool-call", toolCallId: "1", toolName: "temperature", input: '{"city":"Paris"}' }
 * const model = new MockLanguageModelV4({
 *   doGenerate: [turn("tool-calls", call), turn("stop", { type: "text", text: "It is warm." })]
 * })
 * const agent = new Agent({ id: "weather", name: "Weather", instructions: "Be brief.", model: model as never })
 *
 * const program = Neutral.run(temperature, (run) => agent.generate("Paris?", Mastra.toOptions(run)))
 * const { text } = await Effect.runPromise(program)
 * console.log(text)
 * //> It is warm.
 * ```
 */
export const toOptions = (run: Run): MastraOptions => {
  const of = memoized(mastraTool)
  const recordOf = (tools: ReadonlyArray<Tool>): MastraTools =>
    Object.fromEntries(tools.map((tool) => [tool.name, of(tool)]))
  const names = new Set(run.tools.map((tool) => tool.name))
  return {
    toolsets: { effectToolset: recordOf(run.tools) },
    abortSignal: run.signal,
    prepareStep: async ({ tools = {} }) => {
      const now = await run.next()
      const others = Object.entries(tools).filter(([name]) => !names.has(name))
      for (const { name } of now) names.add(name)
      return { tools: { ...Object.fromEntries(others), ...recordOf(now) } }
    }
  }
}

const mastraTool = (tool: Tool): MastraTools[string] =>
  createTool({
    id: tool.name,
    description: tool.description ?? tool.name,
    // Mastra would validate, and tell the model its own text: here everything is valid.
    inputSchema: {
      "~standard": {
        version: 1,
        vendor: "effect-toolset",
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => tool.parameters, output: () => tool.parameters }
      }
    },
    requireApproval: tool.needsApproval,
    execute: async (args, context) => {
      const known = { id: context.agent?.toolCallId, approved: tool.needsApproval }
      return outputOf(await tool.call(args, context.abortSignal, known))
    },
    toModelOutput: (output) => modelOutput(output as Output)
  })
