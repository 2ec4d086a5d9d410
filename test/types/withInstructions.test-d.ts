import { Effect } from "effect"
import { RunContext, ToolCall, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, flag, Log, NotFound, type Tools, tools } from "./fixtures.ts"

describe("withInstructions", () => {
  it("adds nothing for a text", () => {
    expectTypeOf(tools.pipe(Toolset.withInstructions("Be kind."))).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.withInstructions(tools, "Be kind.")).toEqualTypeOf<Tools>()
  })

  it("adds what an Effect fails with and needs, but for the run and a scope", () => {
    const dynamic = Toolset.withInstructions(
      tools,
      Effect.gen(function* () {
        yield* Log
        yield* Effect.acquireRelease(Effect.void, () => Effect.void)
        const run = yield* RunContext
        if (run.step > 9) return yield* new NotFound({ id: "step" })
        return `It is step ${run.step}.`
      })
    )
    expectTypeOf(dynamic).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf(tools.pipe(Toolset.withInstructions(Effect.as(Log, "x")))).toEqualTypeOf<
      Toolset.Toolset<Fatal, Db | Log>
    >()
  })

  it("adds them for what may be a text", () => {
    expectTypeOf(
      tools.pipe(Toolset.withInstructions(flag ? "x" : Effect.fail(new NotFound({ id: "" }))))
    ).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db>>()
  })

  it("keeps asking for a call, which nobody has while listing", () => {
    expectTypeOf(tools.pipe(Toolset.withInstructions(Effect.as(ToolCall, "x")))).toEqualTypeOf<
      Toolset.Toolset<Fatal, Db | ToolCall>
    >()
  })

  it("may be written away from its toolset", () => {
    const telling = Toolset.withInstructions(Effect.as(Log, "x"))
    expectTypeOf(tools.pipe(telling)).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
    expectTypeOf(telling(extra)).toEqualTypeOf<Toolset.Toolset<NotFound, Log>>()
  })

  it("takes a text or an Effect of one", () => {
    // @ts-expect-error a function is none
    tools.pipe(Toolset.withInstructions(() => "x"))
    // @ts-expect-error nothing is none
    Toolset.withInstructions(tools, undefined)
    // @ts-expect-error an Effect of nothing is none
    tools.pipe(Toolset.withInstructions(Effect.void))
  })
})
