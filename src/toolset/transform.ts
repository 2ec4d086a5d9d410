/** The one primitive of the algebra, and its common cases: everything unary is a line over one of them. */
import { Effect } from "effect"
import type { RunContext } from "../RunContext.ts"
import type { ToolDefinition } from "../ToolDefinition.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import { fixed, listedOncePerStep, mapped, varying } from "./listing.ts"
import { memoized } from "./memoized.ts"
import { type Listing, make, nodeOf, type Run, type Tool, type Toolset } from "./model.ts"

type Tools<E> = ReadonlyArray<Tool<E>>

/**
 * Transforms a toolset as it opens. `name` says what was done, in labels: `filtered(github)`.
 *
 * What `f` does not touch is carried: `id`, children, instructions. `R2` is also what the listing that comes out asks for.
 */
export const transform = <E, R, E2, R2>(
  self: Toolset<E, R>,
  name: string,
  f: Transformation<E, R, E2, R2>
): Toolset<E2, R2> => transforming(self, name, f, false)

type Transformation<E, R, E2, R2> = (
  opened: Effect.Effect<Listing<E>, E | ToolsetError, R>
) => Effect.Effect<Listing<E2>, E2 | ToolsetError, R2>

/** `isPure`: `f` acquires nothing and remembers nothing, so that what is light stays so. */
const transforming = <E, R, E2, R2>(
  self: Toolset<E, R>,
  name: string,
  f: Transformation<E, R, E2, R2>,
  isPure: boolean
): Toolset<E2, R2> => {
  const { light } = nodeOf(self)
  return make({
    name,
    label: `${name}(${self.label})`,
    id: self.id,
    children: [self],
    build: (opening) => f(opening.open(self)),
    light: isPure && light !== undefined ? Effect.map(f(light), listedOncePerStep) : undefined,
    // `f` is made for any inner toolset: what stands in the place of `self` has other types, which nobody can name.
    over: (replace) => transforming(replace(self) as Toolset<E, R>, name, f, isPure)
  })
}

/** Maps the list. It depends on the list alone: a fixed one is mapped once for all runs, one that came before not again. */
export const mapTools = <E, R, E2>(
  self: Toolset<E, R>,
  name: string,
  f: (tools: Tools<E>, fixed: boolean) => Effect.Effect<Tools<E2>, ToolsetError>
): Toolset<E | E2, R> => {
  const map = memoized((listing: Listing<E>): Effect.Effect<Listing<E | E2>, ToolsetError> => {
    const { instructions, list } = listing
    if (listing.fixed !== undefined) {
      return Effect.mapEager(f(listing.fixed, true), (tools) => fixed<E | E2>(tools, instructions))
    }
    const map = memoized((tools: Tools<E>) => f(tools, false))
    return Effect.succeed(varying<E | E2>((run) => Effect.flatMapEager(list(run), map), instructions))
  })
  return transforming(self, name, Effect.flatMap(map), true)
}

/** Maps the list at each step, with what is known about the run. */
export const mapToolsPerStep = <E, R, E2, R2>(
  self: Toolset<E, R>,
  name: string,
  f: PerStep<E, E2>
): Toolset<E | E2, R | R2> =>
  transforming<E, R, E | E2, R | R2>(
    self,
    name,
    Effect.map(memoized((listing) => mappedPerStep(listing, f))),
    true
  )

/** Maps the list at each step, by a function that is made anew each time the toolset is opened. */
export const mapToolsPerOpening = <E, R, E2, R2>(
  self: Toolset<E, R>,
  name: string,
  start: () => PerStep<E, E2>
): Toolset<E | E2, R | R2> =>
  transform<E, R, E | E2, R | R2>(
    self,
    name,
    Effect.map((listing) => mappedPerStep(listing, start()))
  )

type PerStep<E, E2> = (tools: Tools<E>, run: Run) => Effect.Effect<Tools<E>, E2 | ToolsetError, RunContext>

const mappedPerStep = <E, E2>({ instructions, list }: Listing<E>, f: PerStep<E, E2>): Listing<E | E2> =>
  varying<E | E2>((run) => Effect.flatMapEager(list(run), (tools) => f(tools, run)), instructions)

/** Maps each tool, alone, and a fixed list once for all runs. */
export const mapTool = <E, R, E2, R2 = never>(
  self: Toolset<E, R>,
  name: string,
  f: (tool: Tool<E>) => Tool<E | E2>
): Toolset<E | E2, R | R2> =>
  transforming<E, R, E | E2, R | R2>(
    self,
    name,
    Effect.map(memoized((listing: Listing<E>) => mapped(listing, f))),
    true
  )

/** Maps each tool, alone, by a function that is made anew each time the toolset is opened: for what counts or remembers. */
export const mapToolPerOpening = <E, R, E2, R2 = never>(
  self: Toolset<E, R>,
  name: string,
  start: Effect.Effect<(tool: Tool<E>) => Tool<E | E2>>
): Toolset<E | E2, R | R2> =>
  transform<E, R, E | E2, R | R2>(self, name, (opened) => Effect.zipWith(opened, start, mapped))

/** Maps each definition, alone. Equal definitions are mapped once, for all runs. */
export const mapDefinition = <E, R>(
  self: Toolset<E, R>,
  name: string,
  f: (definition: ToolDefinition) => ToolDefinition
): Toolset<E, R> => mapTool<E, R, never>(self, name, redefining(name, f))

/** The part of `mapDefinition` that is about one tool. */
export const redefining = (name: string, f: (definition: ToolDefinition) => ToolDefinition) => {
  const define = memoized(f)
  return <E>(tool: Tool<E>): Tool<E> => {
    const definition = define(tool.definition)
    return definition === tool.definition ? tool : { ...tool, definition, source: `${name}(${tool.source})` }
  }
}
