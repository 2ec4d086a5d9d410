/** What operators add to what a toolset fails with and needs, and what they take. */
import { Config, Effect, Layer, pipe, Redacted, Schedule, Semaphore } from "effect"
import { RateLimiter } from "effect/persistence"
import {
  ModelRetry,
  RunContext,
  Secrets,
  type SecretTooShort,
  ToolCall,
  type ToolDefinition,
  ToolFailed,
  Toolset,
  type UsageLimitExceeded
} from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, Log, NotFound, type Tools, tools } from "./fixtures.ts"

describe("operators that keep E and R", () => {
  it("keep them in a pipe, data first, and written away", () => {
    expectTypeOf(
      tools.pipe(
        Toolset.retried(Schedule.recurs(3)),
        Toolset.concurrency(2),
        Toolset.concurrency(Semaphore.makeUnsafe(1)),
        Toolset.limited({ perRun: 3, perStep: 1 }),
        Toolset.limited({ perRun: 3, onLimit: "hide" }),
        Toolset.truncated({ maxItems: 20, maxBytes: 10_000, path: "items", onTruncate: "note" }),
        Toolset.cached({ ttl: "1 minute", key: (call) => call.tool.name, force: true }),
        Toolset.traced(),
        Toolset.traced({ values: true }),
        Toolset.metered,
        Toolset.searchable(),
        Toolset.searchable({ when: Toolset.hasMetadata({ rare: true }), limit: 3 }),
        Toolset.guard(() => "allow"),
        Toolset.stubbed({}),
        Toolset.orElse(Toolset.empty),
        Toolset.filtered(Toolset.named("a", "b"))
      )
    ).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.retried(tools, Schedule.recurs(3))).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.concurrency(tools, 2)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.limited(tools, { perRun: 1 })).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.truncated(tools, { maxItems: 1 })).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.cached(tools, { ttl: 1000 })).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.traced(tools)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.traced(tools, {})).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.searchable(tools)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.searchable(tools, {})).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.guard(tools, () => ({ deny: "no" }))).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.orElse(tools, Toolset.empty)).toEqualTypeOf<Tools>()
    const away = [
      Toolset.retried(Schedule.recurs(1)),
      Toolset.concurrency(1),
      Toolset.limited({ perStep: 1 }),
      Toolset.truncated({ maxItems: 1 }),
      Toolset.cached({ ttl: 1 }),
      Toolset.traced(),
      Toolset.metered,
      Toolset.searchable(),
      Toolset.orElse(Toolset.empty)
    ] as const
    for (const operator of away) {
      expectTypeOf(operator(tools)).toEqualTypeOf<Tools>()
      expectTypeOf(operator(extra)).toEqualTypeOf<typeof extra>()
    }
    const all = <E, R>(self: Toolset.Toolset<E, R>) => pipe(self, Toolset.metered, Toolset.concurrency(1))
    expectTypeOf(all(tools)).toEqualTypeOf<Tools>()
  })
})

describe("operators that add to them", () => {
  it("guard adds the failures and services of its decision, but for signals", () => {
    const guarded = tools.pipe(
      Toolset.guard(
        Effect.fnUntraced(function* (tool, args, run) {
          expectTypeOf(tool).toEqualTypeOf<ToolDefinition>()
          expectTypeOf(args).toEqualTypeOf<Toolset.Args>()
          expectTypeOf(run).toEqualTypeOf<Toolset.Run>()
          yield* Log
          yield* ToolCall
          yield* RunContext
          if (tool.name === "a") return yield* new NotFound({ id: "a" })
          if (tool.name === "b") return yield* new ToolFailed({ message: "no" })
          return "ask" as const
        })
      )
    )
    expectTypeOf(guarded).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf(
      tools.pipe(Toolset.guard((tool) => (tool.name === "x" ? "allow" : "ask")))
    ).toEqualTypeOf<Tools>()
    // @ts-expect-error there is no such decision
    tools.pipe(Toolset.guard(() => "maybe"))
    // @ts-expect-error a denial has a reason
    Toolset.guard(tools, () => "deny")
  })

  it("retried adds those of its schedule, which may look at failures", () => {
    const picky = undefined as unknown as Schedule.Schedule<number, Fatal, NotFound, Log>
    expectTypeOf(tools.pipe(Toolset.retried(picky))).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound, Db | Log>
    >()
    expectTypeOf(Toolset.retried(tools, picky)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    // @ts-expect-error it never sees that failure
    extra.pipe(Toolset.retried(picky))
  })

  it("limited adds the failure only where it fails", () => {
    expectTypeOf(tools.pipe(Toolset.limited({ perRun: 1, onLimit: "fail" }))).toEqualTypeOf<
      Toolset.Toolset<Fatal | UsageLimitExceeded, Db>
    >()
    expectTypeOf(Toolset.limited(tools, { perRun: 1, onLimit: "recover" })).toEqualTypeOf<Tools>()
    // @ts-expect-error there is no such policy
    tools.pipe(Toolset.limited({ perRun: 1, onLimit: "retry" }))
  })

  it("rateLimited, masked and orElse add theirs", () => {
    expectTypeOf(tools.pipe(Toolset.rateLimited({ limit: 1, window: "1 second" }))).toEqualTypeOf<
      Toolset.Toolset<Fatal | RateLimiter.RateLimiterError, Db | RateLimiter.RateLimiter>
    >()
    expectTypeOf(tools.pipe(Toolset.masked)).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Secrets>>()
    expectTypeOf(tools.pipe(Toolset.masked, Toolset.provide(Secrets.layer()))).toEqualTypeOf<
      Toolset.Toolset<Fatal | SecretTooShort, Db>
    >()
    expectTypeOf(tools.pipe(Toolset.orElse(extra))).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound, Db | Log>
    >()
    expectTypeOf(Toolset.orElse(tools, extra)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
  })

  it("searchable adds those of its predicate and of its search", () => {
    const found = tools.pipe(
      Toolset.searchable({
        when: (tool, run) => Effect.as(Log, tool.name !== "x" && run.step > 1),
        search: (query, all) =>
          query === "" ? Effect.fail(new NotFound({ id: "" })) : all.map((tool) => tool.name)
      })
    )
    expectTypeOf(found).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    const retries = Toolset.searchable(tools, {
      search: () => Effect.fail(new ModelRetry({ message: "another word" }))
    })
    expectTypeOf(retries).toEqualTypeOf<Tools>()
  })

  it("stubbed adds those of its stubs, which know what they take", () => {
    const stubs = tools.pipe(
      Toolset.stubbed({
        get: () => Effect.as(Log, 1),
        search: (args: { readonly query: string }) =>
          args.query === "" ? new NotFound({ id: "" }) : args.query,
        fails: () => new ModelRetry({ message: "no" }),
        plain: (args) => {
          expectTypeOf(args).toEqualTypeOf<Toolset.Args>()
          return 1
        }
      })
    )
    expectTypeOf(stubs).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf(Toolset.stubbed(tools, { get: () => Effect.fail(new NotFound({ id: "" })) })).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound, Db>
    >()
  })
})

describe("Secrets", () => {
  it("are redacted texts, and come from the configuration", () => {
    expectTypeOf(Secrets.layer(Redacted.make("x"))).toEqualTypeOf<Layer.Layer<Secrets, SecretTooShort>>()
    expectTypeOf(Secrets.config(Config.Redacted("X"))).toEqualTypeOf<
      Effect.Effect<Redacted.Redacted<string>, Config.ConfigError | SecretTooShort, Secrets>
    >()
    // @ts-expect-error a bare text is on its way into a log
    Secrets.layer("x")
  })
})
