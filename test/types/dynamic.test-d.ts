import { Effect, Option } from "effect"
import { ModelRetry, RunContext, ToolCall, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, flag, Log, NotFound, type Tools, tools } from "./fixtures.ts"

class Unlucky extends Error {
  readonly _tag = "Unlucky"
}
const someday = Effect.sync(() => flag)

describe("dynamic", () => {
  it("joins what it may choose with what the choice fails with and needs", () => {
    const toggled = Toolset.dynamic(
      Effect.gen(function* () {
        yield* Log
        if (yield* someday) return tools
        if (flag) return yield* Effect.fail(new Unlucky())
        return extra
      })
    )
    expectTypeOf(toggled).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound | Unlucky, Db | Log>>()
  })

  it("supplies the run and a scope to the choice", () => {
    const supplied = Toolset.dynamic(
      Effect.gen(function* () {
        yield* RunContext
        yield* Effect.acquireRelease(Effect.void, () => Effect.void)
        return tools
      })
    )
    expectTypeOf(supplied).toEqualTypeOf<Tools>()
  })

  it("may choose none", () => {
    const maybe = Toolset.dynamic(
      Effect.gen(function* () {
        if (yield* someday) return tools
      }),
      { rebuild: "run" }
    )
    expectTypeOf(maybe).toEqualTypeOf<Tools>()
    const orUndefined = Toolset.dynamic(Effect.map(someday, (on) => (on ? tools : undefined)))
    expectTypeOf(orUndefined).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.dynamic(Effect.void)).toEqualTypeOf<Toolset.Toolset>()
    expectTypeOf(Toolset.dynamic(Effect.fail(new Fatal()))).toEqualTypeOf<Toolset.Toolset<Fatal>>()
  })

  it("may choose a dynamic toolset, to any depth", () => {
    const deep = Toolset.dynamic(
      Effect.gen(function* () {
        yield* Log
        return Toolset.dynamic(
          Effect.succeed(Toolset.dynamic(Effect.map(someday, (on) => (on ? tools : extra))))
        )
      })
    )
    expectTypeOf(deep).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
  })

  it("keeps a signal in E: there is no call that it could speak of", () => {
    const retrying = Toolset.dynamic(Effect.fail(new ModelRetry({ message: "not now" })))
    expectTypeOf(retrying).toEqualTypeOf<Toolset.Toolset<ModelRetry>>()
  })

  it("keeps asking for a call, which nobody has while listing", () => {
    const misplaced = Toolset.dynamic(Effect.as(ToolCall, tools))
    expectTypeOf(misplaced).toEqualTypeOf<Toolset.Toolset<Fatal, Db | ToolCall>>()
  })

  it("takes undefined for what is not said", () => {
    expectTypeOf(Toolset.dynamic(Effect.succeed(tools), { rebuild: undefined })).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.dynamic(Effect.succeed(tools), undefined)).toEqualTypeOf<Tools>()
  })

  it("takes an Effect of a toolset or none, and nothing else", () => {
    // @ts-expect-error a toolset is no choice
    Toolset.dynamic(tools)
    // @ts-expect-error nor is a function
    Toolset.dynamic(() => tools)
    // @ts-expect-error an Option is no toolset
    Toolset.dynamic(Effect.succeed(Option.some(tools)))
    // @ts-expect-error none is undefined, not null
    Toolset.dynamic(Effect.succeed(null))
    // @ts-expect-error several toolsets are `combined`
    Toolset.dynamic(Effect.succeed([tools]))
    // @ts-expect-error there is no such time
    Toolset.dynamic(Effect.succeed(tools), { rebuild: "call" })
  })
})
