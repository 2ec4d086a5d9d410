import { Effect } from "effect"
import { dual } from "effect/Function"
import { caught } from "./caught.ts"
import { type OnError, signalFor } from "./failure.ts"
import type { Toolset } from "./model.ts"

/**
 * What becomes of the failures that are still there: `fail` leaves them, `recover` tells the model, `retry` asks it to
 * try again.
 *
 * Covers opening and listing too: a toolset that fails there is left without tools, with a warning, so that `E` is
 * really gone. Interruption, defects and `ToolsetError`s are not failures of this kind.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const fetch = Toolset.tool("fetch", { handler: () => Effect.fail("offline" as const) })
 * const calm: Toolset.Toolset = fetch.pipe(Toolset.onError("recover"))
 * console.log(String(Effect.runSync(Effect.flip(Toolset.call(calm, "fetch", {})))))
 * //> ToolFailed: offline
 * ```
 */
export const onError: {
  <Mode extends OnError>(
    mode: Mode
  ): <E, R>(self: Toolset<E, R>) => Toolset<Mode extends "fail" ? E : never, R>
  <E, R, Mode extends OnError>(self: Toolset<E, R>, mode: Mode): Toolset<Mode extends "fail" ? E : never, R>
} = dual(
  2,
  <E, R, Mode extends OnError>(
    self: Toolset<E, R>,
    mode: Mode
  ): Toolset<Mode extends "fail" ? E : never, R> => {
    type Left = Mode extends "fail" ? E : never
    if (mode === "fail") return self as Toolset<Left, R>
    return caught<E, R, Left>(self, "onError", (error) =>
      Effect.fail(signalFor(mode as "recover" | "retry", error))
    )
  }
)
