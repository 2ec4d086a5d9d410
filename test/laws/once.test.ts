import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { anyTree, distinct, has, partsOf, sources } from "./description.ts"
import { meaning } from "./meaning.ts"
import { isFailure } from "./meant.ts"
import { inStep, stepOf, steps } from "./observed.ts"
import { often } from "./often.ts"
import { making } from "./toolsets.ts"
import { Flavour } from "./world.ts"

describe("once per step", () => {
  it.effect.prop(
    "predicates, preparers, choices and instructions are asked, however often one lists and calls",
    { sources, tree: anyTree },
    Effect.fnUntraced(
      function* ({ sources, tree: any }) {
        const [tree] = distinct([any])
        // Under these a choice is another one, and asked once more; under that one a name is there twice.
        const isTwofold = has(tree!, "provide", "mapLeaves") || partsOf(tree!).some(isTaken)
        if (isTwofold || isFailure(meaning(sources, tree!).opening)) return
        const { of, world } = making(sources)
        const session = yield* Toolset.open(of(tree!))
        for (const step of steps) {
          const run = stepOf(step)
          const once = inStep(run)(Effect.exit(session.tools))
          const [first, second] = yield* Effect.all([once, once], { concurrency: "unbounded" })
          assert.deepStrictEqual(second, first)
          yield* inStep(run)(Effect.exit(session.call("nobody", {})))
          yield* inStep(run)(Effect.exit(session.instructions))
          yield* inStep(run)(Effect.exit(session.instructions))
        }
        for (const [question, times] of world.asked) assert.strictEqual(times, 1, question)
      },
      Effect.scoped,
      Effect.provideService(Flavour, "plain")
    ),
    often(150)
  )
})

const isTaken = (part: ReturnType<typeof partsOf>[number]): boolean =>
  part._tag === "Over" && part.how._tag === "renamed" && part.how.rename === "taken"
