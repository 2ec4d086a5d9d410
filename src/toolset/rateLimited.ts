import { type Duration, Effect } from "effect"
import { dual } from "effect/Function"
import { RateLimiter } from "effect/persistence"
import type { Toolset } from "./model.ts"
import { whileCalling } from "./environment.ts"
import { mapTool } from "./transform.ts"

/** How many calls `rateLimited` lets through in which time, who shares them, and what becomes of the others. */
export interface RateLimitedOptions {
  /** Calls in every `window`. */
  readonly limit: number
  readonly window: Duration.Input
  /** Calls with the same key share the limit, also those of other toolsets and processes. Default: the toolset's id, or its label. */
  readonly key?: string | undefined
  /** Default: `fixed-window`. */
  readonly algorithm?: "fixed-window" | "token-bucket" | undefined
  /** `delay` (default) waits for a turn; `fail` fails at once, for `catchTags` to say what the model hears. */
  readonly onExceeded?: "delay" | "fail" | undefined
}

/**
 * At most `limit` calls in every `window`, by `effect`'s `RateLimiter`: in memory, or in Redis for several processes.
 *
 * ```ts run
 * import { Effect, Layer } from "effect"
 * import { RateLimiter } from "effect/persistence"
 * import { Toolset } from "effect-toolset"
 *
 * const limiter = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))
 * const tools = Toolset.tool("search", { handler: () => Effect.succeed("found") }).pipe(
 *   Toolset.rateLimited({ limit: 1, window: "1 minute", onExceeded: "fail" }),
 *   Toolset.catchTags({ RateLimiterError: "recover" })
 * )
 * const program = Effect.gen(function* () {
 *   console.log(yield* Toolset.call(tools, "search", {}))
 *   console.log((yield* Effect.flip(Toolset.call(tools, "search", {}))).message)
 * })
 * Effect.runSync(program.pipe(Effect.provide(limiter)))
 * //> found
 * //> Rate limit exceeded
 * ```
 */
export const rateLimited: {
  (
    options: RateLimitedOptions
  ): <E, R>(self: Toolset<E, R>) => Toolset<E | RateLimiter.RateLimiterError, R | RateLimiter.RateLimiter>
  <E, R>(
    self: Toolset<E, R>,
    options: RateLimitedOptions
  ): Toolset<E | RateLimiter.RateLimiterError, R | RateLimiter.RateLimiter>
} = dual(
  2,
  <E, R>(
    self: Toolset<E, R>,
    { algorithm, key = self.id ?? self.label, limit, onExceeded = "delay", window }: RateLimitedOptions
  ): Toolset<E | RateLimiter.RateLimiterError, R | RateLimiter.RateLimiter> => {
    const turn = Effect.flatMap(RateLimiter.RateLimiter, (limiter) =>
      limiter.consume({ algorithm, key, limit, onExceeded, window })
    )
    return mapTool<E, R, RateLimiter.RateLimiterError, RateLimiter.RateLimiter>(
      self,
      "rateLimited",
      (tool) => ({
        ...tool,
        call: (args) =>
          Effect.flatMap(whileCalling(turn), ({ delay }) => Effect.delay(tool.call(args), delay))
      })
    )
  }
)
