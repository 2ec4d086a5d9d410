import { Effect, Layer, type Types } from "effect"
import { Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, Log, NotFound, type Tools, tools } from "./fixtures.ts"

const logged = Toolset.wrapper((call, next) => Effect.andThen(Log, next(call)))

describe("mapLeaves", () => {
  it("keeps the types of the tree where leaves keep theirs, in both forms", () => {
    expectTypeOf(tools.pipe(Toolset.mapLeaves((leaf) => leaf))).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.mapLeaves(tools, (leaf) => leaf)).toEqualTypeOf<Tools>()
    expectTypeOf(tools.pipe(Toolset.mapLeaves(Toolset.prefixed("x")))).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.mapLeaves(tools, Toolset.sequential)).toEqualTypeOf<Tools>()
  })

  it("adds what is put on leaves, in both forms", () => {
    expectTypeOf(tools.pipe(Toolset.mapLeaves((leaf) => leaf.pipe(logged)))).toEqualTypeOf<
      Toolset.Toolset<Fatal, Db | Log>
    >()
    expectTypeOf(tools.pipe(Toolset.mapLeaves(logged))).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
    expectTypeOf(
      Toolset.mapLeaves(tools, (leaf) =>
        Toolset.filtered(leaf, () => Effect.andThen(Log, Effect.fail(new NotFound({ id: "" }))))
      )
    ).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf(Toolset.mapLeaves(tools, (leaf) => Toolset.combined(leaf, extra))).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound, Db | Log>
    >()
  })

  it("keeps what the tree fails with and needs, whatever is provided to or caught at leaves", () => {
    const noLog = Layer.succeed(Log, () => Effect.void)
    expectTypeOf(
      Toolset.mapLeaves(tools, (leaf) => leaf.pipe(logged, Toolset.provide(noLog)))
    ).toEqualTypeOf<Tools>()
    expectTypeOf(tools.pipe(Toolset.mapLeaves(Toolset.onError("recover")))).toEqualTypeOf<Tools>()
    expectTypeOf(tools.pipe(Toolset.mapLeaves(() => Toolset.empty))).toEqualTypeOf<Tools>()
  })

  it("may be written away from its toolset", () => {
    const everywhere = Toolset.mapLeaves((leaf) => leaf.pipe(logged))
    expectTypeOf(tools.pipe(everywhere)).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
    expectTypeOf(everywhere(extra)).toEqualTypeOf<Toolset.Toolset<NotFound, Log>>()
  })

  it("says nothing of what a leaf fails with and needs", () => {
    Toolset.mapLeaves(tools, (leaf) => {
      expectTypeOf(leaf).toEqualTypeOf<Toolset.Leaf>()
      expectTypeOf<Toolset.Error<typeof leaf>>().toEqualTypeOf<Types.unhandled>()
      return leaf
    })
    // @ts-expect-error a leaf becomes a toolset
    Toolset.mapLeaves(tools, (leaf) => leaf.label)
    // @ts-expect-error known at once
    tools.pipe(Toolset.mapLeaves((leaf) => Effect.succeed(leaf)))
  })
})
