import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Prefix, sources, trees } from "./description.ts"
import { equal, on, seenOf } from "./equal.ts"
import { isFailure } from "./meant.ts"
import { often } from "./often.ts"
import { assertSame } from "./same.ts"

const small = trees(undefined, 3)

describe("prefixed", () => {
  it.effect.prop(
    'by "" is the identity',
    { sources, tree: small },
    ({ sources, tree }) => equal(sources, on(tree, { _tag: "prefixed", prefix: "" }), tree),
    often()
  )

  it.effect.prop(
    "by x then by y is prefixed by y_x",
    { sources, tree: small },
    ({ sources, tree }) =>
      equal(
        sources,
        on(tree, { _tag: "prefixed", prefix: "x" }, { _tag: "prefixed", prefix: "y" }),
        on(tree, { _tag: "prefixed", prefix: "y_x" })
      ),
    often()
  )

  it.effect.prop(
    "puts the prefix and _ before every name, and changes nothing else, at a call only the exposed name",
    { sources, tree: small, prefix: Prefix },
    Effect.fnUntraced(function* ({ prefix, sources, tree }) {
      const before = yield* seenOf(sources, tree)
      const after = yield* seenOf(sources, on(tree, { _tag: "prefixed", prefix }))
      before.steps.forEach(({ tools }, i) => {
        if (isFailure(tools)) return
        const renamed = tools.map(({ calls, definition }) => {
          const name = prefix === "" ? definition.name : `${prefix}_${definition.name}`
          return { definition: { ...definition, name }, calls: replaced(calls, definition.name, name) }
        })
        assertSame(after.steps[i]!.tools, renamed)
      })
    }),
    often()
  )
})

/** The handlers of descriptions say under which name they were called. */
const replaced = <A>(calls: A, name: string, exposed: string): A =>
  JSON.parse(JSON.stringify(calls, (key, value) => (key === "as" && value === name ? exposed : value)))
