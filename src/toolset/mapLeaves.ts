import type { Types } from "effect"
import { dual } from "effect/Function"
import { memoized } from "./memoized.ts"
import { type Any, nodeOf, type Toolset } from "./model.ts"

/** A leaf as `mapLeaves` gives it: below a `provide` or an `onError` its `E` and `R` are not the tree's to name. */
export type Leaf = Toolset<Types.unhandled, Types.unhandled>

/**
 * Rebuilds the tree with other leaves.
 *
 * Asks once per leaf, however often it occurs; leaves of what a dynamic toolset chooses are asked about when they are
 * chosen. A toolset from `unwrap` or `shared` is a leaf. `mapLeaves((leaf) => leaf)` is the identity.
 *
 * ```ts run
 * import { Effect } from "effect"
 * import { Toolset } from "effect-toolset"
 *
 * const tool = Toolset.tool("a", { handler: () => Effect.succeed(1) })
 * const tree = Toolset.combined(tool.pipe(Toolset.prefixed("x")), tool)
 * const mapped = tree.pipe(Toolset.mapLeaves(Toolset.prefixed("leaf")))
 * console.log(Effect.runSync(Toolset.list(mapped)).map((tool) => tool.name))
 * //> [ 'x_leaf_a', 'leaf_a' ]
 * ```
 */
export const mapLeaves: {
  <E2 = never, R2 = never>(
    f: (leaf: Leaf) => Toolset<E2, R2>
  ): <E, R>(
    self: Toolset<E, R>
  ) => Toolset<E | Exclude<E2, Types.unhandled>, R | Exclude<R2, Types.unhandled>>
  <E, R, E2 = never, R2 = never>(
    self: Toolset<E, R>,
    f: (leaf: Leaf) => Toolset<E2, R2>
  ): Toolset<E | Exclude<E2, Types.unhandled>, R | Exclude<R2, Types.unhandled>>
} = dual(
  2,
  <E, R, E2, R2>(
    self: Toolset<E, R>,
    f: (leaf: Leaf) => Toolset<E2, R2>
  ): Toolset<E | Exclude<E2, Types.unhandled>, R | Exclude<R2, Types.unhandled>> => {
    const mapped: (toolset: Any) => Any = memoized(
      (toolset) => nodeOf(toolset).over?.(mapped) ?? f(toolset as Leaf)
    )
    // The tree is the same but for its leaves, and what those add is said by `f`.
    return mapped(self) as Toolset<E | Exclude<E2, Types.unhandled>, R | Exclude<R2, Types.unhandled>>
  }
)
