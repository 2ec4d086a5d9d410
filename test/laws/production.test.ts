/** What operators for production do to any toolset, and to themselves. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Schedule, Schema } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { Toolset } from "effect-toolset"
import { type Sources, sources, type Tree, trees } from "./description.ts"
import { equal, seenOf } from "./equal.ts"
import { namesAt } from "./meaning.ts"
import { isFailure } from "./meant.ts"
import { often } from "./often.ts"
import type { Generated } from "./world.ts"

const small = trees(undefined, 2)
const Few = Schema.Literals([1, 2, 3, 4])

/** One operator over any toolset is another one. */
const same = (
  left: (self: Generated) => Generated,
  right: (self: Generated) => Generated,
  runs = 10
): [
  { readonly sources: typeof sources; readonly tree: typeof small },
  (given: { readonly sources: Sources; readonly tree: Tree }) => Effect.Effect<void>,
  ReturnType<typeof often>
] => [
  { sources, tree: small },
  ({ sources, tree }) =>
    equal(
      sources,
      ({ of }) => left(of(tree)),
      ({ of }) => right(of(tree))
    ),
  often(runs)
]

const identity = (self: Generated): Generated => self

describe("retried", () => {
  it.effect.prop(
    "n times, then m times, is all of them together",
    ...same(
      (self) => Toolset.retried(Toolset.retried(self, Schedule.recurs(1)), Schedule.recurs(2)),
      (self) => Toolset.retried(self, Schedule.recurs(5))
    )
  )
})

describe("limited", () => {
  it.effect.prop(
    "is the smaller of two limits",
    { sources, tree: small, n: Few, more: Few },
    ({ more, n, sources, tree }) =>
      equal(
        sources,
        ({ of }) => of(tree).pipe(Toolset.limited({ perRun: n + more }), Toolset.limited({ perRun: n })),
        ({ of }) => of(tree).pipe(Toolset.limited({ perRun: n }))
      ),
    often(10)
  )

  it.effect.prop(
    "by none lets no call through",
    ...same(Toolset.limited({ perRun: 0 }), (self) =>
      Toolset.limited(
        Toolset.wrapper(self, () => Effect.die("called")),
        { perRun: 0 }
      )
    )
  )
})

describe("concurrency", () => {
  it.effect.prop("changes no call that is alone", ...same(Toolset.concurrency(1), identity))

  it.effect.prop(
    "lets as many run at once as it says; n then m is the smaller one",
    { n: Few, m: Few, calls: Schema.Literals([1, 3, 8]) },
    Effect.fnUntraced(function* ({ calls, m, n }) {
      let running = 0
      let most = 0
      const slow = Toolset.tool("slow", {
        handler: () =>
          Effect.acquireUseRelease(
            Effect.sync(() => (most = Math.max(most, ++running))),
            () => Effect.sleep("1 second"),
            () => Effect.sync(() => void running--)
          )
      }).pipe(Toolset.concurrency(n), Toolset.concurrency(m))
      const session = yield* Toolset.open(slow)
      const all = Effect.all(
        Array.from({ length: calls }, () => session.call("slow", {})),
        { concurrency: "unbounded" }
      )
      const fiber = yield* Effect.forkChild(all)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.strictEqual(most, Math.min(n, m, calls))
    }),
    often(20)
  )
})

const limiter = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))
const rated = (self: Generated): Generated =>
  self.pipe(
    Toolset.rateLimited({ limit: 100_000, window: "1 minute" }),
    Toolset.catchTags({ RateLimiterError: "recover" }),
    Toolset.provide(limiter)
  )

describe("rateLimited", () => {
  it.effect.prop("that nobody reaches is the identity", ...same(rated, identity))

  it.effect.prop(
    "lets n calls through in a window, and no more",
    { n: Few, calls: Schema.Literals([1, 3, 8]) },
    Effect.fnUntraced(function* ({ calls, n }) {
      let called = 0
      const tools = Toolset.tool("a", { handler: () => Effect.sync(() => ++called) }).pipe(
        Toolset.rateLimited({ limit: n, window: "1 minute", onExceeded: "fail" })
      )
      yield* Effect.gen(function* () {
        const session = yield* Toolset.open(tools)
        for (let i = 0; i < calls; i++) yield* Effect.exit(session.call("a", {}))
      }).pipe(Effect.provide(limiter))
      assert.strictEqual(called, Math.min(n, calls))
    }),
    often(20)
  )
})

describe("cached", () => {
  const day = { ttl: "1 day" } as const
  const unsaid = Toolset.prepared((tools) => tools.map((tool) => ({ ...tool, annotations: Context.empty() })))

  it.effect.prop(
    "leaves alone what does not say that it changes nothing",
    ...same(
      (self) => Toolset.cached(unsaid(self), day),
      (self) => unsaid(self)
    )
  )

  it.effect.prop(
    "twice is once",
    ...same(
      (self) => self.pipe(Toolset.cached({ ...day, force: true }), Toolset.cached({ ...day, force: true })),
      Toolset.cached({ ...day, force: true })
    )
  )

  it.effect.prop(
    "of calls that all have other keys is the identity",
    { sources, tree: small },
    ({ sources, tree }) => {
      let keys = 0
      const key = () => String(++keys)
      return equal(
        sources,
        ({ of }) => Toolset.cached(of(tree), { ...day, force: true, key }),
        ({ of }) => of(tree)
      )
    },
    often(10)
  )
})

for (const [name, operator] of Object.entries({
  traced: Toolset.traced({ values: true }),
  metered: Toolset.metered
} satisfies Readonly<Record<string, (self: Generated) => Generated>>)) {
  describe(name, () => {
    it.effect.prop("changes nothing that can be seen of the tools", ...same(operator, identity))
  })
}

describe("stubbed", () => {
  it.effect.prop(
    "twice is the last time",
    { sources, tree: small },
    ({ sources, tree }) => {
      const [name] = namesAt(sources, tree, 1)
      if (name === undefined) return Effect.void
      const by = (answer: string) => Toolset.stubbed({ [name]: () => answer })
      return equal(
        sources,
        ({ of }) => of(tree).pipe(by("first"), by("last")) as Generated,
        ({ of }) => of(tree).pipe(by("last")) as Generated
      )
    },
    often(15)
  )
})

describe("searchable", () => {
  it.effect.prop(
    "offers its search alone before anything is found, and that only where there is something to find",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree }) {
      const hidden = yield* seenOf(sources, ({ of }) => Toolset.searchable(of(tree)))
      const open = yield* seenOf(sources, tree)
      for (const [i, { tools }] of hidden.steps.entries()) {
        const all = open.steps[i]!.tools
        if (isFailure(all)) assert.isTrue(isFailure(tools))
        else {
          const names = isFailure(tools) ? [] : tools.map((tool) => tool.definition.name)
          assert.deepStrictEqual(names, all.length === 0 ? [] : ["search_tools"])
        }
      }
    }),
    often(15)
  )
})

const Names = Schema.Array(Schema.Literals(["a", "b", "c", "x_a", "y_b", "search"]))

describe("named", () => {
  it.effect.prop(
    "of some names and others is either, and of none keeps nothing",
    { sources, tree: small, some: Names, others: Names },
    Effect.fnUntraced(function* ({ others, some, sources, tree }) {
      yield* equal(
        sources,
        ({ of }) => Toolset.filtered(of(tree), Toolset.named(...some, ...others)),
        ({ of }) =>
          Toolset.filtered(of(tree), (tool) => Toolset.named(...some)(tool) || Toolset.named(...others)(tool))
      )
      yield* equal(
        sources,
        ({ of }) => Toolset.filtered(of(tree), Toolset.named()),
        ({ of }) => Toolset.filtered(of(tree), () => false)
      )
    }),
    often(10)
  )
})

const Metadata = Schema.Struct({
  team: Schema.Struct({ name: Schema.Literals(["a", "b"]) }),
  level: Schema.Literals([1, 2])
})

describe("hasMetadata", () => {
  it.effect.prop(
    "holds for all of what was given, and for each part of it; of nothing it always holds",
    { sources, tree: small, given: Metadata, asked: Metadata },
    Effect.fnUntraced(function* ({ asked, given, sources, tree }) {
      const marked = Toolset.withMetadata(given)
      const keeping = (metadata: object) => Toolset.filtered(Toolset.hasMetadata({ ...metadata }))
      yield* equal(
        sources,
        ({ of }) =>
          of(tree).pipe(
            marked,
            keeping(given),
            keeping({ team: given.team }),
            keeping({ team: {} }),
            keeping({})
          ),
        ({ of }) => of(tree).pipe(marked)
      )
      yield* equal(
        sources,
        ({ of }) => of(tree).pipe(marked, keeping(asked)),
        ({ of }) =>
          of(tree).pipe(
            marked,
            Toolset.filtered(() => asked.level === given.level && asked.team.name === given.team.name)
          )
      )
    }),
    often(10)
  )
})
