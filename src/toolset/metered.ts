import { Clock, Duration, Effect, Metric } from "effect"
import { withoutSecrets } from "../secrets/withoutSecrets.ts"
import type { Toolset } from "./model.ts"
import { outcomeOf } from "./ended.ts"
import { mapTool } from "./transform.ts"

/**
 * Counts calls and how long they take, by toolset (its id, or its label), and by how they ended.
 *
 * The metrics are `effect_toolset_calls` and `effect_toolset_call_duration`, with the attributes `toolset` and `outcome`:
 * `Returned`, one of the signals, `ToolResultError`, `Error`, `Defect` or `Interrupted`. Changes nothing else.
 *
 * ```ts run
 * import { Effect, Metric } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tools = Toolset.tool("search", { handler: () => Effect.succeed("found") }).pipe(Toolset.withId("web"), Toolset.metered)
 * const program = Effect.gen(function* () {
 *   yield* Toolset.call(tools, "search", {})
 *   return (yield* Metric.snapshot).find((metric) => metric.id === "effect_toolset_calls")
 * })
 * const calls = Effect.runSync(program.pipe(Effect.provideService(Metric.MetricRegistry, new Map())))
 * console.log(calls?.attributes, calls?.state)
 * //> { toolset: 'web', outcome: 'Returned' } { count: 1, incremental: true }
 * ```
 */
export const metered = <E, R>(self: Toolset<E, R>): Toolset<E, R> =>
  mapTool<E, R, never>(self, "metered", (tool) => ({
    ...tool,
    call: (args) =>
      Effect.flatMap(Clock.currentTimeNanos, (start) =>
        Effect.onExit(tool.call(args), (exit) =>
          Effect.gen(function* () {
            const mask = yield* withoutSecrets
            const attributes = { toolset: mask(self.id ?? self.label), outcome: outcomeOf(exit) }
            const end = yield* Clock.currentTimeNanos
            yield* Metric.update(Metric.withAttributes(calls, attributes), 1)
            yield* Metric.update(Metric.withAttributes(duration, attributes), Duration.nanos(end - start))
          })
        )
      )
  }))

const calls = Metric.counter("effect_toolset_calls", {
  description: "Calls of tools.",
  incremental: true
})

const duration = Metric.timer("effect_toolset_call_duration", {
  description: "How long calls of tools take."
})
