// Vercel AI SDK v7: ToolLoop through generateText + MockLanguageModelV4. Variants: ai (zod schemas), ai-prepare (prepareStep filters to 10 active tools per step).
const t0 = performance.now()
const { generateText, tool, isStepCount, stepCountIs, jsonSchema: aiJson } = await import("ai")
const importMs = performance.now() - t0
const { MockLanguageModelV4 } = await import("ai/test")
import { z } from "zod"
import {
  main,
  jsonSchema,
  zodSchema,
  toolName,
  execute,
  Script,
  touch,
  ARGS_JSON,
  version
} from "./harness.mjs"
const variant = process.env.VARIANT ?? "zod"
const stop = isStepCount ?? stepCountIs
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}
const build = (T) => {
  const tools = {}
  for (let i = 0; i < T; i++) {
    tools[toolName(i)] = tool({
      description: `Tool ${i}`,
      inputSchema: variant === "json" ? aiJson(jsonSchema()) : zodSchema(z),
      execute: async (a) => execute(a)
    })
  }
  return tools
}
const model = (script) =>
  new MockLanguageModelV4({
    doGenerate: async (o) => {
      for (const t of o.tools ?? []) touch(t.name, t.inputSchema)
      const calls = script.next()
      return calls
        ? {
            content: calls.map((c) => ({
              type: "tool-call",
              toolCallId: c.id,
              toolName: c.name,
              input: ARGS_JSON
            })),
            finishReason: { unified: "tool-calls", raw: "tool_calls" },
            usage,
            warnings: []
          }
        : {
            content: [{ type: "text", text: "done" }],
            finishReason: { unified: "stop", raw: "stop" },
            usage,
            warnings: []
          }
    }
  })
const setup = (T) => {
  const tools = build(T)
  const prepareStep =
    variant === "prepare"
      ? ({ stepNumber }) => {
          const at = (stepNumber * 7) % T
          const active = []
          for (let j = 0; j < 10; j++) active.push(toolName((at + j * 3) % T))
          return { activeTools: active }
        }
      : undefined
  return {
    async run(steps, parallel) {
      const r = await generateText({
        model: model(new Script(T, steps, parallel)),
        tools,
        prompt: "go",
        stopWhen: stop(steps + 5),
        prepareStep: parallel === 1 ? prepareStep : undefined
      })
      return r.text
    }
  }
}
await main({
  name: `ai-${variant}`,
  versions: { ai: version("ai"), zod: version("zod") },
  importMs,
  setup,
  build
})
