/** Equality of toolsets: one sees the same of both, each in a world of its own. */
import { Effect } from "effect"
import type { Sources, Tree, Unary } from "./description.ts"
import { type Observation, observed } from "./observed.ts"
import { assertSame } from "./same.ts"
import { type Making, making } from "./toolsets.ts"
import type { Generated } from "./world.ts"

/** A toolset as a tree, or as what is made of trees. */
export type Written = Tree | ((making: Making) => Generated)

export const seenOf = (sources: Sources, written: Written): Effect.Effect<Observation> =>
  Effect.suspend(() => {
    const made = making(sources)
    return observed(typeof written === "function" ? written(made) : made.of(written), made.world)
  })

export const equal = (sources: Sources, left: Written, right: Written): Effect.Effect<void> =>
  Effect.gen(function* () {
    assertSame(yield* seenOf(sources, left), yield* seenOf(sources, right))
  })

/** Combinators over a tree, the first one innermost. */
export const on = (of: Tree, ...hows: ReadonlyArray<Unary>): Tree =>
  hows.reduce<Tree>((of, how) => ({ _tag: "Over", how, of }), of)

export const both = (...of: ReadonlyArray<Tree>): Tree => ({ _tag: "Combined", of })
