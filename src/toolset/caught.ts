/**
 * A toolset whose own failures go another way: to a signal, to another failure, to a defect.
 *
 * One that becomes a signal while opening or listing leaves the toolset without tools (or instructions), and is logged.
 */
import { Effect } from "effect"
import { warned } from "../secrets/withoutSecrets.ts"
import { isToolSignal, type ToolSignal } from "../ToolSignal.ts"
import { isToolsetError, type ToolsetError } from "../ToolsetError.ts"
import { failureText, isCallSignal } from "./failure.ts"
import { instructionsOf, nothing } from "./listing.ts"
import { memoized } from "./memoized.ts"
import type { CallSignals, Listing, Tool, Toolset } from "./model.ts"
import { transform } from "./transform.ts"

export const caught = <E, R, E2>(
  self: Toolset<E, R>,
  name: string,
  f: (error: E) => Effect.Effect<never, E2 | ToolSignal>
): Toolset<E2, R> => {
  const calling = <A, R2>(effect: Effect.Effect<A, E | CallSignals, R2>) =>
    Effect.catch(effect, (error): Effect.Effect<never, E2 | CallSignals> =>
      isCallSignal(error) ? Effect.fail(error) : f(error)
    )

  const opening = <A, R2>(effect: Effect.Effect<A, E | ToolsetError, R2>, without: A, what = "tools") =>
    Effect.catchEager(effect, (error): Effect.Effect<A, E2 | ToolsetError> =>
      isToolsetError(error) ? Effect.fail(error) : leftOut(error as E, without, what)
    )

  const leftOut = <A>(error: E, without: A, what: string): Effect.Effect<A, E2> =>
    Effect.catch(f(error), (next): Effect.Effect<A, E2> =>
      // A signal that was there before says nothing: it is a failure of opening like any other.
      isToolSignal(next) && (next as unknown) !== error
        ? Effect.as(warned(`${self.label} is left without ${what}: ${failureText(error)}`), without)
        : Effect.fail(next as E2)
    )

  const calls = memoized((tool: Tool<E>): Tool<E2> => ({
    ...tool,
    decode: (args) => calling(tool.decode(args)),
    validate: (args) => calling(tool.validate(args)),
    call: (args) => calling(tool.call(args))
  }))
  const all = memoized((tools: ReadonlyArray<Tool<E>>): ReadonlyArray<Tool<E2>> => tools.map(calls))

  const listing = (inner: Listing<E>): Listing<E2> => ({
    fixed: inner.fixed === undefined ? undefined : all(inner.fixed),
    list: (run) => opening(Effect.mapEager(inner.list(run), all), []),
    instructions:
      inner.instructions === undefined
        ? undefined
        : (run) => opening(instructionsOf(inner, run), [], "instructions")
  })

  return transform<E, R, E2, R>(self, name, (opened) => opening(Effect.map(opened, listing), nothing))
}
