import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { ToolNameConflict, Toolset, ToolsetDefinitionError } from "effect-toolset"
import { sources, type Tree, trees } from "./description.ts"
import { both, equal, on, seenOf } from "./equal.ts"
import { meaning, namesAt } from "./meaning.ts"
import { isFailure } from "./meant.ts"
import { inStep, stepOf, steps } from "./observed.ts"
import { often } from "./often.ts"
import { assertSame } from "./same.ts"
import { making } from "./toolsets.ts"
import { Flavour } from "./world.ts"

const small = trees(undefined, 2)

describe("a name", () => {
  it.effect.prop(
    "is 1 to 64 of a-z, A-Z, 0-9, _ and -, wherever it is collected",
    {
      letters: Schema.Literals(["a", "Z", "0", "_", "-", ".", "ä", " ", "/"]),
      length: Schema.Literals([0, 1, 63, 64, 65])
    },
    Effect.fnUntraced(function* ({ length, letters }) {
      const name = letters.repeat(length)
      const listed = yield* Effect.result(
        Toolset.list(Toolset.renamed(Toolset.tool("a", { handler: () => Effect.void }), () => name))
      )
      const isLegal = length > 0 && length < 65 && /[\w-]/.test(letters)
      assert.strictEqual(Result.isSuccess(listed), isLegal)
      if (Result.isFailure(listed)) assert.instanceOf(listed.failure, ToolsetDefinitionError)
    }),
    often(100)
  )
})

describe("combined", () => {
  it.effect.prop(
    "is associative",
    { sources, a: small, b: small, c: small },
    ({ a, b, c, sources }) => equal(sources, both(a, both(b, c)), both(both(a, b), c)),
    often()
  )

  it.effect.prop(
    "has empty as left and right identity",
    { sources, tree: small },
    Effect.fnUntraced(function* ({ sources, tree }) {
      yield* equal(sources, ({ of }) => Toolset.combined(Toolset.empty, of(tree)), tree)
      yield* equal(sources, ({ of }) => Toolset.combined(of(tree), Toolset.empty), tree)
    }),
    often()
  )

  it.effect.prop(
    "keeps the order of the tools and of the instructions",
    { sources, a: small, b: small },
    Effect.fnUntraced(function* ({ a, b, sources }) {
      const [first, second] = [yield* seenOf(sources, said(a, "a")), yield* seenOf(sources, said(b, "b"))]
      const seen = yield* seenOf(sources, both(said(a, "a"), said(b, "b")))
      const joined = <A>(key: "tools" | "instructions") =>
        steps.map((_, i) => [first, second].flatMap(({ steps }) => steps[i]![key] as ReadonlyArray<A>))
      if (hasFailures(first) || hasFailures(second)) return
      assertSame(
        seen.steps.map((step) => step.tools),
        joined("tools")
      )
      assertSame(
        seen.steps.map((step) => step.instructions),
        joined("instructions")
      )
    }),
    often()
  )

  it.effect.prop(
    "is a conflict exactly where tools have one name, which says where all of them come from",
    { sources, a: small, b: small },
    Effect.fnUntraced(
      function* ({ a, b, sources }) {
        const tree = both(a, b)
        for (const step of steps) {
          const meant = meaning(sources, tree)
          if (isFailure(meant.opening ?? meant.tools(step))) continue
          const names = namesAt(sources, tree, step)
          const twice = names.find((name, i) => names.indexOf(name) !== i)
          const listed = yield* Effect.result(inStep(stepOf(step))(Toolset.list(making(sources).of(tree))))
          if (twice === undefined) assert.isTrue(Result.isSuccess(listed))
          else {
            assert.isTrue(Result.isFailure(listed) && listed.failure instanceof ToolNameConflict)
            const { sources, toolName } = (listed as Result.Failure<never, ToolNameConflict>).failure
            assert.strictEqual(toolName, twice)
            assert.lengthOf(sources, names.filter((name) => name === twice).length)
          }
        }
      },
      Effect.provideService(Flavour, "plain")
    ),
    often()
  )
})

const said = (tree: Tree, text: "a" | "b"): Tree => on(tree, { _tag: "withInstructions", text, as: "value" })

const hasFailures = ({ opening, steps }: Effect.Success<ReturnType<typeof seenOf>>): boolean =>
  isFailure(opening) || steps.some(({ instructions, tools }) => isFailure(instructions) || isFailure(tools))
