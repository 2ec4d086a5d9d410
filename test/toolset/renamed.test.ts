import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ToolCall, Toolset } from "effect-toolset"
import { answering, changeable, conflict, flaw, names, tools } from "./asking.ts"

const ab = tools("a", "b")

describe("renamed by a record", () => {
  it.effect("goes from new names to original ones, and tools keep their places (P14)", () =>
    Effect.gen(function* () {
      const all = Toolset.combined(
        tools("temperature_celsius", "temperature_fahrenheit", "conditions").pipe(
          Toolset.prefixed("weather")
        ),
        answering("datetime_now")
      ).pipe(
        Toolset.renamed({
          current_time: "datetime_now",
          temperature_celsius: "weather_temperature_celsius",
          temperature_fahrenheit: "weather_temperature_fahrenheit"
        })
      )
      assert.deepStrictEqual(yield* names(all), [
        "temperature_celsius",
        "temperature_fahrenheit",
        "weather_conditions",
        "current_time"
      ])
      assert.strictEqual(yield* Toolset.call(all, "current_time", {}), "datetime_now")
    })
  )

  it.effect("to the same names is the identity", () =>
    Effect.gen(function* () {
      for (const same of [{}, { a: "a" }, { a: "a", b: "b" }]) {
        assert.deepStrictEqual(yield* Toolset.list(ab.pipe(Toolset.renamed(same))), yield* Toolset.list(ab))
      }
    })
  )

  it.effect("composes", () =>
    Effect.gen(function* () {
      const two = ab.pipe(Toolset.renamed({ x: "a" }), Toolset.renamed({ y: "x", z: "b" }))
      const one = ab.pipe(Toolset.renamed({ y: "a", z: "b" }))
      assert.deepStrictEqual(yield* Toolset.list(two), yield* Toolset.list(one))
      assert.strictEqual(yield* Toolset.call(two, "y", {}), "a")
    })
  )

  it.effect("swaps names, at a call too (2.6)", () =>
    Effect.gen(function* () {
      const swapped = ab.pipe(Toolset.renamed({ a: "b", b: "a" }))
      assert.deepStrictEqual(yield* names(swapped), ["b", "a"])
      assert.strictEqual(yield* Toolset.call(swapped, "a", {}), "b")
      assert.strictEqual(yield* Toolset.call(swapped, "b", {}), "a")
    })
  )

  it.effect("makes a conflict where the new name is taken, in either order (P23, P24)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* conflict(Toolset.list(ab.pipe(Toolset.renamed({ b: "a" })))), {
        toolName: "b",
        sources: ["renamed(tool(a))", "tool(b)"]
      })
      assert.deepStrictEqual(yield* conflict(Toolset.list(ab.pipe(Toolset.renamed({ a: "b" })))), {
        toolName: "a",
        sources: ["tool(a)", "renamed(tool(b))"]
      })
    })
  )

  it.effect("cannot name what is not there, where the tools are always the same (P26)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* flaw(Toolset.list(ab.pipe(Toolset.renamed({ x: "missing", y: "a" })))), {
        source: "renamed(combined(tool(a), tool(b)))",
        problem: "There is no tool 'missing' to rename.",
        hint: "There are: 'a', 'b'."
      })
    })
  )

  it.effect("names every original that is not there", () =>
    Effect.gen(function* () {
      const { problem } = yield* flaw(Toolset.list(ab.pipe(Toolset.renamed({ x: "one", y: "two" }))))
      assert.strictEqual(problem, "There is no tool 'one', 'two' to rename.")
    })
  )

  it.effect("says that there is nothing to rename where there are no tools", () =>
    Effect.gen(function* () {
      const { hint, problem } = yield* flaw(Toolset.list(Toolset.empty.pipe(Toolset.renamed({ x: "a" }))))
      assert.strictEqual(problem, "There is no tool 'a' to rename.")
      assert.notInclude(hint, "There are: .")
    })
  )

  it.effect("asks whether the record is the wrong way round, where its values are the unknown side", () =>
    Effect.gen(function* () {
      const { hint, problem } = yield* flaw(
        Toolset.list(ab.pipe(Toolset.renamed({ a: "first", b: "second" })))
      )
      assert.strictEqual(problem, "There is no tool 'first', 'second' to rename.")
      assert.strictEqual(hint, "Is the map the wrong way round? It goes from new names to original ones.")
    })
  )

  it.effect("does not ask so where only some of it is unknown that way", () =>
    Effect.gen(function* () {
      const { hint } = yield* flaw(Toolset.list(ab.pipe(Toolset.renamed({ a: "first", x: "second" }))))
      assert.strictEqual(hint, "There are: 'a', 'b'.")
    })
  )

  it.effect("leaves what is not there alone, where the tools can change (P26)", () =>
    Effect.gen(function* () {
      for (const varying of [
        changeable(ab),
        Toolset.dynamic(Effect.succeed(ab)),
        Toolset.combined(answering("a"), changeable(answering("b")))
      ]) {
        const some = varying.pipe(Toolset.renamed({ x: "missing", y: "a" }))
        assert.deepStrictEqual(yield* names(some), ["y", "b"])
        assert.strictEqual(yield* Toolset.call(some, "y", {}), "a")
      }
    })
  )

  it.effect("never routes a call to a name that is not there (2.6)", () =>
    Effect.gen(function* () {
      const stale = changeable(ab).pipe(Toolset.renamed({ b: "zzz" }))
      assert.strictEqual(yield* Toolset.call(stale, "b", {}), "b")
    })
  )

  it.effect("cannot give one tool two names: none is ever lost (P27)", () =>
    Effect.gen(function* () {
      for (const inner of [ab, changeable(ab)]) {
        const { hint, problem, source } = yield* flaw(
          Toolset.list(inner.pipe(Toolset.renamed({ x: "a", y: "a" })))
        )
        assert.strictEqual(source, `renamed(${inner.label})`)
        assert.strictEqual(problem, "'a' gets two names, 'x' and 'y'.")
        assert.include(hint, "combine")
      }
    })
  )

  it.effect("fails with the conflict at once, where the tools inside have one name already", () =>
    Effect.gen(function* () {
      const twice = Toolset.combined(answering("a"), answering("a"))
      for (const inner of [twice, changeable(twice)]) {
        assert.strictEqual(
          (yield* conflict(Toolset.list(inner.pipe(Toolset.renamed({ x: "a" }))))).toolName,
          "a"
        )
      }
    })
  )

  it.effect("sees the names of its place in the pipe", () =>
    Effect.gen(function* () {
      const outside = ab.pipe(Toolset.prefixed("p"), Toolset.renamed({ x: "p_a" }))
      const inside = ab.pipe(Toolset.renamed({ x: "a" }), Toolset.prefixed("p"))
      assert.deepStrictEqual(yield* names(outside), ["x", "p_b"])
      assert.deepStrictEqual(yield* names(inside), ["p_x", "p_b"])
    })
  )

  it.effect("tells the body its own name, and the one that the model used (P31)", () =>
    Effect.gen(function* () {
      const whoami = Toolset.tool("t", {
        handler: () => Effect.map(ToolCall, ({ exposedName, name }) => [name, exposedName])
      })
      const renamed = whoami.pipe(Toolset.renamed({ u: "t" }), Toolset.prefixed("p"))
      assert.deepStrictEqual(yield* Toolset.call(renamed, "p_u", {}), ["t", "p_u"])
    })
  )

  for (const name of ["", "with space", "dot.ted"]) {
    it.effect(`may give a name that no provider accepts, which is found on collecting: '${name}'`, () =>
      Effect.gen(function* () {
        const { problem } = yield* flaw(Toolset.list(ab.pipe(Toolset.renamed({ [name]: "a" }))))
        assert.strictEqual(problem, `'${name}' is no name that model providers accept.`)
      })
    )
  }
})

describe("renamed by a function", () => {
  it.effect("goes from each original name to its new one", () =>
    Effect.gen(function* () {
      const shouting = ab.pipe(Toolset.renamed((name) => name.toUpperCase()))
      assert.deepStrictEqual(yield* names(shouting), ["A", "B"])
      assert.strictEqual(yield* Toolset.call(shouting, "A", {}), "a")
      assert.deepStrictEqual(yield* names(Toolset.renamed(ab, (name) => `${name}1`)), ["a1", "b1"])
    })
  )

  it.effect("to the same names is the identity: the definitions are the same objects", () =>
    Effect.gen(function* () {
      const before = yield* Toolset.list(ab)
      const after = yield* Toolset.list(ab.pipe(Toolset.renamed((name) => name)))
      after.forEach((tool, i) => assert.strictEqual(tool, before[i]))
    })
  )

  it.effect("makes a conflict of two tools that get one name (P29, P30)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* conflict(Toolset.list(ab.pipe(Toolset.renamed(() => "same")))), {
        toolName: "same",
        sources: ["renamed(tool(a))", "renamed(tool(b))"]
      })
    })
  )
})
