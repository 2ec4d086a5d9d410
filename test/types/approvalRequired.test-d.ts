import { Effect } from "effect"
import {
  ApprovalRequired,
  RunContext,
  ToolCall,
  type ToolDefinition,
  ToolFailed,
  Toolset
} from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, isMarked, Log, NotFound, type Tools, tools } from "./fixtures.ts"

describe("approvalRequired", () => {
  it("adds nothing without a predicate", () => {
    expectTypeOf(tools.pipe(Toolset.approvalRequired())).toEqualTypeOf<Tools>()
    expectTypeOf(tools.pipe(Toolset.approvalRequired(undefined))).toEqualTypeOf<Tools>()
    const all = Toolset.approvalRequired()
    expectTypeOf(all(extra)).toEqualTypeOf<typeof extra>()
  })

  it("takes a toolset alone, data first", () => {
    expectTypeOf(Toolset.approvalRequired(tools)).toEqualTypeOf<Tools>()
  })

  it("adds nothing where the predicate answers with a value", () => {
    expectTypeOf(
      tools.pipe(
        Toolset.approvalRequired((tool, args, run) => {
          expectTypeOf(tool).toEqualTypeOf<ToolDefinition>()
          expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>()
          expectTypeOf(run).toEqualTypeOf<Toolset.Run>()
          return tool.name === "x" && args.amount !== 0 && run.step > 0
        })
      )
    ).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.approvalRequired(tools, () => true)).toEqualTypeOf<Tools>()
  })

  it("adds what an Effect fails with and needs, but for signals and for what a call supplies", () => {
    const first = Toolset.approvalRequired(
      tools,
      Effect.fn(function* (tool, args) {
        expectTypeOf(args).toEqualTypeOf<Toolset.Args>()
        yield* Log
        yield* ToolCall
        yield* RunContext
        yield* Effect.acquireRelease(Effect.void, () => Effect.void)
        if (tool.name === "never") return yield* new ToolFailed({ message: "not allowed" })
        if (tool.name === "why") return yield* new ApprovalRequired({ metadata: { why: "x" } })
        if (tool.name === "odd") return yield* new NotFound({ id: "x" })
        return true
      })
    )
    expectTypeOf(first).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf(tools.pipe(Toolset.approvalRequired(() => Effect.as(Log, true)))).toEqualTypeOf<
      Toolset.Toolset<Fatal, Db | Log>
    >()
    expectTypeOf(
      tools.pipe(Toolset.approvalRequired((tool) => isMarked(tool) || new ToolFailed({ message: "x" })))
    ).toEqualTypeOf<Tools>()
  })

  it("may be written away from its toolset, and so may its predicate", () => {
    const expensive: Toolset.CallPredicate<NotFound, Log> = (_, args) => Effect.as(Log, args.amount !== 0)
    const careful = Toolset.approvalRequired(expensive)
    expectTypeOf(tools.pipe(careful)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf(careful(Toolset.empty)).toEqualTypeOf<Toolset.Toolset<NotFound, Log>>()
    expectTypeOf(tools.pipe(Toolset.approvalRequired(isMarked))).toEqualTypeOf<Tools>()
  })

  it("asks for a yes or a no", () => {
    // @ts-expect-error nothing is no answer
    tools.pipe(Toolset.approvalRequired(() => undefined))
    // @ts-expect-error nor is an Effect of something else
    Toolset.approvalRequired(tools, () => Effect.succeed("yes"))
    // @ts-expect-error arguments of a toolset are not known by their types
    tools.pipe(Toolset.approvalRequired((_, args) => args.amount > 3))
  })
})
