import { Effect } from "effect"
import { RunContext, ToolCall, type ToolDefinition, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, isMarked, Log, NotFound, type Tools, tools } from "./fixtures.ts"

const descriptions: Record<string, string> = {}

describe("prepared", () => {
  it("adds nothing where the preparer answers with a list", () => {
    expectTypeOf(
      tools.pipe(
        Toolset.prepared((all, run) => {
          expectTypeOf(all).toEqualTypeOf<ReadonlyArray<ToolDefinition>>()
          expectTypeOf(run).toEqualTypeOf<Toolset.Run>()
          return run.step > 3 ? [] : all.toReversed()
        })
      )
    ).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.prepared(tools, (all) => all.filter(isMarked))).toEqualTypeOf<Tools>()
  })

  it("takes a definition with undefined where there may be nothing", () => {
    const described = Toolset.prepared((all) =>
      all.map((tool) => ({ ...tool, description: descriptions[tool.name], maxRetries: undefined }))
    )
    expectTypeOf(tools.pipe(described)).toEqualTypeOf<Tools>()
  })

  it("adds what an Effect fails with and needs, in both forms", () => {
    expectTypeOf(Toolset.prepared(tools, (all) => Effect.as(Log, all))).toEqualTypeOf<
      Toolset.Toolset<Fatal, Db | Log>
    >()
    const last = Toolset.prepared(
      Effect.fn(function* (all) {
        expectTypeOf(all).toEqualTypeOf<ReadonlyArray<ToolDefinition>>()
        yield* Log
        if (all.length === 0) return yield* new NotFound({ id: "" })
        return all
      })
    )
    expectTypeOf(tools.pipe(last)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
  })

  it("supplies the run and a scope, and no call", () => {
    const supplied = Toolset.prepared((all) =>
      Effect.acquireRelease(Effect.as(RunContext, all), () => Effect.void)
    )
    expectTypeOf(tools.pipe(supplied)).toEqualTypeOf<Tools>()
    expectTypeOf(tools.pipe(Toolset.prepared((all) => Effect.as(ToolCall, all)))).toEqualTypeOf<
      Toolset.Toolset<Fatal, Db | ToolCall>
    >()
  })

  it("may be written away from its toolset, and so may its preparer", () => {
    const logged: Toolset.Preparer<never, Log> = (all) => Effect.as(Log, all)
    const preparing = Toolset.prepared(logged)
    expectTypeOf(tools.pipe(preparing)).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
    expectTypeOf(preparing(extra)).toEqualTypeOf<Toolset.Toolset<NotFound, Log>>()
  })

  it("asks for a list of definitions", () => {
    // @ts-expect-error nothing is not a list: return [] to offer no tools
    tools.pipe(Toolset.prepared(() => {}))
    // @ts-expect-error names are no definitions
    tools.pipe(Toolset.prepared((all) => all.map((tool) => tool.name)))
    // @ts-expect-error a definition has all its parts
    Toolset.prepared(tools, () => [{ name: "new" }])
    // @ts-expect-error there is no such kind
    tools.pipe(Toolset.prepared((all) => all.map((tool) => ({ ...tool, kind: "hidden" }))))
    tools.pipe(
      Toolset.prepared((all) => {
        // @ts-expect-error what it is given is not its own to change
        all.push(...all)
        return all
      })
    )
  })
})
