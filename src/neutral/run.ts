import { Effect } from "effect"
import type { ToolsetError } from "../ToolsetError.ts"
import type { Toolset } from "../toolset/model.ts"
import type { Run } from "./model.ts"
import { FrameworkError } from "./NeutralError.ts"
import { opened, type Options } from "./open.ts"
import type { CallError } from "./turns.ts"

/**
 * Drives a framework with the tools of a toolset: opens it, runs the framework, closes it.
 *
 * `body` hands the run to an adapter and gives the framework's promise; what it streams is to be read inside. When a tool
 * fails for good, the framework is stopped and the effect fails with that very failure, whether the framework has resolved
 * or rejected. What the framework itself is rejected with is a `FrameworkError`. Interruption aborts it.
 *
 * ```ts run
 * import { Effect, Schema } from "effect"
 * import { Toolset } from "effect-toolset"
 * import * as Neutral from "effect-toolset/Neutral"
 *
 * const double = Toolset.tool("double", {
 *   parameters: Schema.Struct({ n: Schema.Finite }),
 *   handler: ({ n }) => (n > 99 ? Effect.fail("too large" as const) : Effect.succeed(n * 2))
 * })
 * const program = Neutral.run(double, async ({ tools: [tool] }) => {
 *   console.log(await tool!.call({ n: 21 }))
 *   console.log(await tool!.call({ n: "21" }))
 *   await tool!.call({ n: 100 }).catch((error) => console.log(error.message))
 *   return "never seen"
 * })
 * console.log(await Effect.runPromise(Effect.flip(program)))
 * //> { content: 42, isError: false }
 * //> {
 * //>   content: 'Invalid arguments: Expected number\n' +
 * //>     '  at ["n"]\n' +
 * //>     '\n' +
 * //>     'Fix the errors and try again.',
 * //>   isError: true
 * //> }
 * //> The tool 'double' failed.
 * //> too large
 * ```
 */
export const run = <A, E, R>(
  self: Toolset<E, R>,
  body: (run: Run) => PromiseLike<A>,
  options?: Options
): Effect.Effect<A, E | CallError | FrameworkError | ToolsetError, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { abort, failure, run } = yield* opened(self, options, () => Effect.void)
      const exit = yield* Effect.exit(
        Effect.tryPromise({
          try: (signal) => {
            signal.addEventListener("abort", () => abort(signal.reason))
            return body(run)
          },
          catch: (cause) => new FrameworkError({ cause })
        })
      )
      const cause = failure()
      return yield* cause === undefined ? exit : Effect.failCause(cause)
    })
  )
