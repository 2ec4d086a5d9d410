/** What combinators say about tools. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Toolset } from "effect-toolset"
import { sources, trees } from "./description.ts"
import { equal, on, seenOf } from "./equal.ts"
import { isFailure } from "./meant.ts"
import { often } from "./often.ts"
import { assertSame } from "./same.ts"

const small = trees(undefined, 3)
const Metadata = Schema.Record(Schema.Literals(["k", "l", "of"]), Schema.Int)

describe("withMetadata", () => {
  it.effect.prop(
    "of nothing is the identity",
    { sources, tree: small },
    ({ sources, tree }) => equal(sources, ({ of }) => Toolset.withMetadata(of(tree), {}), tree),
    often(20)
  )

  it.effect.prop(
    "m then n is withMetadata of m and n, where n wins",
    { sources, tree: small, m: Metadata, n: Metadata },
    ({ m, n, sources, tree }) =>
      equal(
        sources,
        ({ of }) =>
          of(tree).pipe(
            Toolset.withMetadata(m),
            Toolset.withMetadata(() => n)
          ),
        ({ of }) => Toolset.withMetadata(of(tree), { ...m, ...n })
      ),
    often()
  )
})

describe("withReturns", () => {
  it.effect.prop(
    "twice is once",
    { sources, tree: small },
    ({ sources, tree }) =>
      equal(
        sources,
        on(tree, { _tag: "withReturns" }, { _tag: "withReturns" }),
        on(tree, { _tag: "withReturns" })
      ),
    often()
  )
})

describe("sequential", () => {
  it.effect.prop(
    "twice is once",
    { sources, tree: small },
    ({ sources, tree }) =>
      equal(
        sources,
        on(tree, { _tag: "sequential" }, { _tag: "sequential" }),
        on(tree, { _tag: "sequential" })
      ),
    often(20)
  )
})

describe("withMaxRetries", () => {
  it.effect.prop(
    "n then m is n: the nearest one holds, and a tool's own before it",
    { sources, tree: small, n: Schema.Literals([0, 1, 2]) },
    Effect.fnUntraced(function* ({ n, sources, tree }) {
      const once = on(tree, { _tag: "withMaxRetries", maxRetries: n })
      yield* equal(sources, on(once, { _tag: "withMaxRetries", maxRetries: 1 }), once)
      const before = yield* seenOf(sources, tree)
      const after = yield* seenOf(sources, once)
      before.steps.forEach(({ tools }, i) => {
        const now = after.steps[i]!.tools
        if (isFailure(tools) || isFailure(now)) return
        tools.forEach(({ definition }, j) =>
          assert.strictEqual(now[j]!.definition.maxRetries, definition.maxRetries ?? n)
        )
      })
    }),
    often(20)
  )
})

describe("withInstructions", () => {
  it.effect.prop(
    "are said after those that are there, whatever becomes of the tools",
    { sources, tree: small, isDynamic: Schema.Boolean },
    Effect.fnUntraced(function* ({ isDynamic, sources, tree }) {
      const own = yield* seenOf(sources, tree)
      const as = isDynamic ? "effect" : "value"
      const instructed = on(tree, { _tag: "withInstructions", text: "a", as })
      for (const keep of ["all", "none"] as const) {
        const { steps } = yield* seenOf(sources, on(instructed, { _tag: "filtered", keep, as: "value" }))
        steps.forEach(({ instructions }, i) => {
          const before = own.steps[i]!.instructions
          assertSame(
            instructions,
            isFailure(before) ? before : [...before, { text: "a", dynamic: isDynamic }]
          )
        })
      }
    }),
    often(20)
  )
})

describe("withId", () => {
  it.effect.prop(
    "changes nothing that a model sees",
    { sources, tree: small },
    ({ sources, tree }) => equal(sources, on(tree, { _tag: "withId", id: "id" }), tree),
    often(20)
  )
})
