import { Effect, Result } from "effect"
import { saidBy } from "../interop/threw.ts"
import { ToolsetDefinitionError } from "../ToolsetError.ts"
import type { OnError } from "../toolset/failure.ts"
import { fixed } from "../toolset/listing.ts"
import { memoized, memoizedByItems } from "../toolset/memoized.ts"
import { leaf, lightLeaf, type Toolset } from "../toolset/model.ts"
import type { LangChainToolError } from "./LangChainToolError.ts"
import { listed } from "./listed.ts"
import type { LangChainConfig, LangChainTool, LangChainToolkit } from "./LangChainTool.ts"

/**
 * - `onError`: what becomes of a tool that throws: `retry` (default; the model mends its call), `recover` (the model reads
 *   it, nothing is counted), `fail` (`LangChainToolError` in `E`).
 * - `config`: what tools are told with each call: `configurable`, `context`, `metadata`, `tags`.
 */
export interface FromToolsOptions<Mode extends OnError | undefined = OnError | undefined> {
  readonly onError?: Mode
  readonly config?: LangChainConfig | undefined
}

/**
 * Tools of LangChain.js, or a toolkit, which is asked for its tools each time the toolset is opened.
 *
 * Arguments are validated by the tool's own schema. The result is what the tool gives; an artifact is the result's
 * metadata, images and files in its content go to the model as files. What a generator yields is progress. The `signal`
 * is aborted where the call is interrupted. A schema that cannot be printed or has no object as root is a
 * `ToolsetDefinitionError`.
 *
 * ```ts run
 * import { tool } from "@langchain/core/tools"
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as LangChain from "effect-toolset/LangChain"
 * import { z } from "zod"
 *
 * const shout = tool(async ({ text }) => text.toUpperCase(), {
 *   name: "shout",
 *   description: "Says it loudly.",
 *   schema: z.object({ text: z.string() })
 * })
 * const tools = LangChain.fromTools([shout]).pipe(Toolset.prefixed("voice"))
 * console.log(await Effect.runPromise(Toolset.call(tools, "voice_shout", { text: "hello" })))
 * //> HELLO
 * ```
 */
export const fromTools = <Mode extends OnError | undefined = "retry">(
  tools: ReadonlyArray<LangChainTool> | LangChainToolkit,
  options?: FromToolsOptions<Mode>
): Toolset<Mode extends "fail" ? LangChainToolError : never> => {
  type Failure = Mode extends "fail" ? LangChainToolError : never
  const { config = {}, onError = "retry" } = options ?? {}
  const toolOf = memoized((tool: LangChainTool) => listed(tool, config, onError))
  const listing = memoizedByItems((tools: ReadonlyArray<LangChainTool>) =>
    Result.map(
      Result.all(tools.map(toolOf)),
      // With another policy than `fail` none of them fails.
      (tools) => fixed<Failure>(tools as never)
    )
  )
  if (!("getTools" in tools)) {
    return lightLeaf<Failure, never>(
      "langchain",
      Effect.suspend(() => Effect.fromResult(listing(tools)))
    )
  }
  return leaf<Failure, never>("langchain", () =>
    Effect.flatMap(toolsOf(tools), (tools) => Effect.fromResult(listing(tools)))
  )
}

const toolsOf = (toolkit: LangChainToolkit) =>
  Effect.try({
    try: () => toolkit.getTools(),
    catch: (cause) =>
      new ToolsetDefinitionError({
        source: "langchain",
        problem: `The toolkit cannot be asked for its tools: ${saidBy(cause)}`,
        hint: "See what its `getTools` needs."
      })
  })
