/** What a step offers: the listed tools by their final names, which are checked here and nowhere else. */
import { Context, Effect, Inspectable, Predicate } from "effect"
import type { RunContext } from "../RunContext.ts"
import { ToolNameConflict, ToolsetDefinitionError, type ToolsetError } from "../ToolsetError.ts"
import { named, offeredOf } from "./discovery.ts"
import { memoized, stable } from "./memoized.ts"
import type { Listing, Run, Tool } from "./model.ts"

/** The tools of a step; what is listed is exactly what can be called. */
export interface Offer<out E = never> {
  readonly tools: ReadonlyArray<Tool<E>>
  readonly byName: ReadonlyMap<string, Tool<E>>
  /** What is there, and has to be found first. */
  readonly hidden: ReadonlyMap<string, Tool<E>>
}

/** What the model is offered, for tools that look at it: whoever calls them supplies it. */
export const Offered = Context.Reference<Offer<unknown>>("effect-toolset/Offered", {
  defaultValue: () => ({ tools: [], byName: new Map(), hidden: new Map() })
})

/** Lists, and checks that every name is unique and that a model's provider accepts it. */
export const collect = <E>(
  listing: Listing<E>,
  run: Run
): Effect.Effect<Offer<E>, E | ToolsetError, RunContext> =>
  Effect.flatMapEager(listing.list(run), (tools) => offer(tools, run))

/** The same offer, where the tools are the same and nothing was found meanwhile. */
export const offer = <E>(tools: ReadonlyArray<Tool<E>>, run: Run): Effect.Effect<Offer<E>, ToolsetError> => {
  const problem = problemOf(tools)
  // Offers are remembered by tools of any type; what is found under a list was made of it.
  return problem === undefined
    ? Effect.succeed(offersOf(tools)(offeredOf(tools, run)) as Offer<E>)
    : Effect.fail(problem)
}

const problemOf = memoized(
  (tools: ReadonlyArray<Tool<unknown>>): ToolsetError | undefined => nameConflict(tools) ?? illegalName(tools)
)

const offersOf = memoized((all: ReadonlyArray<Tool<unknown>>) => {
  const same = stable<Tool<unknown>>()
  const of = memoized((tools: ReadonlyArray<Tool<unknown>>): Offer<unknown> => {
    const byName = named(tools)
    return { tools, byName, hidden: named(all.filter((tool) => !byName.has(tool.definition.name))) }
  })
  return (offered: ReadonlyArray<Tool<unknown>>): Offer<unknown> => of(same(offered))
})

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
  const tool = tools.find(({ definition: { name } }) => !Predicate.isString(name) || !legal.test(name))
  return tool === undefined
    ? undefined
    : new ToolsetDefinitionError({
        source: tool.source,
        problem: `${Predicate.isString(tool.definition.name) ? `'${tool.definition.name}'` : Inspectable.toStringUnknown(tool.definition.name, 0)} is no name that model providers accept.`,
        hint: "Use 1 to 64 of a-z, A-Z, 0-9, _ and -; Toolset.renamed gives a tool another name."
      })
}

const legal = /^[a-zA-Z0-9_-]{1,64}$/
