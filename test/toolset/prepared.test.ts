import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { Tool } from "effect/ai"
import type { ToolDefinition } from "effect-toolset"
import { RunContext, Toolset } from "effect-toolset"
import { answering, changeable, conflict, defect, first, inRunOf, names, runOf, tools } from "./asking.ts"

const ab = tools("a", "b")
const each = (f: (tool: ToolDefinition) => ToolDefinition) => Toolset.prepared((all) => all.map(f))

class Role extends Context.Service<Role, string>()("test/Role") {}

describe("prepared", () => {
  it.effect("edits definitions, and leaves names, order and schemas as they are (P15)", () =>
    Effect.gen(function* () {
      const texts: Readonly<Record<string, string>> = { a: "The first.", b: "The second." }
      const described = ab.pipe(each((tool) => ({ ...tool, description: texts[tool.name] })))
      const before = yield* Toolset.list(ab)
      assert.deepStrictEqual(
        yield* Toolset.list(described),
        before.map((tool) => ({ ...tool, description: texts[tool.name] }))
      )
      assert.strictEqual(yield* Toolset.call(described, "b", {}), "b")
    })
  )

  it.effect("comes after what is inside it, so that names are those of its place (P16, P18, P44)", () =>
    Effect.gen(function* () {
      const binary = (name: string, f: (a: number, b: number) => number) =>
        Toolset.tool(name, {
          description: `${name}.`,
          parameters: Schema.Struct({ a: Schema.Finite, b: Schema.Finite }),
          handler: ({ a, b }) => Effect.succeed(f(a, b))
        })
      const math = Toolset.combined(
        binary("add", (a, b) => a + b),
        binary("subtract", (a, b) => a - b),
        binary("multiply", (a, b) => a * b)
      )
      const all = Toolset.combined(
        math.pipe(Toolset.prefixed("math")),
        answering("concat").pipe(Toolset.prefixed("str")),
        binary("power", Math.pow).pipe(Toolset.prefixed("adv"))
      ).pipe(
        Toolset.filtered(({ name }) =>
          Effect.map(
            Role,
            (role) => !name.startsWith("str") && (role === "advanced" || !name.startsWith("adv"))
          )
        ),
        Toolset.prepared((tools) =>
          Effect.map(Role, (role) =>
            tools.map((tool) => ({ ...tool, description: `${tool.description} (role: ${role})` }))
          )
        )
      )
      const as = Effect.provideService(Role)
      const listed = yield* Toolset.list(all).pipe(as("advanced"))
      assert.deepStrictEqual(
        listed.map(({ description, name }) => [name, description]),
        [
          ["math_add", "add. (role: advanced)"],
          ["math_subtract", "subtract. (role: advanced)"],
          ["math_multiply", "multiply. (role: advanced)"],
          ["adv_power", "power. (role: advanced)"]
        ]
      )
      assert.deepStrictEqual(yield* names(all).pipe(as("user")), [
        "math_add",
        "math_subtract",
        "math_multiply"
      ])
      assert.strictEqual(yield* Toolset.call(all, "math_add", { a: 5, b: 3 }).pipe(as("user")), 8)
    })
  )

  it.effect("drops and reorders, and its order is the order (2.7)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names(ab.pipe(Toolset.prepared((all) => all.toReversed()))), ["b", "a"])
      assert.deepStrictEqual(yield* names(Toolset.prepared(ab, (all) => all.slice(1))), ["b"])
    })
  )

  it.effect("may leave none (P40)", () =>
    Effect.gen(function* () {
      const none = ab.pipe(Toolset.prepared(() => []))
      assert.deepStrictEqual(yield* names(none), [])
    })
  )

  it.effect("takes an effect, whose services and failures join the toolset's", () =>
    Effect.gen(function* () {
      const hidden: Toolset.Toolset<"nobody", Role> = ab.pipe(
        Toolset.prepared((all) =>
          Effect.flatMap(Role, (role) =>
            role === "41" ? Effect.fail("nobody" as const) : Effect.succeed(all)
          )
        )
      )
      assert.deepStrictEqual(yield* names(hidden).pipe(Effect.provideService(Role, "42")), ["a", "b"])
      assert.strictEqual(yield* Effect.flip(names(hidden).pipe(Effect.provideService(Role, "41"))), "nobody")
    })
  )

  it.effect("hides a tool or tells more of it, by what it finds (P41)", () =>
    Effect.gen(function* () {
      const hitchhiker = answering("hitchhiker").pipe(
        Toolset.prepared((all, { step }) =>
          step === 41 ? [] : all.map((tool) => ({ ...tool, description: `${step}` }))
        )
      )
      assert.deepStrictEqual(yield* names(hitchhiker).pipe(inRunOf({ step: 41 })), [])
      assert.strictEqual((yield* first(hitchhiker).pipe(inRunOf({ step: 42 }))).description, "42")
    })
  )

  it.effect("may set everything but the name", () =>
    Effect.gen(function* () {
      const edited: Omit<ToolDefinition, "name"> = {
        description: "New.",
        parameters: { type: "object", properties: {}, additionalProperties: false, description: "None." },
        returns: { type: "string" },
        kind: "unapproved",
        sequential: true,
        maxRetries: 0,
        metadata: { team: "x" },
        annotations: Context.make(Tool.Destructive, false)
      }
      assert.deepStrictEqual(yield* first(answering("a").pipe(each((tool) => ({ ...tool, ...edited })))), {
        name: "a",
        ...edited
      })
    })
  )

  it.effect("is asked once per step, with the run (P22)", () =>
    Effect.gen(function* () {
      const steps: Array<number> = []
      const counted = ab.pipe(
        Toolset.prepared((all, { step }) => {
          steps.push(step)
          return all
        })
      )
      const session = yield* Toolset.open(counted)
      const inStep = (run: Toolset.Run) => Effect.provideService(session.tools, RunContext, run)
      const run = runOf({ step: 5 })
      assert.strictEqual(yield* inStep(run), yield* inStep(run))
      yield* inStep(runOf({ step: 6 }))
      assert.deepStrictEqual(steps, [5, 6])
    })
  )

  it.effect("is the identity where it changes nothing: the definitions are the same objects", () =>
    Effect.gen(function* () {
      const before = yield* Toolset.list(ab)
      for (const same of [Toolset.prepared(ab, (all) => all), ab.pipe(each((tool) => ({ ...tool })))]) {
        const after = yield* Toolset.list(same)
        after.forEach((tool, i) => assert.strictEqual(tool, before[i]))
      }
    })
  )

  it.effect("fails with the conflict at once, where the tools inside have one name already", () =>
    Effect.gen(function* () {
      const twice = Toolset.combined(answering("t"), changeable(answering("t")))
      const { toolName } = yield* conflict(Toolset.list(twice.pipe(Toolset.prepared(() => []))))
      assert.strictEqual(toolName, "t")
    })
  )

  it.effect("dies of a preparer that throws", () =>
    Effect.gen(function* () {
      const throwing = Toolset.prepared(ab, () => {
        throw new TypeError("unprepared")
      })
      assert.strictEqual(yield* defect(Toolset.list(throwing)), "TypeError: unprepared")
    })
  )
})
