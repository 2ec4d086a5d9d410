import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { keeps } from "./choices.ts"
import { Asks, distinct, Filtered, Keep, sources, trees } from "./description.ts"
import { equal, on, seenOf } from "./equal.ts"
import { meaning } from "./meaning.ts"
import { isFailure } from "./meant.ts"
import { inStep, stepOf, steps } from "./observed.ts"
import { often } from "./often.ts"
import { making } from "./toolsets.ts"
import { Broken, Flavour } from "./world.ts"

const small = trees(undefined, 3)

describe("filtered", () => {
  it.effect.prop(
    "by true is the identity",
    { sources, tree: small, as: Asks },
    ({ as, sources, tree }) => equal(sources, on(tree, { _tag: "filtered", keep: "all", as }), tree),
    often()
  )

  it.effect.prop(
    "by p then by q is filtered by p and q",
    { sources, tree: small, p: Keep, q: Keep, as: Asks },
    ({ as, p, q, sources, tree }) =>
      equal(
        sources,
        on(tree, { _tag: "filtered", keep: p, as }, { _tag: "filtered", keep: q, as: "value" }),
        ({ of }) =>
          Toolset.filtered(of(tree), (tool, { step }) => keeps(p, tool, step) && keeps(q, tool, step))
      ),
    often()
  )

  it.effect.prop(
    "leaves out what cannot be called in that step",
    { sources, tree: small, how: Filtered },
    Effect.fnUntraced(
      function* ({ how, sources, tree: any }) {
        const [tree] = distinct([any])
        const meant = meaning(sources, tree!)
        if (isFailure(meant.opening)) return
        const session = yield* Toolset.open(making(sources).of(on(tree!, how)))
        for (const step of steps) {
          const tools = meant.tools(step)
          if (isFailure(tools)) continue
          for (const { definition } of tools) {
            const exit = yield* Effect.exit(inStep(stepOf(step))(session.call(definition.name, [])))
            const isFound = !(exit._tag === "Failure" && String(exit.cause).includes("ToolNotFound"))
            assert.strictEqual(isFound, keeps(how.keep, definition, step), definition.name)
          }
        }
      },
      Effect.scoped,
      Effect.provideService(Flavour, "plain")
    ),
    often()
  )

  it.effect.prop(
    "fails to list where its predicate fails, once there is a tool to ask about",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree }) {
      const broken = new Broken({ who: "predicate" })
      const before = yield* seenOf(sources, tree)
      const after = yield* seenOf(sources, ({ of }) => Toolset.filtered(of(tree), () => Effect.fail(broken)))
      after.steps.forEach(({ tools }, i) => {
        const expected = before.steps[i]!.tools
        const asks = !isFailure(expected) && expected.length > 0
        assert.deepStrictEqual(tools, asks ? { failed: "Broken: predicate" } : expected)
      })
    }),
    often(20)
  )
})
