import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, Id, Log, lookup, NotFound, type Tools, tools } from "./fixtures.ts"

describe("combined", () => {
  it("fails with what any of its toolsets fails with, and needs what any needs", () => {
    expectTypeOf(Toolset.combined(tools, Toolset.empty, extra)).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound, Db | Log>
    >()
    expectTypeOf(Toolset.combined(tools, Toolset.combined(extra), tools)).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound, Db | Log>
    >()
  })

  it("of nothing is like empty", () => {
    expectTypeOf(Toolset.combined()).toEqualTypeOf<Toolset.Toolset>()
    expectTypeOf(Toolset.empty).toEqualTypeOf<Toolset.Toolset>()
    expectTypeOf(Toolset.combined(Toolset.empty, tools)).toEqualTypeOf<Tools>()
  })

  it("infers constructors and combinators written inline", () => {
    const inline = Toolset.combined(
      Toolset.tool("a", { handler: () => Effect.succeed(1) }),
      Toolset.tool("b", { parameters: Id, handler: lookup }),
      Toolset.filtered(tools, () => true),
      tools.pipe(Toolset.prefixed("x")),
      Toolset.dynamic(Effect.as(Log, extra)),
      Toolset.external([])
    )
    expectTypeOf(inline).toEqualTypeOf<Toolset.Toolset<NotFound | Fatal, Db | Log>>()
  })

  it("takes any number of toolsets, also from a list", () => {
    const many: ReadonlyArray<Tools> = [tools]
    expectTypeOf(Toolset.combined(...many)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.combined(extra, ...many)).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound, Db | Log>
    >()
    const any: ReadonlyArray<Toolset.Any> = many
    expectTypeOf(Toolset.combined(...any)).toEqualTypeOf<Toolset.Toolset<unknown, unknown>>()
  })

  it("takes nothing but toolsets", () => {
    // @ts-expect-error a list is none
    Toolset.combined([tools])
    // @ts-expect-error an Effect of a toolset is none: that is `unwrap` or `dynamic`
    Toolset.combined(tools, Effect.succeed(tools))
    // @ts-expect-error nothing is none: that is `empty`
    Toolset.combined(tools, undefined)
  })

  it("leaves what a function over any toolsets infers as it is", () => {
    const all = <const T extends ReadonlyArray<Toolset.Any>>(options: {
      readonly toolsets: T
    }): Toolset.Toolset<Toolset.Error<T[number]>, Toolset.Services<T[number]>> =>
      Toolset.combined(...options.toolsets)
    const helped = all({
      toolsets: [
        Toolset.tool("a", { handler: () => Effect.succeed(1) }),
        Toolset.tool("b", { parameters: Id, handler: lookup })
      ]
    })
    expectTypeOf(helped).toEqualTypeOf<Toolset.Toolset<NotFound>>()
  })

  it("keeps the types of a function that is generic in its toolset", () => {
    const careful = <E, R>(self: Toolset.Toolset<E, R>) =>
      Toolset.combined(self.pipe(Toolset.filtered(() => Effect.as(Log, true))), extra)
    expectTypeOf(careful(tools)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf(tools.pipe(careful, careful)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
  })
})
