import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Scope } from "effect"
import { RunContext, ToolNotFound, Toolset } from "effect-toolset"
import { opened } from "../../src/toolset/opening.ts"
import { answering, defect, inRunOf, names, runOf, tools } from "./asking.ts"
import { namesOf } from "./resources.ts"

const weather = tools("temperature_celsius", "temperature_fahrenheit", "conditions").pipe(
  Toolset.prefixed("weather")
)
const all = Toolset.combined(weather, answering("datetime_now"))
const noFahrenheit = ({ name }: { readonly name: string }) => !name.includes("fahrenheit")

class Role extends Context.Service<Role, string>()("test/Role") {}

describe("filtered", () => {
  it.effect("keeps the tools for which the predicate holds, in their order (P13)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names(all.pipe(Toolset.filtered(noFahrenheit))), [
        "weather_temperature_celsius",
        "weather_conditions",
        "datetime_now"
      ])
      assert.deepStrictEqual(yield* names(Toolset.filtered(all, () => false)), [])
    })
  )

  it.effect("takes an effect for an answer, and its services and failures join the toolset's (P34)", () =>
    Effect.gen(function* () {
      const forAll: Toolset.Toolset<"nobody", Role> = all.pipe(
        Toolset.filtered(({ name }) =>
          Effect.flatMap(Role, (role) =>
            role === "nobody"
              ? Effect.fail("nobody" as const)
              : Effect.succeed(role === "admin" || name === "datetime_now")
          )
        )
      )
      const as = (role: string) => Effect.provideService(names(forAll), Role, role)
      assert.deepStrictEqual(yield* as("admin"), yield* names(all))
      assert.deepStrictEqual(yield* as("user"), ["datetime_now"])
      assert.strictEqual(yield* Effect.flip(as("nobody")), "nobody")
    })
  )

  it.effect("may answer some tools at once and others with an effect", () =>
    Effect.gen(function* () {
      const some = Toolset.filtered(all, ({ name }) =>
        name === "datetime_now" ? true : Effect.succeed(noFahrenheit({ name }))
      )
      assert.deepStrictEqual(yield* names(some), yield* names(Toolset.filtered(all, noFahrenheit)))
    })
  )

  it.effect("asks with the tool as it is called there, and with the run", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const seeing = Toolset.filtered(({ name }, { step }) => seen.push(`${name} in step ${step}`) > 0)
      yield* names(answering("t").pipe(seeing, Toolset.prefixed("x"), seeing)).pipe(inRunOf({ step: 3 }))
      assert.deepStrictEqual(seen, ["t in step 3", "x_t in step 3"])
    })
  )

  it.effect("has the run and a scope while it answers, which the toolset does not ask for", () =>
    Effect.gen(function* () {
      const closed: Array<number> = []
      const scoped: Toolset.Toolset = answering("t").pipe(
        Toolset.filtered(
          Effect.fnUntraced(function* () {
            const { step } = yield* RunContext
            yield* Scope.addFinalizer(
              yield* Effect.scope,
              Effect.sync(() => closed.push(step))
            )
            return true
          })
        )
      )
      assert.deepStrictEqual(yield* names(scoped).pipe(inRunOf({ step: 2 })), ["t"])
      assert.deepStrictEqual(closed, [2])
    })
  )

  it.effect("is asked once per tool and step (P22)", () =>
    Effect.gen(function* () {
      let asked = 0
      const counted = all.pipe(Toolset.filtered(() => ++asked > 0))
      const session = yield* Toolset.open(counted.pipe(Toolset.prefixed("x")))
      const first = runOf({ step: 1 })
      const listed = yield* Effect.provideService(session.tools, RunContext, first)
      assert.strictEqual(yield* Effect.provideService(session.tools, RunContext, first), listed)
      assert.strictEqual(asked, 4)
      yield* Effect.provideService(session.tools, RunContext, runOf({ step: 2 }))
      assert.strictEqual(asked, 8)
    })
  )

  it.effect(
    "gives the same list in every run where it keeps the same, also under others and at the same time",
    () =>
      Effect.gen(function* () {
        const kept = Toolset.combined(
          all.pipe(Toolset.filtered(noFahrenheit)),
          Toolset.filtered(tools("a", "b"), ({ name }, { step }) => step > 1 || name === "a")
        ).pipe(Toolset.prefixed("x"))
        const listed = (step: number) =>
          Effect.flatMap(opened(kept), ({ list }) => inRunOf({ step })(list(runOf({ step }))))
        const [first, second, firstAgain] = yield* Effect.all([listed(1), listed(2), listed(1)])
        assert.deepStrictEqual(
          [first, second, firstAgain].map((list) => list.length),
          [4, 5, 4]
        )
        assert.strictEqual(yield* listed(1), firstAgain)
        first.forEach((tool, i) => assert.strictEqual(tool, firstAgain[i]))
      })
  )

  it.effect("may answer differently at each step", () =>
    Effect.gen(function* () {
      const session = yield* Toolset.open(
        Toolset.filtered(all, ({ name }, { step }) => step > 1 || noFahrenheit({ name }))
      )
      const inStep = (step: number) => Effect.provideService(namesOf(session), RunContext, runOf({ step }))
      assert.strictEqual((yield* inStep(1)).length, 3)
      assert.strictEqual((yield* inStep(2)).length, 4)
    })
  )

  it.effect("leaves nothing to call where it leaves a tool out (P35)", () =>
    Effect.gen(function* () {
      let calls = 0
      const t = Toolset.tool("t", { handler: () => Effect.sync(() => calls++) })
      const without = Toolset.combined(answering("b"), t, answering("a")).pipe(
        Toolset.filtered(({ name }) => name !== "t")
      )
      const error = yield* Effect.flip(Toolset.call(without, "t", {}))
      assert.instanceOf(error, ToolNotFound)
      assert.deepStrictEqual([error.toolName, error.availableTools], ["t", ["b", "a"]])
      assert.strictEqual(calls, 0)
    })
  )

  it.effect("by true is the identity: the definitions are the same objects", () =>
    Effect.gen(function* () {
      const before = yield* Toolset.list(all)
      const after = yield* Toolset.list(all.pipe(Toolset.filtered(() => true)))
      assert.deepStrictEqual(after, before)
      after.forEach((tool, i) => assert.strictEqual(tool, before[i]))
    })
  )

  it.effect("by p and then by q is by p and q", () =>
    Effect.gen(function* () {
      const isWeather = ({ name }: { readonly name: string }) => name.startsWith("weather")
      const one = Toolset.filtered(all, (tool) => noFahrenheit(tool) && isWeather(tool))
      const two = all.pipe(Toolset.filtered(noFahrenheit), Toolset.filtered(isWeather))
      assert.deepStrictEqual(yield* Toolset.list(two), yield* Toolset.list(one))
    })
  )

  it.effect("keeps the instructions of tools that it leaves out", () =>
    Effect.gen(function* () {
      const polite = answering("t").pipe(
        Toolset.withInstructions("Be polite."),
        Toolset.filtered(() => false)
      )
      const { instructions } = yield* Toolset.open(polite)
      assert.deepStrictEqual(yield* Effect.provideService(instructions, RunContext, runOf()), [
        { text: "Be polite.", dynamic: false }
      ])
    })
  )

  it.effect("dies of a predicate that throws", () =>
    Effect.gen(function* () {
      const throwing = Toolset.filtered(all, () => {
        throw new TypeError("no answer")
      })
      assert.strictEqual(yield* defect(Toolset.list(throwing)), "TypeError: no answer")
    })
  )
})
