import type { ToolSet } from "ai"
import { Effect } from "effect"
import type { OnError } from "../toolset/failure.ts"
import { fixed } from "../toolset/listing.ts"
import { lightLeaf, type Toolset } from "../toolset/model.ts"
import { once } from "../toolset/once.ts"
import type { AiSdkToolError } from "./AiSdkToolError.ts"
import { listed } from "./listed.ts"
import type { Sdk } from "./held.ts"

/**
 * - `onError`: what becomes of a tool that throws: `retry` (default; the model mends its call), `recover` (the model reads
 *   it, nothing is counted), `fail` (`AiSdkToolError` in `E`).
 * - `toolsContext`: the context of each tool that takes one, by its name, as in `generateText`.
 */
export interface FromToolsOptions<Mode extends OnError | undefined = OnError | undefined> {
  readonly onError?: Mode
  readonly toolsContext?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Tools of the AI SDK: a record of them, as `generateText` takes it.
 *
 * Arguments are validated by the tool's own schema, and results are what `toModelOutput` makes of them. Each value that
 * an `execute` yields is progress, the last one the result; its `abortSignal` is aborted where the call is interrupted.
 * `needsApproval` asks first; a tool without `execute` is an external one. A tool that the provider defines, and one whose
 * schema cannot be printed or has no object as root, is a `ToolsetDefinitionError`.
 *
 * ```ts run
 * import { tool } from "ai"
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as AiSdk from "effect-toolset/AiSdk"
 * import { z } from "zod"
 *
 * const tools = AiSdk.fromTools({
 *   add: tool({
 *     description: "Adds two numbers.",
 *     inputSchema: z.object({ a: z.number(), b: z.number() }),
 *     execute: async ({ a, b }) => a + b
 *   })
 * }).pipe(Toolset.prefixed("math"))
 * console.log(await Effect.runPromise(Toolset.call(tools, "math_add", { a: 1, b: 2 })))
 * //> 3
 * ```
 */
export const fromTools = <Mode extends OnError | undefined = "retry">(
  tools: ToolSet,
  options?: FromToolsOptions<Mode>
): Toolset<Mode extends "fail" ? AiSdkToolError : never> => {
  const { onError = "retry", toolsContext = {} } = options ?? {}
  return lightLeaf(
    "aiSdk",
    once(
      Effect.map(
        Effect.forEach(Object.entries(tools), ([name, tool]) =>
          // The same, but that their optional fields take `undefined`.
          listed(name, tool as Sdk, toolsContext[name], onError)
        ),
        // With another policy than `fail` none of them fails.
        (tools) => fixed<Mode extends "fail" ? AiSdkToolError : never>(tools as never)
      )
    )
  )
}
