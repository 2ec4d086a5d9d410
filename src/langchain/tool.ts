/** A neutral tool as LangChain.js has them. */
import { ToolMessage } from "@langchain/core/messages"
import { DynamicStructuredTool, type ToolRunnableConfig } from "@langchain/core/tools"
import { Predicate } from "effect"
import type { Part, Result, Tool } from "../neutral/model.ts"
import { textOf } from "../neutral/result.ts"

/** `asked` says that whoever calls it has asked somebody, where the tool needs that. */
export const langChainTool = (tool: Tool, asked: boolean): DynamicStructuredTool =>
  new Unvalidated({
    name: tool.name,
    description: descriptionOf(tool),
    schema: tool.parameters,
    func: async (args, _manager, config?: ToolRunnableConfig) => {
      const id = config?.toolCall?.id
      const known = { id, approved: asked && tool.needsApproval, turn: config?.metadata?.langgraph_step }
      const result = await tool.call(args, config?.signal, known)
      return id === undefined
        ? contentOf(result)
        : new ToolMessage({
            content: contentOf(result),
            tool_call_id: id,
            name: tool.name,
            status: result.isError ? "error" : "success"
          })
    }
  })

/** A tool that stays the same while what it tells of itself changes from turn to turn. */
export interface Following {
  readonly tool: DynamicStructuredTool
  readonly follow: (now: Tool) => void
}

export const following = (first: Tool): Following => {
  let now = first
  const tool = Object.defineProperties(langChainTool(first, false), {
    description: { get: () => descriptionOf(now) },
    schema: { get: () => now.parameters }
  })
  return { tool, follow: (tool) => void (now = tool) }
}

const descriptionOf = ({ description, name }: Tool): string => description ?? name

/**
 * What LangChain.js finds wrong with arguments it tells the model as an error with its stack; here it finds nothing. Those
 * of a call are wrapped, since it would take what looks like a call itself for one.
 */
class Unvalidated extends DynamicStructuredTool {
  override call(
    args: Parameters<DynamicStructuredTool["call"]>[0] = {},
    config?: Parameters<DynamicStructuredTool["call"]>[1],
    tags?: Array<string>
  ): ReturnType<DynamicStructuredTool["call"]> {
    const isOfCall = Predicate.hasProperty(config, "toolCall")
    const bare = Object.create(this, { schema: { value: {} } })
    return super.call.call(bare, isOfCall ? { type: "tool_call", args } : args, config, tags)
  }
}

type Content = string | Array<Record<string, unknown> & { readonly type: string }>

const contentOf = (result: Result): Content => result.parts?.map(block) ?? textOf(result)

const block = (part: Part): Exclude<Content, string>[number] => {
  if (part.type === "text") return { type: "text", text: part.text }
  const { data, fileName, mediaType } = part
  const [kind = ""] = mediaType.split("/")
  return {
    type: ["image", "audio", "video"].includes(kind) ? kind : "file",
    mimeType: mediaType,
    ...(data instanceof URL ? { url: data.href } : { data }),
    ...(fileName === undefined ? {} : { metadata: { filename: fileName } })
  }
}
