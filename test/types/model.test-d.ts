import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, Log, NotFound, type Tools, tools } from "./fixtures.ts"

describe("Toolset", () => {
  it("fails with nothing and needs nothing by default", () => {
    expectTypeOf<Toolset.Toolset>().toEqualTypeOf<Toolset.Toolset<never, never>>()
    expectTypeOf<Toolset.Toolset<Fatal>>().toEqualTypeOf<Toolset.Toolset<Fatal, never>>()
  })

  it("is covariant", () => {
    expectTypeOf<Tools>().toExtend<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf<Toolset.Toolset>().toExtend<Tools>()
    expectTypeOf<Tools>().toExtend<Toolset.Toolset<unknown, unknown>>()
    expectTypeOf<Tools>().not.toExtend<Toolset.Toolset<NotFound, Db>>()
    expectTypeOf<Tools>().not.toExtend<Toolset.Toolset<Fatal, Log>>()
    expectTypeOf<Tools>().not.toExtend<Toolset.Toolset>()
    // @ts-expect-error it needs a service that the annotation does not name
    const forgotten: Toolset.Toolset<Fatal> = tools
    void forgotten
  })

  it("is no Effect, so that nothing of Effect leaves the algebra by mistake", () => {
    // @ts-expect-error it is none
    Effect.map(tools, (x) => x)
    // @ts-expect-error it is none in a pipe either
    tools.pipe(Effect.map((x) => x))
    Effect.gen(function* () {
      // @ts-expect-error and cannot be yielded
      yield* tools
    })
    // @ts-expect-error it is made by constructors only
    const forged: Toolset.Toolset = { label: "x", id: undefined, children: [] }
    void forged
  })

  it("is pipeable", () => {
    const named = tools.pipe(Toolset.prefixed("x"), Toolset.sequential, (self) => self.label)
    expectTypeOf(named).toEqualTypeOf<string>()
  })

  it("has a label, an id and children", () => {
    expectTypeOf(tools.label).toEqualTypeOf<string>()
    expectTypeOf(tools.id).toEqualTypeOf<string | undefined>()
    expectTypeOf(tools.children).toEqualTypeOf<ReadonlyArray<Toolset.Any>>()
    // @ts-expect-error it is immutable
    tools.label = "x"
  })
})

describe("Error and Services", () => {
  it("read the types of a toolset, and of each of a union", () => {
    expectTypeOf<Toolset.Error<Tools>>().toEqualTypeOf<Fatal>()
    expectTypeOf<Toolset.Services<Tools>>().toEqualTypeOf<Db>()
    expectTypeOf<Toolset.Error<Tools | typeof extra>>().toEqualTypeOf<Fatal | NotFound>()
    expectTypeOf<Toolset.Services<Tools | typeof extra>>().toEqualTypeOf<Db | Log>()
  })

  it("are nothing for what is no toolset, and nothing for none", () => {
    expectTypeOf<Toolset.Error<never>>().toEqualTypeOf<never>()
    expectTypeOf<Toolset.Error<undefined>>().toEqualTypeOf<never>()
    expectTypeOf<Toolset.Services<Effect.Effect<number, Fatal, Db>>>().toEqualTypeOf<never>()
  })

  it("are unknown for any toolset", () => {
    expectTypeOf<Toolset.Error<Toolset.Any>>().toEqualTypeOf<unknown>()
    expectTypeOf<Toolset.Services<Toolset.Any>>().toEqualTypeOf<unknown>()
  })
})

describe("Any", () => {
  it("is what every toolset is, and no other value", () => {
    expectTypeOf<Tools>().toExtend<Toolset.Any>()
    expectTypeOf<Effect.Effect<void>>().not.toExtend<Toolset.Any>()
    // @ts-expect-error it says nothing of what the toolset fails with and needs
    Toolset.list(tools as Toolset.Any)
  })

  it("is what a value is for which isToolset holds", () => {
    const unknown: unknown = tools
    if (Toolset.isToolset(unknown)) expectTypeOf(unknown).toEqualTypeOf<Toolset.Any>()
    expectTypeOf(Toolset.isToolset).guards.toEqualTypeOf<Toolset.Any>()
  })
})
