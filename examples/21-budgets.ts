import { Context, Effect, Layer, Metric } from "effect"
import { Tool } from "effect/ai"
import { RateLimiter } from "effect/persistence"
import { Toolset } from "effect-toolset"

let requests = 0
const search = Toolset.tool("search", {
  annotations: Context.make(Tool.Readonly, true),
  handler: () => Effect.sync(() => Array.from({ length: 50 }, (_, i) => `hit ${++requests}.${i}`))
})

const limiter = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))
const program = Effect.gen(function* () {
  const frugal = search.pipe(
    Toolset.withId("web"),
    Toolset.timeout("10 seconds"),
    Toolset.rateLimited({ limit: 100, window: "1 minute" }),
    Toolset.concurrency(2),
    Toolset.truncated({ maxItems: 2 }),
    Toolset.cached({ ttl: "1 minute" }),
    Toolset.metered,
    Toolset.limited({ perRun: 2 })
  )
  const session = yield* Toolset.open(frugal)
  console.log(yield* session.call("search", {}))
  //> { items: [ 'hit 1.0', 'hit 2.1' ], truncated: true, total_items: 50, returned_items: 2 }
  yield* session.call("search", {})
  console.log(`asked the server for ${requests} hits`)
  //> asked the server for 50 hits
  console.log((yield* Effect.flip(session.call("search", {}))).message)
  //> No more calls of 'search': the limit of 2 per run is reached. Go on without it.
  const calls = (yield* Metric.snapshot).find((metric) => metric.id === "effect_toolset_calls")
  console.log(calls?.attributes, calls?.state)
  //> { toolset: 'web', outcome: 'Returned' } { count: 2, incremental: true }
})

await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(limiter)))
