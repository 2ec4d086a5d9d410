/** Tools that are there, but are not offered before a search has found them. What was found is in the history. */
import { Predicate } from "effect"
import { memoized } from "./memoized.ts"
import type { Run, Tool } from "./model.ts"

/** What a search answers with, and what is read of its answers again. */
export interface Findings {
  readonly tools: ReadonlyArray<{ readonly name: string; readonly description?: string | undefined }>
  readonly message?: string | undefined
}

/** What of a list may be called now: first what nobody hides, then what was found, as it was found. */
export const offeredOf = <E>(tools: ReadonlyArray<Tool<E>>, run: Run): ReadonlyArray<Tool<E>> => {
  const { hidden, searches } = soughtIn(tools)
  if (searches.size + hidden.size === 0) return tools
  const found = new Set<Tool<unknown>>()
  for (const [search, name] of findingsIn(run, searches)) {
    const tool = hidden.get(name)
    if (tool !== undefined && tool.foundBy === searches.get(search)!.finds) found.add(tool)
  }
  const sought = new Set(Array.from(hidden.values(), (tool) => tool.foundBy))
  // A search that can find nothing, since what it finds was left out, is left out, too.
  const visible = tools.filter(
    (tool) => tool.foundBy === undefined && (tool.finds === undefined || sought.has(tool.finds))
  )
  // What is hidden in a list is one of its tools.
  return [...visible, ...(found as Set<Tool<E>>)]
}

/** What searches, and what has to be found, by their names. */
const soughtIn = memoized((tools: ReadonlyArray<Tool<unknown>>) => ({
  searches: named(tools.filter((tool) => tool.finds !== undefined)),
  hidden: named(tools.filter((tool) => tool.foundBy !== undefined))
}))

/** Tools by the names under which they are called. */
export const named = <E>(tools: ReadonlyArray<Tool<E>>): ReadonlyMap<string, Tool<E>> =>
  new Map(tools.map((tool) => [tool.definition.name, tool]))

/** Who found what, in the order in which it was found. */
const findingsIn = (
  { messages }: Run,
  searches: ReadonlyMap<string, unknown>
): ReadonlyArray<readonly [search: string, found: string]> =>
  messages.content.flatMap((message) =>
    message.role !== "tool"
      ? []
      : message.content.flatMap((part) =>
          part.type === "tool-result" && !part.isFailure && searches.has(part.name)
            ? namesIn(part.result).map((found) => [part.name, found] as const)
            : []
        )
  )

/** Histories come from elsewhere, too. */
const namesIn = (result: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(result, "tools") && Array.isArray(result.tools)
    ? result.tools.flatMap((tool: unknown) =>
        Predicate.hasProperty(tool, "name") && Predicate.isString(tool.name) ? [tool.name] : []
      )
    : []
