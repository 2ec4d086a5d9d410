/** Random sessions: whatever is chosen, fails or is interrupted, nothing leaks and nothing is used while closed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import { eventsOf, inStep, logged, others, stepwise } from "./resources.ts"

/** What one step of a random session does. */
const Step = Schema.Struct({
  chosen: Schema.Array(Schema.Literals(["a", "b", "c", "inner", "bad"])),
  inner: Schema.Array(Schema.Literals(["a", "b", "bad"])),
  choosing: Schema.Literals(["at once", "at once", "slowly", "fails"]),
  patience: Schema.Literals([0, 3, 10, 30, 60, 100, 1000]),
  ends: Schema.Literals(["awaited", "awaited", "interrupted", "left alone"]),
  call: Schema.Literals(["a", "b", "none"])
})
type Step = typeof Step.Type

/** A session whose steps are these, and what happened to its resources. */
const session = (steps: ReadonlyArray<Step>, ending: string, calls: "awaited" | "left alone") => {
  const log = logged()
  const bad = Toolset.unwrap(
    Effect.andThen(log.resource("half"), Effect.andThen(Effect.yieldNow, Effect.fail("bad")))
  )
  const made = new Map<string, Toolset.Toolset<string>>()
  /** The same names give the same toolset. */
  const toolsetOf = (names: ReadonlyArray<string>): Toolset.Toolset<string> | undefined => {
    const key = Array.from(new Set(names)).join()
    const known = made.get(key) ?? Toolset.combined(...Array.from(new Set(names), (name) => leaves[name]!))
    made.set(key, known)
    return names.length === 0 ? undefined : known
  }
  let choices = 0
  const choosing = (names: (step: Step) => ReadonlyArray<string>) =>
    Toolset.dynamic(
      Effect.gen(function* () {
        const { step } = yield* RunContext
        const { choosing, ...rest } = steps[step - 1]!
        yield* log.resource(`choice ${choices++}`)
        if (choosing !== "at once") yield* Effect.repeat(Effect.yieldNow, { times: 5 })
        return choosing === "fails"
          ? yield* Effect.fail("no choice")
          : toolsetOf(names({ choosing, ...rest }))
      })
    )
  const leaves: Record<string, Toolset.Toolset<string>> = {
    a: log.leaf("a", { first: Effect.yieldNow, during: Effect.yieldNow }),
    b: log.leaf("b", { during: others }),
    c: log.leaf("c").pipe(Toolset.prefixed("x")),
    inner: choosing((step) => step.inner).pipe(Toolset.prefixed("inner")),
    bad
  }
  const run = Effect.gen(function* () {
    const tree = Toolset.combined(
      choosing((step) => step.chosen),
      leaves["a"]!.pipe(Toolset.prefixed("static"))
    )
    const session = yield* Toolset.open(tree)
    for (const [i, { call, ends, patience }] of steps.entries()) {
      const fiber = yield* Effect.forkScoped(session.tools.pipe(inStep(i + 1), stepwise))
      yield* Effect.repeat(Effect.yieldNow, { times: patience })
      if (ends === "interrupted") fiber.interruptUnsafe()
      if (ends === "awaited") yield* Fiber.await(fiber)
      const calling = yield* Effect.forkScoped(session.call(call, {}).pipe(inStep(i + 1), stepwise))
      if (calls === "awaited") yield* Fiber.await(calling)
    }
    if (ending === "failure") yield* Effect.fail("the end")
    if (ending === "interruption") yield* Effect.interrupt
  })
  return Effect.as(Effect.exit(Effect.scoped(run)), log)
}

describe("whatever is chosen, fails and is interrupted", () => {
  const anything = {
    steps: Schema.Array(Step),
    ending: Schema.Literals(["success", "failure", "interruption"])
  }
  for (const calls of ["awaited", "left alone"] as const) {
    it.effect.prop(
      `nothing is opened or closed twice, used while closed, or left open; calls are ${calls}`,
      anything,
      ({ ending, steps }) =>
        Effect.gen(function* () {
          const { events, flaws, open } = yield* session(steps, ending, calls)
          assert.deepStrictEqual(flaws, [])
          assert.deepStrictEqual(open, new Set())
          assert.sameMembers(eventsOf(events, "close"), eventsOf(events, "open"))
          return true
        }),
      { timeout: 60_000, arbitrary: { runs: 100 } }
    )
  }
})
