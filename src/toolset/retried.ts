import { Effect, type Schedule, type Types } from "effect"
import { dual } from "effect/Function"
import { whileCalling } from "./environment.ts"
import { isCallSignal } from "./failure.ts"
import type { CallServices, Toolset } from "./model.ts"
import { mapTool } from "./transform.ts"

/**
 * Calls again what fails with `E`, as the schedule says and without a model turn; the last failure is the call's.
 *
 * For transport: a connection that was reset, a server that is busy. Signals are for the model or for somebody, and are
 * never retried; nor is a result that is not JSON, nor opening and listing. Each call starts the schedule anew. What is
 * outside sees one call, what is inside sees each attempt: a `timeout` outside bounds all attempts, one inside each of
 * them is not retried, since it asks the model.
 *
 * ```ts run
 * import { Effect, Schedule } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * let attempts = 0
 * const flaky = Toolset.tool("flaky", {
 *   handler: () => Effect.suspend(() => (++attempts < 3 ? Effect.fail("reset" as const) : Effect.succeed(attempts)))
 * })
 * console.log(Effect.runSync(Toolset.call(flaky.pipe(Toolset.retried(Schedule.recurs(5))), "flaky", {})))
 * //> 3
 * ```
 */
export const retried: {
  // First, so that a schedule that asks for no particular failure can be written away from its toolset.
  <B, E2, R2>(
    schedule: Schedule.Schedule<B, unknown, E2, R2>
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | E2, R | Exclude<R2, CallServices>>
  <B, E, E2, R2>(
    schedule: Schedule.Schedule<B, Types.NoInfer<E>, E2, R2>
  ): <R>(self: Toolset<E, R>) => Toolset<E | E2, R | Exclude<R2, CallServices>>
  <E, R, B, E2, R2>(
    self: Toolset<E, R>,
    schedule: Schedule.Schedule<B, E, E2, R2>
  ): Toolset<E | E2, R | Exclude<R2, CallServices>>
} = dual(
  2,
  <E, R, B, E2, R2>(
    self: Toolset<E, R>,
    schedule: Schedule.Schedule<B, E, E2, R2>
  ): Toolset<E | E2, R | Exclude<R2, CallServices>> =>
    mapTool<E, R, E2, Exclude<R2, CallServices>>(self, "retried", (tool) => ({
      ...tool,
      call: (args) => {
        // The schedule hears of failures alone: what is for somebody else passes it by, as what came out.
        const attempt = Effect.catch(tool.call(args), (error) =>
          isCallSignal(error) ? Effect.succeed(error) : Effect.fail(error)
        )
        const ended = Effect.flatMap(Effect.retry(attempt, schedule), (result) =>
          isCallSignal(result) ? Effect.fail(result) : Effect.succeed(result)
        )
        return whileCalling(ended) as ReturnType<typeof tool.call>
      }
    }))
)
