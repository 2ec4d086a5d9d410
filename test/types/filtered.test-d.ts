import { Effect } from "effect"
import { ModelRetry, RunContext, ToolCall, type ToolDefinition, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, isMarked, Log, NotFound, type Tools, tools } from "./fixtures.ts"

describe("filtered", () => {
  it("adds nothing where the predicate answers with a value", () => {
    expectTypeOf(
      tools.pipe(
        Toolset.filtered((tool, run) => {
          expectTypeOf(tool).toEqualTypeOf<ToolDefinition>()
          expectTypeOf(run).toEqualTypeOf<Toolset.Run>()
          return tool.name !== "x" && run.step > 1
        })
      )
    ).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.filtered(tools, (tool) => tool.name !== "x")).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.filtered(tools, () => true)).toEqualTypeOf<Tools>()
  })

  it("adds what an Effect fails with and needs, in both forms", () => {
    expectTypeOf(tools.pipe(Toolset.filtered(() => Effect.as(Log, true)))).toEqualTypeOf<
      Toolset.Toolset<Fatal, Db | Log>
    >()
    const first = Toolset.filtered(
      tools,
      Effect.fn(function* (tool, run) {
        expectTypeOf(tool).toEqualTypeOf<ToolDefinition>()
        expectTypeOf(run).toEqualTypeOf<Toolset.Run>()
        yield* Log
        if (run.step > 9) return yield* new NotFound({ id: tool.name })
        return true
      })
    )
    expectTypeOf(first).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
  })

  it("adds them where it answers sometimes with a value and sometimes with an Effect", () => {
    expectTypeOf(
      tools.pipe(Toolset.filtered((tool) => isMarked(tool) || Effect.fail(new NotFound({ id: "x" }))))
    ).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db>>()
  })

  it("supplies the run and a scope to the predicate", () => {
    const supplied = Toolset.filtered(() =>
      Effect.acquireRelease(Effect.as(RunContext, true), () => Effect.void)
    )
    expectTypeOf(tools.pipe(supplied)).toEqualTypeOf<Tools>()
  })

  it("keeps asking for a call, which nobody has while listing", () => {
    const misplaced = tools.pipe(Toolset.filtered(() => Effect.map(ToolCall, (call) => call.approved)))
    expectTypeOf(misplaced).toEqualTypeOf<Toolset.Toolset<Fatal, Db | ToolCall>>()
    expectTypeOf<
      Effect.Services<ReturnType<typeof Toolset.list<Fatal, ToolCall>>>
    >().toEqualTypeOf<ToolCall>()
  })

  it("keeps a signal in E: there is no call that it could speak of", () => {
    const retrying = Toolset.filtered(() => Effect.fail(new ModelRetry({ message: "x" })))
    expectTypeOf(tools.pipe(retrying)).toEqualTypeOf<Toolset.Toolset<Fatal | ModelRetry, Db>>()
  })

  it("may be written away from its toolset, and so may its predicate", () => {
    const readOnly = Toolset.filtered((tool) => Effect.as(Log, tool.metadata.readOnly === true))
    expectTypeOf<ReturnType<typeof readOnly<Fatal, Db>>>().toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
    expectTypeOf(tools.pipe(readOnly)).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
    expectTypeOf(readOnly(extra)).toEqualTypeOf<Toolset.Toolset<NotFound, Log>>()
    const allowed: Toolset.ToolPredicate<NotFound, Log> = (tool) => Effect.as(Log, isMarked(tool))
    expectTypeOf(tools.pipe(Toolset.filtered(allowed))).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound, Db | Log>
    >()
    expectTypeOf(Toolset.filtered(tools, isMarked)).toEqualTypeOf<Tools>()
  })

  it("asks for a yes or a no", () => {
    // @ts-expect-error a name is no answer
    tools.pipe(Toolset.filtered((tool) => tool.name))
    // @ts-expect-error nor is an Effect of one
    Toolset.filtered(tools, (tool) => Effect.succeed(tool.name))
    // @ts-expect-error a list of names is no predicate
    tools.pipe(Toolset.filtered(["a"]))
    // @ts-expect-error arguments are not known while listing
    tools.pipe(Toolset.filtered((_tool, _run, args: Toolset.Args) => args.x === 1))
  })
})
