import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Metric, Schema } from "effect"
import { TestClock } from "effect/testing"
import { ApprovalRequired, CallDeferred, ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import { answering, Broken } from "./asking.ts"

const measured = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* Effect.exit(effect)
    return yield* Metric.snapshot
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))

const counts = (snapshot: ReadonlyArray<Metric.Metric.Snapshot>) =>
  Object.fromEntries(
    snapshot
      .filter((metric) => metric.id === "effect_toolset_calls")
      .map(({ attributes, state }) => [
        `${attributes?.toolset} ${attributes?.outcome}`,
        Number((state as { readonly count: number | bigint }).count)
      ])
  )

describe("metered", () => {
  it.effect("counts calls by toolset and by how they ended (f11)", () =>
    Effect.gen(function* () {
      const ways = {
        ok: () => Effect.succeed(1),
        retry: () => Effect.fail(new ModelRetry({ message: "again" })),
        failed: () => Effect.fail(new ToolFailed({ message: "no" })),
        ask: () => Effect.fail(new ApprovalRequired({})),
        defer: () => Effect.fail(new CallDeferred({})),
        error: () => Effect.fail(new Broken({ who: "a" })),
        defect: () => Effect.die("no"),
        interrupted: () => Effect.interrupt,
        odd: () => Effect.succeed(new Map())
      }
      const tools = Toolset.combined(
        ...Object.entries(ways).map(([name, handler]) =>
          Toolset.tool(name, { handler: handler as () => Effect.Effect<unknown, Broken> })
        )
      ).pipe(Toolset.withId("api"), Toolset.metered)
      const all = Effect.forEach(["ok", ...Object.keys(ways)], (name) =>
        Effect.exit(Toolset.call(tools, name, {}))
      )
      assert.deepStrictEqual(counts(yield* measured(all)), {
        "api Returned": 2,
        "api ModelRetry": 1,
        "api ToolFailed": 1,
        "api ApprovalRequired": 1,
        "api CallDeferred": 1,
        "api Error": 1,
        "api Defect": 1,
        "api Interrupted": 1,
        "api ToolResultError": 1
      })
    })
  )

  it.effect("measures how long calls take", () =>
    Effect.gen(function* () {
      const tools = Toolset.tool("slow", { handler: () => Effect.sleep("250 millis") }).pipe(Toolset.metered)
      const fiber = yield* Effect.forkChild(measured(Toolset.call(tools, "slow", {})))
      yield* TestClock.adjust("1 second")
      const durations = (yield* Fiber.join(fiber)).filter(
        (metric) => metric.id === "effect_toolset_call_duration"
      )
      assert.strictEqual(durations.length, 1)
      assert.deepInclude(durations[0]!.state, { count: 1, min: 250, max: 250, sum: 250 })
      assert.deepStrictEqual(durations[0]!.attributes?.toolset, "tool(slow)")
    })
  )

  it.effect("counts what comes as far as it, and nothing that was refused before", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("a", {
        parameters: Schema.Struct({ n: Schema.Int }),
        handler: () => Effect.succeed(1)
      })
      const calls = (tools: Toolset.Toolset) =>
        Effect.map(
          measured(
            Effect.all([Effect.exit(Toolset.call(tools, "a", {})), Toolset.call(tools, "a", { n: 1 })])
          ),
          counts
        )
      assert.deepStrictEqual(yield* calls(tool.pipe(Toolset.metered)), { "tool(a) Returned": 1 })
      const denied = answering("a").pipe(
        Toolset.metered,
        Toolset.guard(() => ({ deny: "no" }))
      )
      assert.deepStrictEqual(counts(yield* measured(Toolset.call(denied, "a", {}))), {})
    })
  )
})
