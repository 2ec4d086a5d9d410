import type { StructuredTool } from "@langchain/core/tools"
import type { Run } from "../neutral/model.ts"
import { langChainTool } from "./tool.ts"

/**
 * The tools of a run for LangChain.js: for `bindTools`, a `ToolNode`, a chain. For `createAgent` see
 * `effect-toolset/LangChainAgent`.
 *
 * Arguments are validated by the toolset alone. Called with a tool call they give a `ToolMessage` that says whether it is
 * an error, else text. Tools that need approval are refused, since LangChain.js asks nobody before a tool.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as LangChain from "effect-toolset/LangChain"
 * import * as Neutral from "effect-toolset/Neutral"
 *
 * const double = Toolset.tool("double", {
 *   parameters: Schema.Struct({ n: Schema.Finite }),
 *   handler: ({ n }) => Effect.succeed(n * 2)
 * })
 * const program = Neutral.run(double, async (run) => {
 *   const [tool] = LangChain.toTools(run)
 *   const message = await tool!.invoke({ type: "tool_call", id: "1", name: "double", args: { n: "?" } })
 *   return [message.status, message.text, await tool!.invoke({ n: 21 })]
 * })
 * console.log(await Effect.runPromise(program))
 * //> [
 * //>   'error',
 * //>   'Invalid arguments: Expected number\n' +
 * //>     '  at ["n"]\n' +
 * //>     '\n' +
 * //>     'Fix the errors and try again.',
 * //>   '42'
 * //> ]
 * ```
 */
export const toTools = (run: Run): Array<StructuredTool> =>
  run.tools.map((tool) => langChainTool(tool, false))
