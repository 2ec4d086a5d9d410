/** Calls as the agent makes them. */
import { Effect } from "effect"
import { RunContext, type Toolset } from "effect-toolset"
import { collect } from "../../src/toolset/collect.ts"
import { admit, type Call, type Circumstances, circumstances } from "../../src/toolset/dispatch.ts"
import { opened } from "../../src/toolset/opening.ts"
import { runOf } from "./asking.ts"

/** The way of one call up to its gates. */
export const admission = <E, R>(
  self: Toolset.Toolset<E, R>,
  call: Partial<Call> = {},
  given: Partial<Circumstances> = {}
) =>
  Effect.gen(function* () {
    const run = runOf()
    const offer = yield* collect(yield* opened(self), run).pipe(Effect.provideService(RunContext, run))
    const { perform, ...admitted } = yield* admit(
      offer,
      { id: "call-1", name: "t", args: {}, ...call },
      { ...circumstances, ...given }
    ).pipe(Effect.provideService(RunContext, run))
    return { ...admitted, perform: Effect.provideService(perform, RunContext, run) }
  })

/** How one call ends. */
export const outcome = <E, R>(
  self: Toolset.Toolset<E, R>,
  call: Partial<Call> = {},
  given: Partial<Circumstances> = {}
) => Effect.flatMap(admission(self, call, given), ({ perform }) => perform)
