import { Effect, Semaphore } from "effect"
import { dual } from "effect/Function"
import { flawed } from "./flawed.ts"
import type { Tool, Toolset } from "./model.ts"
import { mapToolPerOpening } from "./transform.ts"

/**
 * At most so many calls at once; the others wait, in the order in which they came.
 *
 * A number counts the calls of one opened toolset. A semaphore is shared with whoever else has it: other toolsets, other
 * runs. Only what is inside is counted: a `timeout` outside it bounds the waiting too, one inside it does not. A call that
 * waits for another one under the same limit waits for ever, if that one gets no turn.
 *
 * ```ts run
 * import { Effect, Semaphore } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const oneAtATime = Semaphore.makeUnsafe(1)
 * let running = 0
 * const work = Effect.sync(() => ++running).pipe(Effect.tap(Effect.yieldNow), Effect.tap(() => Effect.sync(() => --running)))
 * const tools = Toolset.tool("work", { handler: () => work }).pipe(Toolset.concurrency(oneAtATime))
 * const calls = Effect.all(Array.from({ length: 3 }, () => Toolset.call(tools, "work", {})), { concurrency: "unbounded" })
 * console.log(await Effect.runPromise(calls))
 * //> [ 1, 1, 1 ]
 * ```
 */
export const concurrency: {
  (limit: number | Semaphore.Semaphore): <E, R>(self: Toolset<E, R>) => Toolset<E, R>
  <E, R>(self: Toolset<E, R>, limit: number | Semaphore.Semaphore): Toolset<E, R>
} = dual(2, <E, R>(self: Toolset<E, R>, limit: number | Semaphore.Semaphore): Toolset<E, R> => {
  if (typeof limit === "number" && !(Number.isInteger(limit) && limit > 0)) {
    return flawed(self, "concurrency", {
      problem: `The number of calls at once is ${limit}.`,
      hint: "Give a whole number of at least 1, or a semaphore."
    })
  }
  const semaphore = typeof limit === "number" ? Semaphore.make(limit) : Effect.succeed(limit)
  return mapToolPerOpening<E, R, never>(
    self,
    "concurrency",
    Effect.map(semaphore, (semaphore) => (tool: Tool<E>) => ({
      ...tool,
      call: (args) => semaphore.withPermit(tool.call(args))
    }))
  )
})
