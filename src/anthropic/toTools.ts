import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool"
import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError"
import { Prompt } from "effect/ai"
import type { Part, Result, Run, Tool } from "../neutral/model.ts"
import { textOf } from "../neutral/result.ts"

/**
 * The tools of a run for the tool runner of the Anthropic SDK, `client.beta.messages.toolRunner`, which `runUntilDone`
 * drives.
 *
 * Arguments are validated by the toolset alone. The runner has no pause: tools that need approval are refused.
 */
export const toTools = (run: Run): Array<BetaRunnableTool> => run.tools.map(anthropicTool)

const anthropicTool = (tool: Tool): BetaRunnableTool => ({
  type: "custom",
  name: tool.name,
  ...(tool.description === undefined ? {} : { description: tool.description }),
  input_schema: tool.parameters as { readonly type: "object" },
  parse: (args) => args,
  run: async (args, context) => {
    const result = await tool.call(args, context?.signal, { id: context?.toolUse.id })
    return result.isError ? Promise.reject(new ToolError(textOf(result))) : contentOf(result)
  }
})

type Content = Awaited<ReturnType<BetaRunnableTool["run"]>>
type Block = Exclude<Content, string>[number]

const contentOf = (result: Result): Content => result.parts?.map(block) ?? textOf(result)

const block = (part: Part): Block => {
  if (part.type === "text") return { type: "text", text: part.text }
  const { data, mediaType } = part
  const isImage = mediaType.startsWith("image/")
  if (!isImage && mediaType !== "application/pdf") {
    return { type: "text", text: Prompt.toolModelOutputToText([part]) }
  }
  const source =
    data instanceof URL
      ? ({ type: "url", url: data.href } as const)
      : ({ type: "base64", media_type: mediaType as never, data } as const)
  return { type: isImage ? "image" : "document", source }
}
