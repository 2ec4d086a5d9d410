import { Cause, Effect, Exit, type ManagedRuntime } from "effect"
import type { Toolset } from "../toolset/model.ts"
import type { Run } from "./model.ts"
import { FrameworkError } from "./NeutralError.ts"
import type { Options } from "./open.ts"
import { run } from "./run.ts"

/** How a promise of a run is set up. */
export interface PromiseOptions extends Options {
  /** Ends the run; the promise is rejected with its reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * `run` as a promise: rejected with the very failure of the tool, with what the framework was rejected with, or with the
 * reason of `signal`. What the toolset needs comes from a `ManagedRuntime`.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as Neutral from "effect-toolset/Neutral"
 *
 * const hello = Toolset.tool("hello", { handler: () => Effect.succeed("Hello!") })
 * const { content } = await Neutral.runPromise(hello, ({ tools }) => tools[0]!.call({}))
 * console.log(content)
 * //> Hello!
 * ```
 */
export const runPromise: {
  <A, E>(self: Toolset<E>, body: (run: Run) => PromiseLike<A>, options?: PromiseOptions): Promise<A>
  <A, E, R, R2 extends R, ER>(
    self: Toolset<E, R>,
    body: (run: Run) => PromiseLike<A>,
    options: PromiseOptions & { readonly runtime: ManagedRuntime.ManagedRuntime<R2, ER> }
  ): Promise<A>
} = async <A, E, R>(
  self: Toolset<E, R>,
  body: (run: Run) => PromiseLike<A>,
  options?: PromiseOptions & { readonly runtime?: ManagedRuntime.ManagedRuntime<R, unknown> }
): Promise<A> => {
  const { runtime, signal } = options ?? {}
  // A fiber begins before it hears that it is interrupted.
  signal?.throwIfAborted()
  const running = run(self, body, options)
  const exit = await (runtime === undefined
    ? // The first of the two types says that such a toolset needs nothing.
      Effect.runPromiseExit(running as Effect.Effect<A, unknown>, { signal })
    : runtime.runPromiseExit(running, { signal }))
  if (Exit.isSuccess(exit)) return exit.value
  if (signal?.aborted === true && Cause.hasInterruptsOnly(exit.cause)) return Promise.reject(signal.reason)
  const error = Cause.squash(exit.cause)
  return Promise.reject(error instanceof FrameworkError ? error.cause : error)
}
