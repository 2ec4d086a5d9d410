import { Context, Effect, Layer, type Scope } from "effect"
import { ToolCall, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, Log, NotFound, type Tools, tools } from "./fixtures.ts"

const db = { get: () => Effect.succeed(1) }
const dbLayer: Layer.Layer<Db, NotFound, Log> = Layer.effect(
  Db,
  Effect.andThen(Log, Effect.fail(new NotFound({ id: "db" })))
)
const context = Context.make(Db, db).pipe(Context.add(Log, () => Effect.void))
const logged = Toolset.filtered(tools, () => Effect.as(Log, true))

describe("provide", () => {
  it("takes out of R what a layer gives, and adds what it fails with and needs, in both forms", () => {
    expectTypeOf(tools.pipe(Toolset.provide(dbLayer))).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Log>>()
    expectTypeOf(Toolset.provide(tools, dbLayer)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Log>>()
  })

  it("takes out of R what a context has, in both forms", () => {
    expectTypeOf(tools.pipe(Toolset.provide(context))).toEqualTypeOf<Toolset.Toolset<Fatal>>()
    expectTypeOf(Toolset.provide(logged, context)).toEqualTypeOf<Toolset.Toolset<Fatal>>()
    expectTypeOf(Toolset.provide(logged, Context.make(Db, db))).toEqualTypeOf<Toolset.Toolset<Fatal, Log>>()
  })

  it("changes nothing with what a toolset does not need", () => {
    expectTypeOf(tools.pipe(Toolset.provide(Layer.succeed(Log, () => Effect.void)))).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.provide(tools, Layer.empty)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.provide(tools, Context.empty())).toEqualTypeOf<Tools>()
  })

  it("may be written away from its toolset", () => {
    const withDb = Toolset.provide(dbLayer)
    expectTypeOf(tools.pipe(withDb)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Log>>()
    expectTypeOf(logged.pipe(withDb, withDb)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Log>>()
    expectTypeOf(withDb(Toolset.empty)).toEqualTypeOf<Toolset.Toolset<NotFound, Log>>()
    const withBoth = Toolset.provide(context)
    expectTypeOf(extra.pipe(withBoth)).toEqualTypeOf<Toolset.Toolset<NotFound>>()
  })

  it("leaves a call to whoever calls: giving one while listing satisfies nothing", () => {
    const misplaced = Toolset.filtered(Toolset.empty, () => Effect.map(ToolCall, (call) => call.approved))
    const call = undefined as unknown as ToolCall["Service"]

    expectTypeOf(Toolset.provide(misplaced, Layer.succeed(ToolCall, call))).toEqualTypeOf<
      Toolset.Toolset<never, ToolCall>
    >()

    expectTypeOf(Toolset.provide(misplaced, Context.make(ToolCall, call))).toEqualTypeOf<
      Toolset.Toolset<never, ToolCall>
    >()
  })

  it("takes a layer or a context", () => {
    // @ts-expect-error a service is none
    tools.pipe(Toolset.provide(db))
    // @ts-expect-error nor is its key
    Toolset.provide(tools, Db)
  })
})

describe("shared", () => {
  it("captures what a toolset needs in a scope, and leaves what it fails with", () => {
    expectTypeOf(Toolset.shared(logged)).toEqualTypeOf<
      Effect.Effect<Toolset.Toolset<Fatal>, never, Db | Log | Scope.Scope>
    >()
    expectTypeOf(Toolset.shared(Toolset.empty)).toEqualTypeOf<
      Effect.Effect<Toolset.Toolset, never, Scope.Scope>
    >()
    expectTypeOf(tools.pipe(Toolset.shared)).toEqualTypeOf<
      Effect.Effect<Toolset.Toolset<Fatal>, never, Db | Scope.Scope>
    >()
  })

  it("unwraps to a toolset again", () => {
    expectTypeOf(Toolset.unwrap(Toolset.shared(tools))).toEqualTypeOf<Tools>()
    const wherever = Toolset.unwrap(Effect.map(Toolset.shared(tools), Toolset.prefixed("x")))
    expectTypeOf(wherever).toEqualTypeOf<Tools>()
  })

  it("is an Effect, and no toolset", () => {
    // @ts-expect-error it has to run first
    Toolset.combined(Toolset.shared(tools))
  })
})
