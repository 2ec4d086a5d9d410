import { Effect } from "effect"
import { fixed, noInstructions, varying } from "./listing.ts"
import { type Any, type Error, type Listing, make, type Services, type Toolset, typed } from "./model.ts"

/**
 * The tools of all toolsets, in their order.
 *
 * Associative; `empty` is left and right identity. Two tools of one name are a `ToolNameConflict`, found where the list
 * is collected. Toolsets open in order and are listed at the same time; instructions keep the order too.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tools = Toolset.combined(
 *   Toolset.tool("now", { handler: () => Effect.succeed(1) }),
 *   Toolset.tool("later", { handler: () => Effect.succeed(2) })
 * )
 * console.log(Effect.runSync(Toolset.list(tools)).map((tool) => tool.name))
 * //> [ 'now', 'later' ]
 * ```
 */
export const combined = <const Toolsets extends ReadonlyArray<Any>>(
  ...toolsets: Toolsets
): Toolset<Error<Toolsets[number]>, Services<Toolsets[number]>> => combine(toolsets)

type Failure<Toolsets extends ReadonlyArray<Any>> = Error<Toolsets[number]>

const combine = <Toolsets extends ReadonlyArray<Any>>(
  toolsets: Toolsets
): Toolset<Failure<Toolsets>, Services<Toolsets[number]>> =>
  make({
    name: "combined",
    label: `combined(${shortened(toolsets.map((toolset) => toolset.label)).join(", ")})`,
    id: undefined,
    children: toolsets,
    build: (opening) =>
      Effect.map(
        Effect.forEach(toolsets, (toolset) => opening.open(typed<Toolsets[number]>(toolset))),
        concatenated
      ),
    over: (replace) => combine(toolsets.map(replace))
  })

const shortened = (labels: ReadonlyArray<string>): ReadonlyArray<string> =>
  labels.length <= 3 ? labels : [...labels.slice(0, 2), `${labels.length - 2} more`]

const concatenated = <E>(listings: ReadonlyArray<Listing<E>>): Listing<E> => {
  const instructing = listings.filter((listing) => listing.instructions !== noInstructions)
  const instructions =
    instructing.length === 0
      ? noInstructions
      : Effect.map(
          Effect.forEach(instructing, (listing) => listing.instructions),
          (all) => all.flat()
        )
  const lists = listings.flatMap((listing) => (listing.fixed === undefined ? [] : [listing.fixed]))
  if (lists.length === listings.length) return fixed(lists.flat(), instructions)
  return varying(
    Effect.map(
      Effect.forEach(listings, (listing) => listing.tools, { concurrency: "unbounded" }),
      (all) => all.flat()
    ),
    instructions
  )
}
