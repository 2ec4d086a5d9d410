import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Schema } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import { answering, changeable, conflict, names, runOf, tag, tools } from "./asking.ts"
import { textsOf } from "./resources.ts"

const weather = tools("temperature_celsius", "temperature_fahrenheit", "conditions")

describe("combined", () => {
  it.effect("lists in the order of its toolsets, and of the tools in each (P1, P4, P12)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names(weather), [
        "temperature_celsius",
        "temperature_fahrenheit",
        "conditions"
      ])
      assert.deepStrictEqual(yield* names(Toolset.combined(answering("y"), answering("x"))), ["y", "x"])
      const both = Toolset.combined(
        weather.pipe(Toolset.prefixed("weather")),
        answering("now").pipe(Toolset.prefixed("datetime"))
      )
      assert.deepStrictEqual(yield* names(both), [
        "weather_temperature_celsius",
        "weather_temperature_fahrenheit",
        "weather_conditions",
        "datetime_now"
      ])
    })
  )

  it.effect("of nothing has no tools and no instructions (P2, P5)", () =>
    Effect.gen(function* () {
      for (const nothing of [Toolset.combined(), Toolset.empty, Toolset.combined(Toolset.empty)]) {
        const session = yield* Toolset.open(nothing)
        assert.deepStrictEqual(yield* Effect.provideService(session.tools, RunContext, runOf()), [])
        assert.deepStrictEqual(yield* Effect.provideService(session.instructions, RunContext, runOf()), [])
      }
    })
  )

  it.effect("has empty as left and right identity, and is associative", () =>
    Effect.gen(function* () {
      const [a, b, c] = [answering("a"), changeable(answering("b")), answering("c")]
      const expected = yield* Toolset.list(Toolset.combined(a, b, c))
      for (const same of [
        Toolset.combined(Toolset.empty, a, b, c),
        Toolset.combined(a, b, c, Toolset.empty),
        Toolset.combined(Toolset.combined(a, b), c),
        Toolset.combined(a, Toolset.combined(b, c))
      ]) {
        assert.deepStrictEqual(yield* Toolset.list(same), expected)
      }
    })
  )

  it.effect("calls the tool that has the name, wherever it is", () =>
    Effect.gen(function* () {
      const all = Toolset.combined(
        answering("a"),
        Toolset.combined(changeable(answering("b")), answering("c"))
      )
      for (const name of ["a", "b", "c"]) assert.strictEqual(yield* Toolset.call(all, name, {}), name)
    })
  )

  it.effect("fails with what any of its toolsets fails with", () =>
    Effect.gen(function* () {
      class NoTable extends Schema.TaggedError<NoTable>()("NoTable", {}) {}
      const both: Toolset.Toolset<NoTable> = Toolset.combined(
        answering("a"),
        Toolset.unwrap(Effect.andThen(Effect.fail(new NoTable()), Effect.succeed(answering("b"))))
      )
      assert.strictEqual(yield* tag(Toolset.list(both)), "NoTable")
      assert.strictEqual(yield* tag(Toolset.call(both, "a", {})), "NoTable")
    })
  )

  it.effect("lists its toolsets at the same time", () =>
    Effect.gen(function* () {
      const met = yield* Deferred.make<void>()
      const waiting = answering("a").pipe(Toolset.filtered(() => Effect.as(Deferred.await(met), true)))
      const meeting = answering("b").pipe(Toolset.filtered(() => Deferred.succeed(met, undefined)))
      assert.deepStrictEqual(yield* names(Toolset.combined(waiting, meeting)), ["a", "b"])
    })
  )

  it.effect("keeps the order of the instructions", () =>
    Effect.gen(function* () {
      const session = yield* Toolset.open(
        Toolset.combined(
          answering("a").pipe(
            Toolset.withInstructions(Effect.andThen(Effect.yieldNow, Effect.succeed("One.")))
          ),
          answering("b"),
          Toolset.empty.pipe(Toolset.withInstructions("Two."))
        )
      )
      assert.deepStrictEqual(yield* Effect.provideService(textsOf(session), RunContext, runOf()), [
        "One.",
        "Two."
      ])
    })
  )
})

describe("two tools of one name", () => {
  const conflicts: ReadonlyArray<
    readonly [what: string, toolset: Toolset.Toolset, toolName: string, sources: ReadonlyArray<string>]
  > = [
    ["two toolsets", Toolset.combined(answering("t"), answering("t")), "t", ["tool(t)", "tool(t)"]],
    [
      "the same toolset twice (P6)",
      Toolset.combined(weather, weather),
      "temperature_celsius",
      ["tool(temperature_celsius)", "tool(temperature_celsius)"]
    ],
    [
      "a tool and one that a prefix gives its name (P7)",
      Toolset.combined(
        answering("foo_tool"),
        answering("tool").pipe(Toolset.withId("tool"), Toolset.prefixed("foo"))
      ),
      "foo_tool",
      ["tool(foo_tool)", "prefixed(tool)"]
    ],
    [
      "three of them, and the first name is told",
      Toolset.combined(answering("a"), tools("b", "a"), answering("b"), answering("a")),
      "a",
      ["tool(a)", "tool(a)", "tool(a)"]
    ],
    [
      "a list that can change",
      Toolset.combined(changeable(answering("t")), answering("t")),
      "t",
      ["tool(t)", "tool(t)"]
    ]
  ]
  for (const [what, toolset, toolName, sources] of conflicts) {
    it.effect(`are a conflict where the list is collected: ${what}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* conflict(Toolset.list(toolset)), { toolName, sources })
        assert.deepStrictEqual(yield* conflict(Toolset.call(toolset, toolName, {})), { toolName, sources })
      })
    )
  }

  it.effect(
    "of different sources are told apart by a combinator, those of one source where they are declared",
    () =>
      Effect.gen(function* () {
        const apart =
          "Tell them apart with Toolset.prefixed or Toolset.renamed, or leave one out with Toolset.filtered."
        const declared =
          "Where they are of one toolset, rename one where it is declared; where not, tell those toolsets apart " +
          "with Toolset.prefixed or Toolset.renamed, or leave one out with Toolset.filtered."
        const a = Toolset.external([{ name: "a" }])
        const message = (toolset: Toolset.Toolset) =>
          Effect.map(Effect.flip(Toolset.list(toolset)), (error) => error.message)
        const twice = "2 tools are called 'a': external(a) and external(a)."
        assert.strictEqual(
          yield* message(Toolset.external([{ name: "a" }, { name: "a" }])),
          `${twice} ${declared}`
        )
        assert.strictEqual(yield* message(Toolset.combined(a, a)), `${twice} ${declared}`)
        assert.deepStrictEqual(yield* names(Toolset.combined(a, Toolset.prefixed(a, "x"))), ["a", "x_a"])
        assert.strictEqual(
          yield* message(Toolset.combined(a, answering("a"))),
          `2 tools are called 'a': external(a) and tool(a). ${apart}`
        )
        assert.strictEqual(
          yield* message(Toolset.combined(a, answering("a"), a)),
          `3 tools are called 'a': external(a) and tool(a) and external(a). ${declared}`
        )
        const github = Toolset.combined(a, answering("a")).pipe(Toolset.withId("github"))
        assert.strictEqual(yield* message(github), `2 tools are called 'a': github and github. ${declared}`)
      })
  )

  it.effect("may meet on the way, where a name above tells them apart", () =>
    Effect.gen(function* () {
      const both = Toolset.combined(answering("t", 1), Toolset.prefixed(answering("t", 2), "x"))
      assert.deepStrictEqual(yield* names(both.pipe(Toolset.prefixed("y"))), ["y_t", "y_x_t"])
      const twice = Toolset.combined(answering("t", 1), answering("t", 2))
      assert.deepStrictEqual(yield* names(twice.pipe(Toolset.filtered(() => false))), [])
    })
  )
})
