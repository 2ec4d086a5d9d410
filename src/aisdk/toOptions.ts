import { dynamicTool, jsonSchema, type Tool, type ToolSet } from "ai"
import type { Run, Tool as NeutralTool } from "../neutral/model.ts"
import { memoized } from "../toolset/memoized.ts"
import { modelOutput, type Output, outputOf } from "./modelOutput.ts"

/** What `generateText`, `streamText` and `ToolLoopAgent` of the AI SDK take of a run. */
export interface AiSdkOptions {
  /** Follows what the toolset offers in each step. */
  readonly tools: ToolSet
  readonly abortSignal: AbortSignal
  readonly prepareStep: () => Promise<undefined>
}

/**
 * The tools of a run for the AI SDK, and what stops it when a tool fails for good.
 *
 * Arguments are validated by the toolset alone. A tool that needs approval asks in the SDK's own way.
 *
 * ```ts run
 * import { generateText, isStepCount } from "ai"
 * import { MockLanguageModelV4 } from "ai/test"
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as AiSdk from "effect-toolset/AiSdk"
 * import * as Neutral from "effect-toolset/Neutral"
 *
 * const temperature = Toolset.tool("temperature", {
 *   parameters: Schema.Struct({ city: Schema.String }),
 *   handler: ({ city }) => Effect.succeed(`21 °C in ${city}`)
 * })
 * // In production: a model of any provider.
 * const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never
 * const turn = (unified: "tool-calls" | "stop", part: object) =>
 *   ({ content: [part], finishReason: { unified, raw: unified }, usage, warnings: [] }) as never
 * const call = { type: "tool-call", toolCallId: "1", toolName: "temperature", input: '{"city":"Paris"}' }
 * const model = new MockLanguageModelV4({
 *   doGenerate: [turn("tool-calls", call), turn("stop", { type: "text", text: "It is warm." })]
 * })
 *
 * const program = Neutral.run(temperature, (run) =>
 *   generateText({ model, prompt: "Paris?", stopWhen: isStepCount(8), ...AiSdk.toOptions(run) })
 * )
 * const { steps, text } = await Effect.runPromise(program)
 * console.log(steps[0]?.toolResults.map((part) => part.output), text)
 * //> [ { content: '21 °C in Paris', isError: false } ] It is warm.
 * ```
 */
export const toOptions = (run: Run): AiSdkOptions => {
  // Without a prototype a tool may have any name.
  const tools: ToolSet = Object.create(null)
  const of = memoized(aiSdkTool)
  /** The record stays the same: the SDK reads it anew in each step. */
  const offer = (now: ReadonlyArray<NeutralTool>): undefined => {
    for (const name of Object.keys(tools)) delete tools[name]
    for (const tool of now) tools[tool.name] = of(tool)
  }
  offer(run.tools)
  return { tools, abortSignal: run.signal, prepareStep: async () => offer(await run.next()) }
}

const aiSdkTool = (tool: NeutralTool): Tool =>
  dynamicTool({
    ...(tool.description === undefined ? {} : { description: tool.description }),
    // Without a function that validates: that is the toolset's.
    inputSchema: jsonSchema(tool.parameters),
    needsApproval: tool.needsApproval,
    execute: async (args, { abortSignal, messages, toolCallId }) => {
      const known = { id: toolCallId, approved: tool.needsApproval, turn: messages }
      return outputOf(await tool.call(args, abortSignal, known))
    },
    toModelOutput: ({ output }) => modelOutput(output as Output)
  })
