/** What `prepared` keeps from step to step, and what it does not. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Equal } from "effect"
import { Tool } from "effect/ai"
import type { ToolDefinition } from "effect-toolset"
import { RunContext, Toolset } from "effect-toolset"
import { answering, first, inRunOf, runOf } from "./asking.ts"

describe("definitions from step to step", () => {
  /** The definitions of one tool in the runs given. */
  const inRuns = (
    prepare: (tool: ToolDefinition, run: Toolset.Run) => ToolDefinition,
    ...runs: ReadonlyArray<Toolset.Run>
  ) =>
    Effect.gen(function* () {
      const toolset = answering("t").pipe(
        Toolset.prepared((all, run) => all.map((tool) => prepare(tool, run)))
      )
      const session = yield* Toolset.open(toolset)
      return yield* Effect.forEach(runs, (run) =>
        Effect.map(Effect.provideService(session.tools, RunContext, run), ([tool]) => tool!)
      )
    })
  const [one, two] = [runOf({ runId: "one" }), runOf({ runId: "two", step: 2 })]

  it.effect("are the same objects while they are equal, and so are the tools", () =>
    Effect.gen(function* () {
      const [before, after] = yield* inRuns(
        (tool) => ({
          ...tool,
          description: "Same.",
          parameters: { type: "object", properties: { a: { enum: ["x"] } } },
          metadata: { team: "x" }
        }),
        one,
        two
      )
      assert.strictEqual(after!.definition, before!.definition)
      assert.strictEqual(after, before)
    })
  )

  it.effect("are the same objects also where their annotations were made anew, if those hold the same", () =>
    Effect.gen(function* () {
      const [before, after] = yield* inRuns(
        (tool) => ({ ...tool, annotations: Context.add(tool.annotations, Tool.Readonly, true) }),
        one,
        two
      )
      assert.strictEqual(after!.definition, before!.definition)
    })
  )

  it.effect("are new where anything differs", () =>
    Effect.gen(function* () {
      const differing: ReadonlyArray<(step: number) => Partial<ToolDefinition>> = [
        (step) => ({ description: `${step}` }),
        (step) => ({ parameters: { type: "object", properties: { a: { enum: [step] } } } }),
        (step) => ({ returns: { const: step } }),
        (step) => ({ kind: step === 1 ? "function" : "external" }),
        (step) => ({ sequential: step === 1 }),
        (step) => ({ maxRetries: step }),
        (step) => ({ metadata: { step } }),
        (step) => ({ annotations: Context.make(Tool.Title, `${step}`) })
      ]
      for (const fields of differing) {
        const [first, second] = yield* inRuns((tool, { step }) => ({ ...tool, ...fields(step) }), one, two)
        assert.isTrue(Equal.equals({ ...first!.definition }, { ...first!.definition, ...fields(1) }))
        assert.isTrue(Equal.equals({ ...second!.definition }, { ...second!.definition, ...fields(2) }))
        assert.isFalse(Equal.equals(fields(1), fields(2)))
      }
    })
  )

  it.effect("hold the objects of their own run, also where those look alike", () =>
    Effect.gen(function* () {
      const clients = new Map([
        ["one", { socket: {} }],
        ["two", { socket: {} }]
      ])
      const listed = yield* inRuns(
        (tool, { runId }) => ({ ...tool, metadata: { client: clients.get(runId) } }),
        one,
        two,
        one
      )
      assert.strictEqual(listed[0]!.definition.metadata["client"], clients.get("one"))
      assert.strictEqual(listed[1]!.definition.metadata["client"], clients.get("two"))
      assert.strictEqual(listed[2]!.definition.metadata["client"], clients.get("one"))
    })
  )

  it.effect("never look into what the application keeps in them", () =>
    Effect.gen(function* () {
      const untouchable = new Proxy(
        {},
        {
          ownKeys: () => assert.fail("Somebody looked."),
          get: () => assert.fail("Somebody looked.")
        }
      )
      const [before, after] = yield* inRuns((tool) => ({ ...tool, metadata: { untouchable } }), one, two)
      assert.strictEqual(after!.definition, before!.definition)
    })
  )

  it.effect("of runs at the same time do not meet (P42)", () =>
    Effect.gen(function* () {
      const tagged = answering("t").pipe(
        Toolset.prepared((all, { runId }) =>
          Effect.as(
            Effect.yieldNow,
            all.map((tool) => ({ ...tool, metadata: { runId } }))
          )
        )
      )
      const runs = ["one", "two", "three"]
      const seen = yield* Effect.forEach(runs, (runId) => first(tagged).pipe(inRunOf({ runId })), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        seen.map((tool) => tool.metadata["runId"]),
        runs
      )
    })
  )
})
