/** The AI SDK, in whichever version, with its own mock model. */
import type * as Sdk from "ai"
import type { MockLanguageModelV4 } from "ai/test"
import * as AiSdk from "effect-toolset/AiSdk"
import type { Framework, Request, Turn } from "./framework.ts"

type Mock = typeof MockLanguageModelV4
type Options = Parameters<InstanceType<Mock>["doGenerate"]>[0]

/** A model that answers with the turns, whether it generates or streams. */
export const modelOf = (Model: Mock, turns: ReadonlyArray<Turn>, seen: Array<Request>) => {
  let at = 0
  const contentOf = (options: Options) => {
    seen.push(requestOf(options))
    const number = at++
    const turn = turns[number]!
    if (typeof turn === "string") return [{ type: "text" as const, text: turn }]
    return turn.map(({ args, name }, i) => ({
      type: "tool-call" as const,
      toolCallId: `call-${number}-${i}`,
      toolName: name,
      input: JSON.stringify(args)
    }))
  }
  return new Model({
    supportedUrls: { "*": [/.*/] },
    doGenerate: async (options) => {
      const content = contentOf(options)
      const unified = content.some((part) => part.type === "tool-call") ? "tool-calls" : "stop"
      return { content, finishReason: { unified, raw: unified }, usage, warnings: [] }
    }
  })
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}

const requestOf = ({ prompt, tools = [] }: Options): Request => {
  const last = prompt.at(-1)
  return {
    tools: tools.flatMap((tool) =>
      tool.type === "function"
        ? [{ name: tool.name, description: tool.description, parameters: tool.inputSchema }]
        : []
    ),
    results:
      last?.role === "tool"
        ? last.content.flatMap((part) => (part.type === "tool-result" ? [resultOf(part.output)] : []))
        : []
  }
}

type Output = Extract<Options["prompt"][number], { role: "tool" }>["content"][number] & {
  type: "tool-result"
}

const resultOf = (output: Output["output"]): Request["results"][number] => {
  switch (output.type) {
    case "text":
    case "error-text":
      return { text: output.value, isError: output.type === "error-text" }
    case "json":
    case "error-json":
      return { text: JSON.stringify(output.value), isError: output.type === "error-json" }
    default:
      return { text: JSON.stringify(output), isError: output.type === "execution-denied" }
  }
}

export const aiSdk = (name: string, { generateText, isStepCount }: typeof Sdk, Model: Mock): Framework => ({
  name,
  hasFlag: true,
  follows: true,
  drive: async (run, turns, seen, how) => {
    const options = AiSdk.toOptions(run)
    const { text } = await generateText({
      model: modelOf(Model, turns, seen),
      prompt: "Go.",
      stopWhen: isStepCount(8),
      ...(how?.bare === true ? { tools: options.tools } : options)
    })
    return text
  }
})
