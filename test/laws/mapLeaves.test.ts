import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { partsOf, type Source, sourceAt, sources, trees } from "./description.ts"
import { both, equal, on, seenOf } from "./equal.ts"
import { isFailure } from "./meant.ts"
import { often } from "./often.ts"

const small = trees(undefined, 3)
const f = Toolset.prefixed("f")
const g = Toolset.withMetadata({ g: true })

describe("mapLeaves", () => {
  it.effect.prop(
    "by the identity is the identity",
    { sources, tree: small },
    ({ sources, tree }) => equal(sources, on(tree, { _tag: "mapLeaves" }), tree),
    often()
  )

  it.effect.prop(
    "by f then by g maps by g the leaves of what f made of each",
    { sources, tree: small },
    ({ sources, tree }) =>
      equal(
        sources,
        ({ of }) => of(tree).pipe(Toolset.mapLeaves(f), Toolset.mapLeaves(g)),
        ({ of }) => Toolset.mapLeaves(of(tree), (leaf) => Toolset.mapLeaves(f(leaf), g))
      ),
    often()
  )

  it.effect.prop(
    "commutes with every combinator",
    { sources, a: small, b: small },
    ({ a, b, sources }) =>
      equal(
        sources,
        ({ of }) => Toolset.mapLeaves(of(both(a, b)), g),
        ({ of }) => Toolset.combined(Toolset.mapLeaves(of(a), g), Toolset.mapLeaves(of(b), g))
      ),
    often()
  )

  it.effect.prop(
    "asks once per leaf, however often it occurs, and none that does not occur",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree }) {
      const asked: Array<unknown> = []
      const { opening, steps } = yield* seenOf(sources, ({ of }) =>
        Toolset.mapLeaves(of(tree), (leaf) => {
          asked.push(leaf)
          return leaf
        })
      )
      assert.strictEqual(new Set(asked).size, asked.length)
      const used = partsOf(tree).flatMap((part) =>
        part._tag === "Use" ? [sourceAt(sources, part.source)] : []
      )
      if (opening !== undefined || steps.some(({ tools }) => isFailure(tools))) return
      if (used.some((source) => sources[source]!._tag === "Dynamic")) return
      assert.strictEqual(asked.length, leavesOf(used, sources))
    }),
    often()
  )
})

/** `empty` is one value, wherever it comes from. */
const leavesOf = (used: ReadonlyArray<number>, sources: ReadonlyArray<Source>): number => {
  const different = Array.from(new Set(used))
  const empties = different.filter((source) => sources[source]!._tag === "Empty").length
  return different.length - Math.max(0, empties - 1)
}
