/** What a step offers: the listed tools by their final names, which are checked here and nowhere else. */
import { Effect } from "effect"
import type { RunContext } from "../RunContext.ts"
import { ToolNameConflict, ToolsetDefinitionError, type ToolsetError } from "../ToolsetError.ts"
import { memoized } from "./memoized.ts"
import type { Listing, Run, Tool } from "./model.ts"

/** The tools of a step; what is listed is exactly what can be called. */
export interface Offer<out E = never> {
  readonly tools: ReadonlyArray<Tool<E>>
  readonly byName: ReadonlyMap<string, Tool<E>>
}

/** Lists, and checks that every name is unique and that a model's provider accepts it. */
export const collect = <E>(
  listing: Listing<E>,
  run: Run
): Effect.Effect<Offer<E>, E | ToolsetError, RunContext> => Effect.flatMapEager(listing.list(run), offer)

export const offer: <E>(tools: ReadonlyArray<Tool<E>>) => Effect.Effect<Offer<E>, ToolsetError> = memoized(
  <E>(tools: ReadonlyArray<Tool<E>>): Effect.Effect<Offer<E>, ToolsetError> => {
    const problem = nameConflict(tools) ?? illegalName(tools)
    return problem === undefined
      ? Effect.succeed({ tools, byName: new Map(tools.map((tool) => [tool.definition.name, tool])) })
      : Effect.fail(problem)
  }
)

/** The first name that several tools have, if there is one. */
export const nameConflict = (tools: ReadonlyArray<Tool<unknown>>): ToolNameConflict | undefined => {
  const seen = new Set<string>()
  for (const { definition } of tools) {
    if (seen.has(definition.name)) {
      const sources = tools
        .filter((tool) => tool.definition.name === definition.name)
        .map((tool) => tool.source)
      return new ToolNameConflict({ toolName: definition.name, sources })
    }
    seen.add(definition.name)
  }
  return undefined
}

const illegalName = (tools: ReadonlyArray<Tool<unknown>>): ToolsetDefinitionError | undefined => {
  const tool = tools.find((tool) => !legal.test(tool.definition.name))
  return tool === undefined
    ? undefined
    : new ToolsetDefinitionError({
        source: tool.source,
        problem: `'${tool.definition.name}' is no name that model providers accept.`,
        hint: "Use 1 to 64 of a-z, A-Z, 0-9, _ and -; Toolset.renamed gives a tool another name."
      })
}

const legal = /^[a-zA-Z0-9_-]{1,64}$/
