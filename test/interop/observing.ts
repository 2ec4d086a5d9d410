/** Calls of tools, seen from all sides. */
import { Effect } from "effect"
import { type ToolReturn, Toolset } from "effect-toolset"
import { asCall } from "../toolset/asking.ts"

/** The whole result of a call, and the progress before it. */
export const observed = <E, R>(self: Toolset.Toolset<E, R>, name: string, args: unknown) =>
  Effect.gen(function* () {
    const results: Array<ToolReturn> = []
    const progress: Array<unknown> = []
    const seeing = Toolset.wrapper(self, (call, next) =>
      Effect.tap(next(call), (result) => Effect.sync(() => results.push(result)))
    )
    yield* Toolset.call(seeing, name, args).pipe(
      asCall({ id: "call-1", progress: (value) => Effect.sync(() => void progress.push(value)) })
    )
    return { ...results[0]!, progress }
  })

/** A call that somebody has said yes to. */
export const approvedCall = <E, R>(self: Toolset.Toolset<E, R>, name: string, args: unknown) =>
  Toolset.call(self, name, args).pipe(asCall({ id: "call-1", approved: true }))
