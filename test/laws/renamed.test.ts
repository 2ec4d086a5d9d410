import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { ToolNameConflict, Toolset, ToolsetDefinitionError } from "effect-toolset"
import { distinct, sources, trees, type Tree } from "./description.ts"
import { equal, on } from "./equal.ts"
import { meaning, namesAt } from "./meaning.ts"
import { isFailure } from "./meant.ts"
import { inStep, stepOf, steps } from "./observed.ts"
import { often } from "./often.ts"
import { making } from "./toolsets.ts"
import { Flavour } from "./world.ts"

const small = trees(undefined, 3)
const named = (tree: Tree): Tree => distinct([tree])[0]!
const f = (name: string) => `${name}-f`
const g = (name: string) => `g-${name}`

describe("renamed", () => {
  it.effect.prop(
    "to the same names is the identity",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree }) {
      yield* equal(sources, on(tree, { _tag: "renamed", rename: "nothing" }), tree)
      yield* equal(sources, on(named(tree), { _tag: "renamed", rename: "none" }), named(tree))
      const same = Object.fromEntries(namesAt(sources, named(tree), 1).map((name) => [name, name]))
      yield* equal(sources, ({ of }) => Toolset.renamed(of(named(tree)), same), named(tree))
    }),
    often()
  )

  it.effect.prop(
    "by f then by g is renamed by g after f",
    { sources, tree: small },
    ({ sources, tree }) =>
      equal(
        sources,
        ({ of }) => of(tree).pipe(Toolset.renamed(f), Toolset.renamed(g)),
        ({ of }) => Toolset.renamed(of(tree), (name) => g(f(name)))
      ),
    often()
  )

  it.effect.prop(
    "by a record is renamed by the function that it inverts: a swap works, and two of them compose",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree: any }) {
      const tree = named(any)
      const [a, b, c] = namesAt(sources, tree, 1)
      if (a === undefined || b === undefined) return
      const swap = (name: string) => (name === a ? b : name === b ? a : name)
      const swapped = on(tree, { _tag: "renamed", rename: "swap" })
      yield* equal(sources, swapped, ({ of }) => Toolset.renamed(of(tree), swap))
      yield* equal(sources, on(swapped, { _tag: "renamed", rename: "swap" }), tree)
      if (c === undefined) return
      yield* equal(
        sources,
        ({ of }) => of(tree).pipe(Toolset.renamed({ [b]: a, [a]: b }), Toolset.renamed({ new: a, [a]: c })),
        ({ of }) => Toolset.renamed(of(tree), { [b]: a, new: b, [a]: c })
      )
    }),
    often()
  )

  it.effect.prop(
    "of an original that is not there is an error where the tools are fixed, and without effect elsewhere",
    { sources, tree: small },
    Effect.fnUntraced(
      function* ({ sources, tree: any }) {
        const tree = named(any)
        const meant = meaning(sources, tree)
        if (isFailure(meant.opening)) return
        const missing = on(tree, { _tag: "renamed", rename: "missing" })
        if (!meant.fixed) return yield* equal(sources, missing, tree)
        const opened = yield* Effect.result(Effect.scoped(Toolset.open(making(sources).of(missing))))
        assert.isTrue(Result.isFailure(opened) && opened.failure instanceof ToolsetDefinitionError)
      },
      Effect.provideService(Flavour, "plain")
    ),
    often()
  )

  it.effect.prop(
    "asks whether the map is the wrong way round exactly where its values are the unknown side",
    { sources, tree: small },
    Effect.fnUntraced(
      function* ({ sources, tree: any }) {
        const tree = named(any)
        const meant = meaning(sources, tree)
        const [name] = namesAt(sources, tree, 1)
        if (isFailure(meant.opening) || !meant.fixed || name === undefined) return
        const hintOf = (names: Record<string, string>) =>
          Toolset.renamed(making(sources).of(tree), names).pipe(
            Toolset.list,
            Effect.flip,
            Effect.map((error) => String(error).includes("wrong way round"))
          )
        assert.isTrue(yield* hintOf({ [name]: "nobody" }))
        assert.isFalse(yield* hintOf({ somebody: "nobody" }))
      },
      Effect.provideService(Flavour, "plain")
    ),
    often()
  )

  it.effect.prop(
    "never loses a tool: a name that is taken is a conflict",
    { sources, tree: small },
    Effect.fnUntraced(
      function* ({ sources, tree: any }) {
        const tree = named(any)
        const meant = meaning(sources, tree)
        for (const step of steps) {
          const tools = meant.opening ?? meant.tools(step)
          const [first, second] = namesAt(sources, tree, 1)
          if (isFailure(tools) || first === undefined || second === undefined) continue
          const names = namesAt(sources, tree, step)
          const listed = yield* Effect.result(
            inStep(stepOf(step))(
              Toolset.list(making(sources).of(on(tree, { _tag: "renamed", rename: "taken" })))
            )
          )
          if (names.includes(first) && names.includes(second)) {
            assert.isTrue(Result.isFailure(listed) && listed.failure instanceof ToolNameConflict)
          } else assert.lengthOf(Result.getOrThrow(listed), names.length)
        }
      },
      Effect.provideService(Flavour, "plain")
    ),
    often()
  )

  it.effect.prop(
    "gives a tool one name: a record that gives it two is an error",
    { sources, tree: small },
    Effect.fnUntraced(
      function* ({ sources, tree: any }) {
        const tree = named(any)
        const [name] = namesAt(sources, tree, 1)
        if (name === undefined) return
        const twice = Toolset.renamed(making(sources).of(tree), { one: name, two: name })
        assert.instanceOf(yield* Effect.flip(Toolset.list(twice)), ToolsetDefinitionError)
      },
      Effect.provideService(Flavour, "plain")
    ),
    often(10)
  )
})
