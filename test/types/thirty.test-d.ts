import { Effect, Schema } from "effect"
import { ModelRetry, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, Fatal, Log, NotFound } from "./fixtures.ts"

describe("thirty tools inline", () => {
  it("infer, each with its own parameters, failure and service", () => {
    const all = Toolset.combined(
      Toolset.tool("t0", {
        parameters: Schema.Struct({ a0: Schema.String, n: Schema.Finite }),
        handler: ({ a0, n }) => Effect.succeed(a0.repeat(n))
      }),
      Toolset.tool("t1", {
        parameters: Schema.Struct({ a1: Schema.String, n: Schema.Finite }),
        handler: ({ n }) => Effect.as(Db, n.toFixed())
      }),
      Toolset.tool("t2", {
        parameters: Schema.Struct({ a2: Schema.String, n: Schema.Finite }),
        handler: ({ a2 }) => (a2 === "" ? Effect.fail(new Fatal()) : Effect.succeed(a2.trim()))
      }),
      Toolset.tool("t3", {
        parameters: Schema.Struct({ a3: Schema.String, n: Schema.Finite }),
        handler: Effect.fn("t3")(function* ({ a3 }) {
          yield* Log
          if (a3 === "") return yield* new NotFound({ id: a3 })
          return a3.trim()
        })
      }),
      Toolset.tool("t4", {
        parameters: Schema.Struct({ a4: Schema.String, n: Schema.Finite }),
        handler: ({ a4 }) => new ModelRetry({ message: a4.trim() })
      }),
      Toolset.tool("t5", {
        parameters: Schema.Struct({ a5: Schema.String, n: Schema.Finite }),
        handler: ({ a5, n }) => Effect.succeed(a5.repeat(n))
      }),
      Toolset.tool("t6", {
        parameters: Schema.Struct({ a6: Schema.String, n: Schema.Finite }),
        handler: ({ n }) => Effect.as(Db, n.toFixed())
      }),
      Toolset.tool("t7", {
        parameters: Schema.Struct({ a7: Schema.String, n: Schema.Finite }),
        handler: ({ a7 }) => (a7 === "" ? Effect.fail(new Fatal()) : Effect.succeed(a7.trim()))
      }),
      Toolset.tool("t8", {
        parameters: Schema.Struct({ a8: Schema.String, n: Schema.Finite }),
        handler: Effect.fn("t8")(function* ({ a8 }) {
          yield* Log
          if (a8 === "") return yield* new NotFound({ id: a8 })
          return a8.trim()
        })
      }),
      Toolset.tool("t9", {
        parameters: Schema.Struct({ a9: Schema.String, n: Schema.Finite }),
        handler: ({ a9 }) => new ModelRetry({ message: a9.trim() })
      }),
      Toolset.tool("t10", {
        parameters: Schema.Struct({ a10: Schema.String, n: Schema.Finite }),
        handler: ({ a10, n }) => Effect.succeed(a10.repeat(n))
      }),
      Toolset.tool("t11", {
        parameters: Schema.Struct({ a11: Schema.String, n: Schema.Finite }),
        handler: ({ n }) => Effect.as(Db, n.toFixed())
      }),
      Toolset.tool("t12", {
        parameters: Schema.Struct({ a12: Schema.String, n: Schema.Finite }),
        handler: ({ a12 }) => (a12 === "" ? Effect.fail(new Fatal()) : Effect.succeed(a12.trim()))
      }),
      Toolset.tool("t13", {
        parameters: Schema.Struct({ a13: Schema.String, n: Schema.Finite }),
        handler: Effect.fn("t13")(function* ({ a13 }) {
          yield* Log
          if (a13 === "") return yield* new NotFound({ id: a13 })
          return a13.trim()
        })
      }),
      Toolset.tool("t14", {
        parameters: Schema.Struct({ a14: Schema.String, n: Schema.Finite }),
        handler: ({ a14 }) => new ModelRetry({ message: a14.trim() })
      }),
      Toolset.tool("t15", {
        parameters: Schema.Struct({ a15: Schema.String, n: Schema.Finite }),
        handler: ({ a15, n }) => Effect.succeed(a15.repeat(n))
      }),
      Toolset.tool("t16", {
        parameters: Schema.Struct({ a16: Schema.String, n: Schema.Finite }),
        handler: ({ n }) => Effect.as(Db, n.toFixed())
      }),
      Toolset.tool("t17", {
        parameters: Schema.Struct({ a17: Schema.String, n: Schema.Finite }),
        handler: ({ a17 }) => (a17 === "" ? Effect.fail(new Fatal()) : Effect.succeed(a17.trim()))
      }),
      Toolset.tool("t18", {
        parameters: Schema.Struct({ a18: Schema.String, n: Schema.Finite }),
        handler: Effect.fn("t18")(function* ({ a18 }) {
          yield* Log
          if (a18 === "") return yield* new NotFound({ id: a18 })
          return a18.trim()
        })
      }),
      Toolset.tool("t19", {
        parameters: Schema.Struct({ a19: Schema.String, n: Schema.Finite }),
        handler: ({ a19 }) => new ModelRetry({ message: a19.trim() })
      }),
      Toolset.tool("t20", {
        parameters: Schema.Struct({ a20: Schema.String, n: Schema.Finite }),
        handler: ({ a20, n }) => Effect.succeed(a20.repeat(n))
      }),
      Toolset.tool("t21", {
        parameters: Schema.Struct({ a21: Schema.String, n: Schema.Finite }),
        handler: ({ n }) => Effect.as(Db, n.toFixed())
      }),
      Toolset.tool("t22", {
        parameters: Schema.Struct({ a22: Schema.String, n: Schema.Finite }),
        handler: ({ a22 }) => (a22 === "" ? Effect.fail(new Fatal()) : Effect.succeed(a22.trim()))
      }),
      Toolset.tool("t23", {
        parameters: Schema.Struct({ a23: Schema.String, n: Schema.Finite }),
        handler: Effect.fn("t23")(function* ({ a23 }) {
          yield* Log
          if (a23 === "") return yield* new NotFound({ id: a23 })
          return a23.trim()
        })
      }),
      Toolset.tool("t24", {
        parameters: Schema.Struct({ a24: Schema.String, n: Schema.Finite }),
        handler: ({ a24 }) => new ModelRetry({ message: a24.trim() })
      }),
      Toolset.tool("t25", {
        parameters: Schema.Struct({ a25: Schema.String, n: Schema.Finite }),
        handler: ({ a25, n }) => Effect.succeed(a25.repeat(n))
      }),
      Toolset.tool("t26", {
        parameters: Schema.Struct({ a26: Schema.String, n: Schema.Finite }),
        handler: ({ n }) => Effect.as(Db, n.toFixed())
      }),
      Toolset.tool("t27", {
        parameters: Schema.Struct({ a27: Schema.String, n: Schema.Finite }),
        handler: ({ a27 }) => (a27 === "" ? Effect.fail(new Fatal()) : Effect.succeed(a27.trim()))
      }),
      Toolset.tool("t28", {
        parameters: Schema.Struct({ a28: Schema.String, n: Schema.Finite }),
        handler: Effect.fn("t28")(function* ({ a28 }) {
          yield* Log
          if (a28 === "") return yield* new NotFound({ id: a28 })
          return a28.trim()
        })
      }),
      Toolset.tool("t29", {
        parameters: Schema.Struct({ a29: Schema.String, n: Schema.Finite }),
        handler: ({ a29 }) => new ModelRetry({ message: a29.trim() })
      })
    )
    expectTypeOf(all).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf(all.pipe(Toolset.prefixed("x"))).not.toBeAny()
  })
})
