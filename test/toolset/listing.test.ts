import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Latch } from "effect"
import { Agent, AgentDefinitionError, RunContext, Toolset } from "effect-toolset"
import { outsideOfRuns } from "effect-toolset/RunContext"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { inStep, namesOf, others, textsOf } from "./resources.ts"

const a = Toolset.tool("a", { handler: () => Effect.succeed("a") })
const b = Toolset.tool("b", { handler: () => Effect.succeed("b") })

/** A toolset whose list is asked for with an effect. */
const asking = <E, R>(self: Toolset.Toolset, ask: Effect.Effect<boolean, E, R>) =>
  self.pipe(Toolset.filtered(() => ask))

/** All asked in one step. */
const inOneStep = () => Effect.provideService(RunContext, outsideOfRuns())

describe("listing", () => {
  it.effect("asks each predicate once per tool and step, however often the step is listed", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const ab = Toolset.combined(a, b).pipe(
        Toolset.filtered(({ name }, { step }) => {
          asked.push(`${name} in ${step}`)
          return true
        }),
        Toolset.filtered(({ name }, { step }) =>
          Effect.andThen(
            Effect.yieldNow,
            Effect.sync(() => asked.push(`effectful ${name} in ${step}`) > 0)
          )
        )
      )
      const tree = Toolset.combined(ab.pipe(Toolset.prefixed("x")), ab.pipe(Toolset.prefixed("y")))
      const session = yield* Toolset.open(tree)
      const expected = (step: number) => [
        `a in ${step}`,
        `b in ${step}`,
        `effectful a in ${step}`,
        `effectful b in ${step}`
      ]
      for (const step of [1, 2]) {
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* namesOf(session), ["x_a", "x_b", "y_a", "y_b"])
          yield* Effect.all([session.tools, session.tools, session.instructions], {
            concurrency: "unbounded"
          })
          assert.strictEqual(yield* session.call("y_b", {}), "b")
        }).pipe(inStep(step))
        assert.deepStrictEqual(asked.splice(0), expected(step))
      }
    })
  )

  it.effect("asks each predicate once per tool and step in a run of an agent", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const filtered = a.pipe(
        Toolset.filtered(({ name }, { step }) => Effect.sync(() => asked.push(`${name} in ${step}`) > 0))
      )
      const toolsets = [filtered.pipe(Toolset.prefixed("x")), filtered.pipe(Toolset.prefixed("y"))]
      yield* Agent.run(Agent.make({ toolsets, instructions: Effect.succeed("Be brief.") }), { prompt: "Go." })
      assert.deepStrictEqual(asked, ["a in 1", "a in 2"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("P148: interrupts the slow siblings of a list that fails, and awaits their finalizers", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const say = (event: string) => Effect.sync(() => void events.push(event))
      const started = yield* Latch.make()
      const slow = Effect.andThen(started.open, Effect.never).pipe(
        Effect.onInterrupt(() => Effect.andThen(Effect.yieldNow, say("interrupted")))
      )
      const error = { _tag: "Broken" } as const
      const fast = Effect.andThen(started.await, Effect.fail(error))
      const session = yield* Toolset.open(Toolset.combined(asking(a, slow), asking(b, fast)))
      const exit = yield* Effect.exit(session.tools).pipe(inOneStep())
      yield* say("failed")
      assert.deepStrictEqual(events, ["interrupted", "failed"])
      // Bare: the very error, and no trace of the interruption.
      assert.deepStrictEqual(exit, Exit.fail(error))
      const bare = yield* Effect.flip(
        Agent.run(Agent.make({ toolsets: [asking(a, slow), asking(b, fast)] }), { prompt: "Go." })
      )
      assert.strictEqual(bare, error)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("P148: has two failures at the same time both in the cause", () =>
    Effect.gen(function* () {
      const started = yield* Latch.make()
      const first = Effect.andThen(started.await, Effect.fail("first" as const))
      const second = Effect.uninterruptible(
        Effect.andThen(started.open, Effect.andThen(others, Effect.fail("second" as const)))
      )
      const session = yield* Toolset.open(Toolset.combined(asking(a, first), asking(b, second)))
      const exit = yield* Effect.exit(session.tools).pipe(inOneStep())
      const reasons = Exit.isFailure(exit) ? exit.cause.reasons : []
      assert.sameMembers(
        reasons.map((reason) => (Cause.isFailReason(reason) ? reason.error : reason._tag)),
        ["first", "second"]
      )
    })
  )

  it.effect("fails once with the one failure of a toolset that is listed in two places", () =>
    Effect.gen(function* () {
      const bad = asking(a, Effect.andThen(Effect.yieldNow, Effect.fail("no" as const)))
      const session = yield* Toolset.open(
        Toolset.combined(bad.pipe(Toolset.prefixed("x")), bad.pipe(Toolset.prefixed("y")))
      )
      const exit = yield* Effect.exit(session.tools).pipe(inOneStep())
      assert.deepStrictEqual(exit, Exit.fail("no"))
    })
  )

  it.effect("lists at the same time: slow lists wait for each other", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* Latch.make(), yield* Latch.make()]
      const first = Effect.as(Effect.andThen(one.open, other.await), true)
      const second = Effect.as(Effect.andThen(other.open, one.await), true)
      const session = yield* Toolset.open(Toolset.combined(asking(a, first), asking(b, second)))
      assert.deepStrictEqual(yield* namesOf(session).pipe(inOneStep()), ["a", "b"])
    })
  )
})

/** What the model was told, request by request. */
const told = Effect.map(ScriptedModel.requests, (requests) =>
  requests.map(({ prompt }) =>
    prompt.content.flatMap((message) => (message.role === "system" ? [message.content] : []))
  )
)

describe("instructions", () => {
  const run = (
    toolsets: ReadonlyArray<Toolset.Toolset>,
    instructions?: string,
    prompt: string | undefined = "Go."
  ) =>
    Effect.andThen(Agent.run(Agent.make({ toolsets, instructions }), { prompt }), told).pipe(
      Effect.provide(ScriptedModel.layer([ScriptedModel.text("Done.")]))
    )

  it.effect("P150: the agent's come first, then the toolset's, with a blank line between", () =>
    Effect.gen(function* () {
      const polite = a.pipe(Toolset.withInstructions("Be polite."))
      assert.deepStrictEqual(yield* run([polite], "Be brief."), [["Be brief.\n\nBe polite."]])
    })
  )

  it.effect("come in the order of the tree, static ones before dynamic ones, equal ones once", () =>
    Effect.gen(function* () {
      const said = (text: string) => Toolset.withInstructions(text)
      const asked = (text: string) =>
        Toolset.withInstructions(Effect.map(RunContext, ({ step }) => `${text} ${step}`))
      const ab = Toolset.combined(a.pipe(asked("one"), said("two")), b.pipe(said("three"))).pipe(
        said("two"),
        asked("four")
      )
      assert.deepStrictEqual(yield* run([ab, ab.pipe(Toolset.prefixed("x"))]), [
        ["two\n\nthree\n\none 1\n\nfour 1"]
      ])
    })
  )

  it.effect("P152: blank ones are dropped; a combination of only such says nothing", () =>
    Effect.gen(function* () {
      const blank = Toolset.combined(
        a.pipe(Toolset.withInstructions("")),
        b.pipe(Toolset.withInstructions(" \n ")),
        Toolset.empty.pipe(Toolset.withInstructions(Effect.succeed("")))
      )
      assert.deepStrictEqual(yield* run([blank]), [[]])
      assert.deepStrictEqual(yield* run([blank], "Be brief."), [["Be brief."]])
    })
  )

  it.effect("P153: pass unchanged through whatever changes tools, also where none is left", () =>
    Effect.gen(function* () {
      const wrapped = a.pipe(
        Toolset.withInstructions("Use a."),
        Toolset.prefixed("x"),
        Toolset.renamed({ y: "x_a" }),
        Toolset.prepared((tools) => tools),
        Toolset.approvalRequired(() => false),
        Toolset.wrapper((call, next) => next(call)),
        Toolset.withMetadata({ kept: true }),
        Toolset.onError("recover"),
        Toolset.filtered(() => false)
      )
      assert.deepStrictEqual(yield* run([wrapped]), [["Use a."]])
    })
  )

  it.effect("P154: are enough to run: neither a prompt nor a history is needed", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [a.pipe(Toolset.withInstructions("Greet."))] })
      const { output } = yield* Agent.run(agent, {})
      assert.strictEqual(output, "Done.")
    }).pipe(Effect.provide(ScriptedModel.layer([ScriptedModel.text("Done.")])))
  )

  it.effect("P155: without any, a prompt or a history, there is nothing to send", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [a] }), {}))
      assert.instanceOf(error, AgentDefinitionError)
      assert.include(error.message, "no prompt, no history and no instructions")
      assert.deepStrictEqual(yield* ScriptedModel.requests, [])
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )

  it.effect(
    "P156: those of a dynamic toolset are there in the first request, and it chooses once per step",
    () =>
      Effect.gen(function* () {
        let choices = 0
        const dynamic = Toolset.dynamic(
          Effect.sync(() => a.pipe(Toolset.withInstructions(`Choice ${++choices}.`)))
        )
        yield* Agent.run(Agent.make({ toolsets: [dynamic] }), { prompt: "Go." })
        assert.deepStrictEqual(yield* told, [["Choice 1."], ["Choice 2."]])
      }).pipe(
        Effect.provide(ScriptedModel.layer([ScriptedModel.calls({ a: {} }), ScriptedModel.text("Done.")]))
      )
  )

  it.effect("are asked once per step, and joined like lists", () =>
    Effect.gen(function* () {
      let asked = 0
      const text = Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => `Asked ${++asked}.`)
      )
      const said = a.pipe(Toolset.withInstructions(text))
      const session = yield* Toolset.open(Toolset.combined(said.pipe(Toolset.prefixed("x")), said))
      const together = Effect.all([textsOf(session), textsOf(session)], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        (yield* together.pipe(inStep(1))).flat(),
        Array.from({ length: 4 }, () => "Asked 1.")
      )
      assert.deepStrictEqual(yield* textsOf(session).pipe(inStep(2)), ["Asked 2.", "Asked 2."])
    })
  )
})
