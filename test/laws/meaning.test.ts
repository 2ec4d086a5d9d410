import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { anyTree, sources } from "./description.ts"
import { seenOf } from "./equal.ts"
import { meaning } from "./meaning.ts"
import { foreseen } from "./observed.ts"
import { often } from "./often.ts"
import { assertSame } from "./same.ts"

describe("every toolset", () => {
  it.effect.prop(
    "lists and does what its parts say, and nothing else",
    { sources, tree: anyTree },
    ({ sources, tree }) =>
      Effect.map(seenOf(sources, tree), ({ resources: _, ...seen }) =>
        assertSame(seen, foreseen(meaning(sources, tree)))
      ),
    often(150)
  )
})
