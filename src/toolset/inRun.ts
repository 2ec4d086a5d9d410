/** Looking and calling without an agent. */
import { Effect, Option } from "effect"
import { outsideOfRuns, RunContext } from "../RunContext.ts"
import type { Run } from "./model.ts"

/** In the run that is there, or in one of its own. */
export const inRun = <A, E>(f: (run: Run) => Effect.Effect<A, E, RunContext>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.serviceOption(RunContext), (current) => {
    const run = Option.getOrElse(current, outsideOfRuns)
    return Effect.provideService(f(run), RunContext, run)
  })
