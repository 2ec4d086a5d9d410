/** One call of a tool of LangChain.js. */
import { ToolInputParsingException } from "@langchain/core/tools"
import { Effect } from "effect"
import { signalled } from "../interop/signalled.ts"
import { saidBy, threw } from "../interop/threw.ts"
import { ToolCall } from "../ToolCall.ts"
import type { ToolReturn } from "../ToolReturn.ts"
import type { OnError } from "../toolset/failure.ts"
import { invalidArguments } from "../toolset/invalidArguments.ts"
import type { Args, CallSignals } from "../toolset/model.ts"
import { anyResult } from "../toolset/result.ts"
import { LangChainToolError } from "./LangChainToolError.ts"
import { returned } from "./returned.ts"
import type { LangChainConfig, LangChainTool } from "./LangChainTool.ts"

export const invoked = (
  tool: LangChainTool,
  invoke: NonNullable<LangChainTool["invoke"]>,
  config: LangChainConfig,
  onError: OnError,
  args: Args
): Effect.Effect<ToolReturn, CallSignals | LangChainToolError, ToolCall> =>
  Effect.gen(function* () {
    // LangChain would take what is in them for the arguments, which nobody has checked or approved.
    if (args.type === "tool_call") return yield* invalidArguments("their `type` must not be `tool_call`")
    const { id, progress } = yield* ToolCall
    const services = yield* Effect.context<never>()
    const runId = crypto.randomUUID()
    let hasBegun = false
    const given = yield* signalled((signal) => {
      const began = (_tool: unknown, _input: unknown, ofRun: string) => {
        hasBegun ||= ofRun === runId
      }
      // What is told of a run is told of those within it, too.
      const handler = {
        awaitHandlers: true,
        handleToolStart: began,
        handleChainStart: began,
        handleToolEvent: async (event: unknown, ofRun: string) => {
          if (ofRun === runId && !signal.aborted) await Effect.runPromiseWith(services)(progress(event))
        }
      }
      return Effect.tryPromise({
        try: async () =>
          invoke.call(tool, inputOf(tool, args, id), { ...config, signal, runId, callbacks: [handler] }),
        catch: (cause) =>
          cause instanceof ToolInputParsingException && !hasBegun
            ? invalidArguments(saidBy(cause))
            : threw(
                onError,
                cause,
                (problem) => new LangChainToolError({ toolName: tool.name, problem, cause })
              )
      })
    })
    return yield* Effect.flatMap(returned(given), anyResult.encode)
  })

/** Arguments give the value itself, a call gives a message with its artifact. */
const inputOf = ({ name, responseFormat }: LangChainTool, args: Args, id: string): unknown =>
  responseFormat === "content_and_artifact" ? { type: "tool_call", id, name, args } : args
