import type { StructuredTool } from "@langchain/core/tools"
import { type AgentMiddleware, createMiddleware, humanInTheLoopMiddleware } from "langchain"
import type { Run, Tool } from "../neutral/model.ts"
import { memoized } from "../toolset/memoized.ts"
import { type Following, following, langChainTool } from "./tool.ts"

/** What `createAgent` of `langchain` takes of a run. */
export interface LangChainAgentOptions {
  readonly tools: Array<StructuredTool>
  readonly middleware: [AgentMiddleware, AgentMiddleware]
}

/**
 * The tools of a run for an agent of `langchain`, and what stops it when a tool fails for good. Calls that are under way
 * then are interrupted where the run's `signal` is given to `invoke` or `stream`.
 *
 * Tools that need approval interrupt the agent as `humanInTheLoopMiddleware` does; that takes a checkpointer.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as LangChainAgent from "effect-toolset/LangChainAgent"
 * import * as Neutral from "effect-toolset/Neutral"
 * import { AIMessage, createAgent, fakeModel } from "langchain"
 *
 * const temperature = Toolset.tool("temperature", {
 *   parameters: Schema.Struct({ city: Schema.String }),
 *   handler: ({ city }) => Effect.succeed(`21 °C in ${city}`)
 * })
 * // In production: the name of a model.
 * const model = fakeModel()
 *   .respondWithTools([{ name: "temperature", args: { city: "Paris" } }])
 *   .respond(new AIMessage("It is warm."))
 *
 * const program = Neutral.run(temperature, (run) =>
 *   createAgent({ model, ...LangChainAgent.toOptions(run) }).invoke({ messages: "Paris?" }, { signal: run.signal })
 * )
 * const { messages } = await Effect.runPromise(program)
 * console.log(messages.slice(2).map((message) => message.text))
 * //> [ '21 °C in Paris', 'It is warm.' ]
 * ```
 */
export const toOptions = (run: Run): LangChainAgentOptions => {
  const called = memoized((tool: Tool) => langChainTool(tool, true))
  /** By name, what there is or was: an agent refuses another tool in the place of one that it has. */
  const known = new Map<string, Following>()
  let now: ReadonlyMap<string, Tool> = new Map()
  /** The middleware reads it anew for each response. */
  const interruptOn: Record<string, boolean> = {}
  const offer = (tools: ReadonlyArray<Tool>) => {
    now = new Map(tools.map((tool) => [tool.name, tool]))
    for (const tool of tools) {
      interruptOn[tool.name] = tool.needsApproval
      const follower = known.get(tool.name)
      if (follower === undefined) known.set(tool.name, following(tool))
      else follower.follow(tool)
    }
  }
  const offered = () => Array.from(now.keys(), (name) => known.get(name)!.tool)
  offer(run.tools)

  // The type of its options is lost between two versions of zod's declarations.
  const asking = humanInTheLoopMiddleware({ interruptOn } as never)
  const running = createMiddleware({
    name: "EffectToolset",
    beforeModel: async () => offer(await run.next()),
    wrapModelCall: (request, handler) => {
      const ours = new Set<unknown>(Array.from(known.values(), ({ tool }) => tool))
      const others = request.tools.filter((tool) => !ours.has(tool))
      return handler({ ...request, tools: [...others, ...offered()] })
    },
    wrapToolCall: async (request, handler) => {
      // Whoever was to be asked before this call has been asked.
      const tool = now.get(request.toolCall.name)
      const message = await handler(tool === undefined ? request : { ...request, tool: called(tool) })
      return run.signal.aborted ? Promise.reject(run.signal.reason) : message
    }
  })
  return { tools: offered(), middleware: [asking, running] }
}
