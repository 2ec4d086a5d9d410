/** Listings: the same tools at every step, or tools that may be others at each. */
import { Effect, Exit } from "effect"
import type { RunContext } from "../RunContext.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import { memoized } from "./memoized.ts"
import type { Instruction, Listing, Run, Tool } from "./model.ts"
import { once } from "./once.ts"

/** The same tools at every step. */
export const fixed = <E>(
  tools: ReadonlyArray<Tool<E>>,
  instructions?: Listing<E>["instructions"]
): Listing<E> => {
  tools.forEach(firm)
  const list = Effect.succeed(tools)
  return { fixed: tools, list: () => list, instructions }
}

/** One definition serves all runs: whoever is shown it cannot change its fields. */
const firm = <E>(tool: Tool<E>): Tool<E> => {
  Object.freeze(tool.definition)
  return tool
}

/** Tools asked for at every step. */
export const varying = <E>(
  list: Listing<E>["list"],
  instructions?: Listing<E>["instructions"]
): Listing<E> => ({ fixed: undefined, list, instructions })

export const nothing: Listing = fixed<never>([])

/** The instructions of a step. */
export const instructionsOf = <E>(
  { instructions }: Listing<E>,
  run: Run
): ReturnType<NonNullable<Listing<E>["instructions"]>> => instructions?.(run) ?? none

const none = Effect.succeed<ReadonlyArray<Instruction>>([])

/** Each tool, alone; the same tool gives the same one, the same list the same list. */
export const mapped = <E, E2>(listing: Listing<E>, f: (tool: Tool<E>) => Tool<E2>): Listing<E | E2> => {
  const each = memoized((tool: Tool<E>) => firm(f(tool)))
  if (listing.fixed !== undefined) return fixed<E | E2>(listing.fixed.map(each), listing.instructions)
  const map = memoized((tools: ReadonlyArray<Tool<E>>) => tools.map(each))
  return varying<E | E2>((run) => Effect.mapEager(listing.list(run), map), listing.instructions)
}

/** The same listing, until it is over; then everything in it fails. */
export const until = <E>(
  listing: Listing<E>,
  isOver: () => boolean,
  over: () => ToolsetError
): Listing<E> => {
  const checked = <A, E2, R>(effect: Effect.Effect<A, E2, R>): Effect.Effect<A, E2 | ToolsetError, R> =>
    Effect.suspend((): Effect.Effect<A, E2 | ToolsetError, R> => (isOver() ? Effect.fail(over()) : effect))
  const { fixed, instructions, list } = mapped(listing, (tool): Tool<E> => ({
    ...tool,
    // Every call begins here. A `ToolsetError` is nobody's `E`: it ends the run, as it does while listing.
    decode: (args) => checked(tool.decode(args)) as ReturnType<Tool<E>["decode"]>
  }))
  return {
    fixed,
    list: (run) => checked(list(run)),
    instructions: instructions === undefined ? undefined : (run) => checked(instructions(run))
  }
}

/** A listing that is made once per step, however often it is asked for; it fails where it asks for itself. */
export const listedOncePerStep = <E>(listing: Listing<E>, forItself?: () => ToolsetError): Listing<E> => {
  const { fixed, instructions, list } = listing
  if (fixed !== undefined && instructions === undefined) return listing
  return {
    fixed,
    list: fixed === undefined ? oncePerStep(list, forItself) : list,
    instructions: instructions === undefined ? undefined : oncePerStep(instructions, forItself)
  }
}

/** One value of `RunContext` is one step. */
export const oncePerStep = <A, E, E2 = never>(
  ask: (run: Run) => Effect.Effect<A, E, RunContext>,
  forItself?: () => E2
): ((run: Run) => Effect.Effect<A, E | E2, RunContext>) => {
  const own = {}
  return (run) => {
    const known = knownIn(run)
    // Under itself it finds what it has put there.
    const found = known.get(own) as Effect.Effect<A, E | E2, RunContext> | undefined
    if (found !== undefined) return found
    const asking = ask(run)
    const asked = Exit.isExit(asking) ? asking : once(asking, forItself)
    known.set(own, asked)
    return asked
  }
}

/** What is known in a step, by who asked: one weak map for all of them. */
const knownIn = memoized((_: Run) => new Map<object, unknown>())
