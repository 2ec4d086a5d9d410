/** Listings: the same tools at every step, or tools that may be others at each. */
import { Deferred, Effect, Exit } from "effect"
import type { RunContext } from "../RunContext.ts"
import { memoized } from "./memoized.ts"
import type { Instruction, Listing, Run, Tool } from "./model.ts"

export const noInstructions: Listing["instructions"] = () => none

const none = Effect.succeed<ReadonlyArray<Instruction>>([])

/** The same tools at every step. */
export const fixed = <E>(
  tools: ReadonlyArray<Tool<E>>,
  instructions: Listing<E>["instructions"] = noInstructions
): Listing<E> => {
  const list = Effect.succeed(tools)
  return { fixed: tools, list: () => list, instructions }
}

/** Tools asked for at every step. */
export const varying = <E>(
  list: Listing<E>["list"],
  instructions: Listing<E>["instructions"] = noInstructions
): Listing<E> => ({ fixed: undefined, list, instructions })

/** Each tool, alone; the same tool gives the same one, the same list the same list. */
export const mapped = <E, E2>(listing: Listing<E>, f: (tool: Tool<E>) => Tool<E2>): Listing<E | E2> => {
  const each = memoized(f)
  if (listing.fixed !== undefined) return fixed<E | E2>(listing.fixed.map(each), listing.instructions)
  const map = memoized((tools: ReadonlyArray<Tool<E>>) => tools.map(each))
  return varying<E | E2>((run) => Effect.mapEager(listing.list(run), map), listing.instructions)
}

export const nothing: Listing = fixed<never>([])

/** A listing that is made once per step, however often it is asked for. */
export const listedOncePerStep = <E>(listing: Listing<E>): Listing<E> => {
  const { fixed, instructions, list } = listing
  if (fixed !== undefined && instructions === noInstructions) return listing
  return {
    fixed,
    list: fixed === undefined ? oncePerStep(list) : list,
    instructions: instructions === noInstructions ? noInstructions : oncePerStep(instructions)
  }
}

/** One value of `RunContext` is one step. What was interrupted is asked again. */
export const oncePerStep = <A, E>(
  ask: (run: Run) => Effect.Effect<A, E, RunContext>
): ((run: Run) => Effect.Effect<A, E, RunContext>) => {
  const steps = new WeakMap<Run, Effect.Effect<A, E>>()
  return (run) => {
    const known = steps.get(run)
    if (known !== undefined) return known
    const asking = ask(run)
    if (Exit.isExit(asking)) {
      // What is there already needs no service.
      steps.set(run, asking as Effect.Effect<A, E>)
      return asking
    }
    return Effect.suspend(() => {
      const meanwhile = steps.get(run)
      if (meanwhile !== undefined) return meanwhile
      const step = Deferred.makeUnsafe<A, E>()
      steps.set(run, Deferred.await(step))
      return Effect.onExit(asking, (exit) => {
        if (Exit.hasInterrupts(exit)) steps.delete(run)
        return Deferred.done(step, exit)
      })
    })
  }
}

/** Gives the list that it gave before, where nothing changed, so that whoever comes after can tell. */
export const stable = <A>(): ((next: ReadonlyArray<A>) => ReadonlyArray<A>) => {
  let last: ReadonlyArray<A> = []
  return (next) => {
    if (next.length !== last.length || next.some((item, i) => item !== last[i])) last = next
    return last
  }
}
