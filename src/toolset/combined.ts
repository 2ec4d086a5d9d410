import { Effect, Exit } from "effect"
import type { ToolsetError } from "../ToolsetError.ts"
import { fixed, instructionsOf, varying } from "./listing.ts"
import { memoizedByItems } from "./memoized.ts"
import {
  type Any,
  type Error,
  type Listing,
  make,
  nodeOf,
  type Services,
  type Tool,
  type Toolset,
  typed
} from "./model.ts"

/**
 * The tools of all toolsets, in their order.
 *
 * Associative; `empty` is left and right identity. Two tools of one name are a `ToolNameConflict`, found where the list
 * is collected. Toolsets open in order and are listed at the same time; instructions keep the order too.
 *
 * ```ts run
 * import { Effect, Exit } from "effect"
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
): Toolset<Failure<Toolsets>, Services<Toolsets[number]>> => {
  // What is the same in every run has one listing, and then so has its combination.
  const ofSame = memoizedByItems(concatenated<Failure<Toolsets>>)
  type Opened = Effect.Effect<
    Listing<Failure<Toolsets>>,
    Failure<Toolsets> | ToolsetError,
    Services<Toolsets[number]>
  >
  const joined = (opened: ReadonlyArray<Opened>): Opened => Effect.map(Effect.all(opened), ofSame)
  const light = toolsets.flatMap((toolset) => nodeOf(typed<Toolsets[number]>(toolset)).light ?? [])
  return make({
    name: "combined",
    label: `combined(${shortened(toolsets.map((toolset) => toolset.label)).join(", ")})`,
    id: undefined,
    children: toolsets,
    build: (opening) => joined(toolsets.map((toolset) => opening.open(typed<Toolsets[number]>(toolset)))),
    light: light.length === toolsets.length ? joined(light) : undefined,
    over: (replace) => combine(toolsets.map(replace))
  })
}

const shortened = (labels: ReadonlyArray<string>): ReadonlyArray<string> =>
  labels.length <= 3 ? labels : [...labels.slice(0, 2), `${labels.length - 2} more`]

const concatenated = <E>(listings: ReadonlyArray<Listing<E>>): Listing<E> => {
  const instructing = listings.filter((listing) => listing.instructions !== undefined)
  const instructions: Listing<E>["instructions"] =
    instructing.length === 0
      ? undefined
      : (run) =>
          Effect.map(together(instructing.map((listing) => instructionsOf(listing, run))), (all) =>
            all.flat()
          )
  const lists = listings.flatMap((listing) => (listing.fixed === undefined ? [] : [listing.fixed]))
  if (lists.length === listings.length) return fixed(lists.flat(), instructions)
  const flat = memoizedByItems((all: ReadonlyArray<ReadonlyArray<Tool<E>>>) => all.flat())
  return varying(
    (run) => Effect.mapEager(together(listings.map((listing) => listing.list(run))), flat),
    instructions
  )
}

/** All at the same time; at once, where all are there already. */
const together = <A, E, R>(
  effects: ReadonlyArray<Effect.Effect<A, E, R>>
): Effect.Effect<ReadonlyArray<A>, E, R> => {
  const values: Array<A> = []
  for (const effect of effects) {
    if (!Exit.isExit(effect) || !Exit.isSuccess(effect))
      return Effect.all(effects, { concurrency: "unbounded" })
    values.push(effect.value as A)
  }
  return Effect.succeed(values)
}
