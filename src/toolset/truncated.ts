import { Effect } from "effect"
import { dual } from "effect/Function"
import { withoutSecrets } from "../secrets/withoutSecrets.ts"
import { ToolReturn } from "../ToolReturn.ts"
import { ToolFailed } from "../ToolSignal.ts"
import { cutParts, cutValue, leastBytes, type Limits, sizeOf } from "./cut.ts"
import { type Flaw, flawed } from "./flawed.ts"
import { maskedReturn } from "./maskedReturn.ts"
import { memoized } from "./memoized.ts"
import type { Tool, Toolset } from "./model.ts"
import { mapTool } from "./transform.ts"
import { allowingNotes } from "./truncatedReturns.ts"

/** How long a result may be, in items, bytes or both, and what becomes of one that is longer. */
export interface TruncatedOptions extends Limits {
  /** `note` (default) says in the result what was left out; `raise` tells the model to narrow its question. */
  readonly onTruncate?: "note" | "raise" | undefined
}

/**
 * Cuts results that are too long for a model.
 *
 * - `maxItems`: of the list that a result is, or that is found in it at `path` (`"data.rows"`). The list becomes
 *   `{ items, truncated: true, total_items, returned_items }`.
 * - `maxBytes`: of the result as JSON. Keeps as many items of the list as fit; what is no list becomes
 *   `{ text, truncated: true, total_bytes, returned_bytes }`. Texts of `content` and `modelOutput` are cut too, files are not.
 *
 * A result within its limits is left alone; twice is once. The schema of the result says that it may be cut. What is cut
 * is cut without its `Secrets`, where there are any: half of one would be found by nobody.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const all = Toolset.tool("all", { handler: () => Effect.succeed([1, 2, 3, 4]) })
 * console.log(Effect.runSync(Toolset.call(all.pipe(Toolset.truncated({ maxItems: 2 })), "all", {})))
 * //> { items: [ 1, 2 ], truncated: true, total_items: 4, returned_items: 2 }
 * ```
 */
export const truncated: {
  (options: TruncatedOptions): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(self: Toolset<E, R>, options: TruncatedOptions): Toolset<E, R>
} = dual(2, <E, R>(self: Toolset<E, R>, options: TruncatedOptions): Toolset<E, R> => {
  const flaw = limitsFlaw(options)
  if (flaw !== undefined) return flawed(self, "truncated", flaw)
  const raises = options.onTruncate === "raise"
  const define = memoized(allowingNotes(options))
  // What a search has found is read again, as it was found.
  const cutting = (tool: Tool<E>): Tool<E> => ({
    ...tool,
    definition: raises ? tool.definition : define(tool.definition),
    call: (args) =>
      Effect.flatMap(tool.call(args), (result) => {
        if (truncatedReturn(result, options) === undefined) return Effect.succeed(result)
        return Effect.flatMap(withoutSecrets, (mask) => {
          const shown = maskedReturn(mask, result)
          const cut = truncatedReturn(shown, options)
          return cut !== undefined && raises
            ? Effect.fail(tooLong(shown, options))
            : Effect.succeed(cut ?? shown)
        })
      })
  })
  return mapTool<E, R, never>(self, "truncated", (tool) => (tool.finds === undefined ? cutting(tool) : tool))
})

/** Nothing, where it is within its limits. */
const truncatedReturn = (result: ToolReturn, limits: Limits): ToolReturn | undefined => {
  const value = cutValue(result.value, limits)
  const content = cutParts(result.content, limits)
  const modelOutput = result.modelOutput === undefined ? undefined : cutParts(result.modelOutput, limits)
  return value === undefined && content === undefined && modelOutput === undefined
    ? undefined
    : new ToolReturn({
        ...result,
        value: value === undefined ? result.value : value.value,
        content: content ?? result.content,
        modelOutput: modelOutput ?? result.modelOutput
      })
}

const tooLong = (result: ToolReturn, limits: Limits): ToolFailed => {
  const size = sizeOf(result, limits)
  return new ToolFailed({
    message: `The result is too long: ${size.is}, and at most ${size.most} are allowed. Narrow the query.`
  })
}

const limitsFlaw = ({ maxBytes, maxItems }: Limits): Flaw | undefined => {
  if (maxItems === undefined && maxBytes === undefined) {
    return { problem: "There is no limit.", hint: "Give maxItems, maxBytes or both." }
  }
  if (maxItems !== undefined && !(Number.isInteger(maxItems) && maxItems >= 0)) {
    return { problem: `The number of items is ${maxItems}.`, hint: "Give a whole number of at least 0." }
  }
  return maxBytes !== undefined && !(Number.isInteger(maxBytes) && maxBytes >= leastBytes)
    ? {
        problem: `The number of bytes is ${maxBytes}.`,
        hint: `Give a whole number of at least ${leastBytes}: a note of what was left out has to fit.`
      }
    : undefined
}
