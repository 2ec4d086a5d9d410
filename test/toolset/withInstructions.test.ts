import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import { answering, names, runOf } from "./asking.ts"

/** The instructions of one step. */
const instructions = <E, R>(self: Toolset.Toolset<E, R>, run: Toolset.Run = runOf()) =>
  Effect.scoped(
    Effect.flatMap(Toolset.open(self), ({ instructions }) =>
      Effect.provideService(instructions, RunContext, run)
    )
  )

describe("withInstructions", () => {
  it.effect("adds a text that is always the same, or one that is asked for at each step", () =>
    Effect.gen(function* () {
      const still = answering("t").pipe(Toolset.withInstructions("Be polite."))
      assert.deepStrictEqual(yield* instructions(still), [{ text: "Be polite.", dynamic: false }])
      const asked = Toolset.withInstructions(
        answering("t"),
        Effect.map(RunContext, ({ step }) => `Step ${step}.`)
      )
      for (const step of [1, 2]) {
        assert.deepStrictEqual(yield* instructions(asked, runOf({ step })), [
          { text: `Step ${step}.`, dynamic: true }
        ])
      }
    })
  )

  it.effect("adds after the toolset's own, and combined keeps its order (P5)", () =>
    Effect.gen(function* () {
      const first = answering("a").pipe(Toolset.withInstructions("One."), Toolset.withInstructions("Two."))
      const third = answering("b").pipe(Toolset.withInstructions(Effect.succeed("Three.")))
      const all = Toolset.combined(first, answering("c"), third).pipe(Toolset.withInstructions("Four."))
      assert.deepStrictEqual(
        (yield* instructions(all)).map(({ text }) => text),
        ["One.", "Two.", "Three.", "Four."]
      )
    })
  )

  it.effect("is kept by everything that is about tools", () =>
    Effect.gen(function* () {
      const kept = answering("t").pipe(
        Toolset.withInstructions("Be polite."),
        Toolset.prefixed("x"),
        Toolset.renamed({ y: "x_t" }),
        Toolset.prepared((all) => all),
        Toolset.wrapper((call, next) => next(call)),
        Toolset.approvalRequired(),
        Toolset.timeout("1 second"),
        Toolset.withMetadata({ a: 1 }),
        Toolset.withMaxRetries(2),
        Toolset.withReturns,
        Toolset.sequential,
        Toolset.withId("id"),
        Toolset.onError("recover"),
        Toolset.catchTags({}),
        Toolset.filtered(() => false)
      )
      assert.deepStrictEqual(yield* names(kept), [])
      assert.deepStrictEqual(yield* instructions(kept), [{ text: "Be polite.", dynamic: false }])
    })
  )

  it.effect("changes no tool", () =>
    Effect.gen(function* () {
      const tool = answering("t")
      assert.deepStrictEqual(
        yield* Toolset.list(Toolset.withInstructions(tool, "x")),
        yield* Toolset.list(tool)
      )
      assert.strictEqual(yield* Toolset.call(Toolset.withInstructions(tool, "x"), "t", {}), "t")
    })
  )

  it.effect("is asked once per step, however often it is looked at (P22)", () =>
    Effect.gen(function* () {
      let asked = 0
      const counted = answering("t").pipe(
        Toolset.withInstructions(Effect.sync(() => `Asked ${++asked} times.`))
      )
      const session = yield* Toolset.open(Toolset.combined(counted, Toolset.prefixed(counted, "x")))
      const run = runOf()
      const twice = Effect.all([session.instructions, session.instructions])
      const [one, two] = yield* Effect.provideService(twice, RunContext, run)
      assert.deepStrictEqual(one, two)
      assert.strictEqual(asked, 1)
      yield* Effect.provideService(session.instructions, RunContext, runOf({ step: 2 }))
      assert.strictEqual(asked, 2)
    })
  )

  it.effect("asks with the run and a scope; other services and failures are the toolset's", () =>
    Effect.gen(function* () {
      class Manual extends Context.Service<Manual, string | undefined>()("test/Manual") {}
      const manual: Toolset.Toolset<"lost", Manual> = answering("t").pipe(
        Toolset.withInstructions(
          Effect.flatMap(Manual, (text) =>
            text === undefined ? Effect.fail("lost" as const) : Effect.succeed(text)
          ).pipe(Effect.tap(() => Effect.addFinalizer(() => Effect.void)))
        )
      )
      const by = Effect.provideService(Manual)
      assert.deepStrictEqual(yield* by(instructions(manual), "Read."), [{ text: "Read.", dynamic: true }])
      assert.strictEqual(yield* Effect.flip(by(instructions(manual), undefined)), "lost")
      assert.deepStrictEqual(yield* by(names(manual), undefined), ["t"])
    })
  )
})
