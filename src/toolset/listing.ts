/** Listings: the same tools at every step, or tools that may be others at each. */
import { Deferred, Effect, Exit } from "effect"
import { RunContext } from "../RunContext.ts"
import type { ToolsetError } from "../ToolsetError.ts"
import { memoized } from "./memoized.ts"
import type { Instruction, Listing, Run, Tool } from "./model.ts"

export const noInstructions: Effect.Effect<ReadonlyArray<Instruction>> = Effect.succeed([])

/** The same tools at every step. */
export const fixed = <E>(
  tools: ReadonlyArray<Tool<E>>,
  instructions: Listing<E>["instructions"] = noInstructions
): Listing<E> => ({ fixed: tools, tools: Effect.succeed(tools), instructions })

/** Tools asked for at every step. */
export const varying = <E>(
  tools: Listing<E>["tools"],
  instructions: Listing<E>["instructions"] = noInstructions
): Listing<E> => ({ fixed: undefined, tools, instructions })

/** Each tool, alone; the same tool gives the same one, the same list the same list. */
export const mapped = <E, E2>(listing: Listing<E>, f: (tool: Tool<E>) => Tool<E2>): Listing<E | E2> => {
  const each = memoized(f)
  if (listing.fixed !== undefined) return fixed<E | E2>(listing.fixed.map(each), listing.instructions)
  const map = memoized((tools: ReadonlyArray<Tool<E>>) => tools.map(each))
  return varying<E | E2>(Effect.map(listing.tools, map), listing.instructions)
}

export const nothing: Listing = fixed<never>([])

/** A listing that is made once per step, however often it is asked for. */
export const listedOncePerStep = <E>(listing: Listing<E>): Listing<E> => ({
  fixed: listing.fixed,
  tools: oncePerStep(listing.tools),
  instructions: oncePerStep(listing.instructions)
})

/** One value of `RunContext` is one step. What was interrupted is asked again. */
export const oncePerStep = <A, E>(
  effect: Effect.Effect<A, E | ToolsetError, RunContext>
): Effect.Effect<A, E | ToolsetError, RunContext> => {
  if (Exit.isExit(effect)) return effect
  const steps = new WeakMap<Run, Deferred.Deferred<A, E | ToolsetError>>()
  return Effect.flatMap(RunContext, (run) => {
    const known = steps.get(run)
    if (known !== undefined) return Deferred.await(known)
    const step = Deferred.makeUnsafe<A, E | ToolsetError>()
    steps.set(run, step)
    return Effect.onExit(effect, (exit) => {
      if (Exit.hasInterrupts(exit)) steps.delete(run)
      return Deferred.done(step, exit)
    })
  })
}

/** Gives the list that it gave before, where nothing changed, so that whoever comes after can tell. */
export const stable = <A>(): ((next: ReadonlyArray<A>) => ReadonlyArray<A>) => {
  let last: ReadonlyArray<A> = []
  return (next) => {
    if (next.length !== last.length || next.some((item, i) => item !== last[i])) last = next
    return last
  }
}
