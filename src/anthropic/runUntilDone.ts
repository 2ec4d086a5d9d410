import type { BetaToolRunner } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner"
import type { BetaMessage } from "@anthropic-ai/sdk/resources/beta"
import type { Run } from "../neutral/model.ts"

/**
 * Drives a tool runner of the Anthropic SDK until the model is done, and stops it when a tool fails for good. A turn that
 * was cut off runs no tools.
 *
 * ```ts run
 * import Anthropic from "@anthropic-ai/sdk"
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 * import { runUntilDone, toTools } from "effect-toolset/Anthropic"
 * import * as Neutral from "effect-toolset/Neutral"
 *
 * const temperature = Toolset.tool("temperature", {
 *   parameters: Schema.Struct({ city: Schema.String }),
 *   handler: ({ city }) => Effect.succeed(`21 °C in ${city}`)
 * })
 * // In production: `new Anthropic()`.
 * const turns = [
 *   { stop_reason: "tool_use", content: [{ type: "tool_use", id: "1", name: "temperature", input: { city: "Paris" } }] },
 *   { stop_reason: "end_turn", content: [{ type: "text", text: "It is warm." }] }
 * ]
 * const usage = { input_tokens: 1, output_tokens: 1 }
 * const fetch = async () => Response.json({ type: "message", role: "assistant", usage, ...turns.shift() })
 * const client = new Anthropic({ apiKey: "none", fetch })
 *
 * const program = Neutral.run(temperature, (run) => {
 *   const runner = client.beta.messages.toolRunner({
 *     model: "claude",
 *     max_tokens: 1000,
 *     messages: [{ role: "user", content: "Paris?" }],
 *     tools: toTools(run)
 *   })
 *   return runUntilDone(run, runner)
 * })
 * const message = await Effect.runPromise(program)
 * console.log(message.content)
 * //> [ { type: 'text', text: 'It is warm.' } ]
 * ```
 */
export const runUntilDone = async (run: Run, runner: BetaToolRunner<boolean>): Promise<BetaMessage> => {
  runner.setRequestOptions((options) => ({
    ...options,
    signal: options?.signal ? AbortSignal.any([options.signal, run.signal]) : run.signal
  }))
  await run.next()
  for await (const turn of runner) {
    const message = "finalMessage" in turn ? await turn.finalMessage() : turn
    if (message.stop_reason === "tool_use") await runner.generateToolResponse()
    if (run.signal.aborted) return Promise.reject(run.signal.reason)
    if (message.stop_reason === "tool_use") await run.next()
  }
  return runner.done()
}
