import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { ToolFailed, ToolNotFound, Toolset } from "effect-toolset"
import { anyTree, distinct, sources } from "./description.ts"
import { meaning, namesAt } from "./meaning.ts"
import { isFailure } from "./meant.ts"
import { failure, inStep, inTime, stepOf, steps } from "./observed.ts"
import { often } from "./often.ts"
import { making } from "./toolsets.ts"
import { Flavour } from "./world.ts"

describe("handing over", () => {
  it.effect.prop(
    "a call finds a tool exactly where the list of its step names it",
    { sources, tree: anyTree },
    Effect.fnUntraced(
      function* ({ sources, tree: any }) {
        const [tree] = distinct([any])
        const meant = meaning(sources, tree!)
        if (isFailure(meant.opening)) return
        const everything = new Set(["nobody", "", ...steps.flatMap((step) => namesAt(sources, tree!, step))])
        const untouched = Toolset.wrapper(making(sources).of(tree!), () =>
          Effect.fail(new ToolFailed({ message: "found" }))
        )
        const session = yield* Toolset.open(untouched)
        for (const step of steps) {
          const run = stepOf(step)
          const listed = yield* Effect.exit(inStep(run)(session.tools))
          if (Exit.isFailure(listed)) continue
          const names = listed.value.map(({ definition }) => definition.name)
          for (const name of everything) {
            const error = yield* Effect.flip(inStep(run)(session.call(name, { n: 1 })))
            // Renaming onto a name that is taken is a conflict, and then nothing can be called.
            if (new Set(names).size < names.length) assert.propertyVal(error, "_tag", "ToolNameConflict")
            else if (names.includes(name)) assert.notInstanceOf(error, ToolNotFound)
            else assert.deepInclude(error, { _tag: "ToolNotFound", toolName: name, availableTools: names })
          }
        }
      },
      Effect.scoped,
      Effect.provideService(Flavour, "plain")
    ),
    often(60)
  )

  it.effect.prop(
    "Toolset.call is the call of a session that is opened for it",
    { sources, tree: anyTree },
    Effect.fnUntraced(
      function* ({ sources, tree: any }) {
        const [tree] = distinct([any])
        for (const name of ["nobody", ...namesAt(sources, tree!, 1)]) {
          const calling = Toolset.call(making(sources).of(tree!), name, { n: 1 })
          const alone = yield* Effect.exit(inTime(calling))
          const opening = Toolset.open(making(sources).of(tree!))
          const inSession = Effect.scoped(Effect.flatMap(opening, (session) => session.call(name, { n: 1 })))
          const over = yield* Effect.exit(inTime(inSession))
          assert.deepStrictEqual(ended(alone), ended(over))
        }
      },
      Effect.provideService(Flavour, "plain")
    ),
    often(20)
  )
})

const ended = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isSuccess(exit) ? exit.value : failure(exit.cause)
