/** What toolsets need, and for how long they are open. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Result, Scope } from "effect"
import { Toolset, ToolsetDefinitionError } from "effect-toolset"
import { Flavour as Flavours, sources, type Sources, trees } from "./description.ts"
import { on, seenOf } from "./equal.ts"
import { observed } from "./observed.ts"
import { often } from "./often.ts"
import { assertSame } from "./same.ts"
import { making } from "./toolsets.ts"
import { Flavour } from "./world.ts"

const small = trees(undefined, 3)
const flavoured = Effect.provideService(Flavour, "plain")

describe("provide", () => {
  it.effect.prop(
    "f then g is f: the nearest one holds",
    { sources, tree: small, f: Flavours, g: Flavours },
    Effect.fnUntraced(function* ({ f, g, sources, tree }) {
      const once = on(tree, { _tag: "provide", flavour: f })
      const { resources: _, ...seen } = yield* seenOf(sources, on(once, { _tag: "provide", flavour: g }))
      const { resources: __, ...expected } = yield* seenOf(sources, once)
      assertSame(seen, expected)
    }),
    often()
  )

  it.effect.prop(
    "keeps names, order and outcomes, and wins over the services of whoever opens",
    { sources, tree: small, flavour: Flavours },
    Effect.fnUntraced(function* ({ flavour, sources, tree }) {
      const { resources: _, ...seen } = yield* seenOf(sources, on(tree, { _tag: "provide", flavour }))
      const { resources: __, ...plain } = yield* seenOf(sources, tree)
      const text = JSON.stringify(plain).replaceAll('"flavour":"plain"', `"flavour":"${flavour}"`)
      assert.strictEqual(JSON.stringify(seen), text)
    }),
    often()
  )
})

/** A choice cannot be shared. */
const isStatic = (sources: Sources): boolean => sources.every((source) => source._tag !== "Dynamic")

describe("shared", () => {
  it.effect.prop(
    "keeps names, order, outcomes and resources",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree }) {
      if (!isStatic(sources)) return
      const { of, world } = making(sources)
      const seen = yield* Effect.scoped(
        Effect.flatMap(Toolset.shared(of(tree)), (shared) => observed(shared, world))
      )
      assertSame(seen, yield* seenOf(sources, tree))
    }, flavoured),
    often(60)
  )

  it.effect.prop(
    "is opened by the first run and closed by the last, with what was there when it was shared",
    { sources, tree: small },
    Effect.fnUntraced(
      function* ({ sources, tree }) {
        if (!isStatic(sources)) return
        const { of, world } = making(sources)
        const alone = yield* seenOf(sources, tree)
        if (alone.opening !== undefined) return
        const half = alone.resources.length / 2
        const [first, last] = [yield* Scope.make(), yield* Scope.make()]
        const shared = yield* Toolset.shared(of(tree))
        yield* Scope.provide(Toolset.open(shared), first)
        assert.deepStrictEqual(world.resources, alone.resources.slice(0, half))
        yield* Scope.provide(Toolset.open(shared), last)
        yield* Scope.close(first, Exit.void)
        assert.lengthOf(world.resources, half)
        const seen = yield* observed(shared, world, "other")
        assertSame(seen.steps, alone.steps)
        yield* Scope.close(last, Exit.void)
        assert.deepStrictEqual(world.resources, alone.resources)
      },
      Effect.scoped,
      flavoured
    ),
    often(60)
  )

  it.effect.prop(
    "cannot be of a choice",
    { sources, tree: small },
    Effect.fnUntraced(
      function* ({ sources, tree }) {
        const { of } = making(sources)
        const dynamic = Toolset.combined(Toolset.empty, Toolset.dynamic(Effect.succeed(of(tree))))
        const opened = yield* Effect.result(Effect.flatMap(Toolset.shared(dynamic), Toolset.open))
        assert.isTrue(Result.isFailure(opened) && opened.failure instanceof ToolsetDefinitionError)
      },
      Effect.scoped,
      flavoured
    ),
    often(5)
  )
})
