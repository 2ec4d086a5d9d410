import { type Cause, type Config, Effect, type Schema } from "effect"
import type { HttpClient, HttpClientError } from "effect/http"
import { ModelRetry, RunContext, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import type { packages } from "../../examples/07-custom-toolset.ts"
import { Db, extra, Fatal, flag, Id, Log, NotFound, tools } from "./fixtures.ts"

describe("unwrap", () => {
  it("joins what the toolset fails with and needs with what making it does", () => {
    const connected = Toolset.unwrap(
      Effect.gen(function* () {
        const db = yield* Db
        yield* Effect.acquireRelease(Effect.void, () => Effect.void)
        if (flag) return yield* new Fatal()
        return Toolset.tool("q", {
          parameters: Id,
          handler: ({ id }) => Effect.andThen(Log, db.get(id))
        })
      })
    )
    expectTypeOf(connected).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
  })

  it("supplies a scope", () => {
    const scoped = Toolset.unwrap(
      Effect.as(
        Effect.acquireRelease(Effect.void, () => Effect.void),
        Toolset.empty
      )
    )
    expectTypeOf(scoped).toEqualTypeOf<Toolset.Toolset>()
  })

  it("supplies no run: it happens before the first step", () => {
    expectTypeOf(Toolset.unwrap(Effect.as(RunContext, tools))).toEqualTypeOf<
      Toolset.Toolset<Fatal, Db | RunContext>
    >()
  })

  it("may make toolsets of different types, and unwrap again", () => {
    const either = Toolset.unwrap(Effect.sync(() => (flag ? tools : extra)))
    expectTypeOf(either).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
    expectTypeOf(Toolset.unwrap(Effect.succeed(either))).toEqualTypeOf<typeof either>()
  })

  it("keeps a signal in E: there is no call that it could speak of", () => {
    const retrying = Toolset.unwrap(Effect.as(Effect.fail(new ModelRetry({ message: "x" })), Toolset.empty))
    expectTypeOf(retrying).toEqualTypeOf<Toolset.Toolset<ModelRetry>>()
  })

  it("takes an Effect of a toolset, and nothing else", () => {
    // @ts-expect-error a toolset needs no unwrapping
    Toolset.unwrap(tools)
    // @ts-expect-error none is `empty` here
    Toolset.unwrap(Effect.succeed(undefined))
  })

  it("says of a toolset over HTTP what goes wrong with it, and that it needs a client", () => {
    expectTypeOf<Toolset.Error<typeof packages>>().toEqualTypeOf<
      Config.ConfigError | HttpClientError.HttpClientError | Schema.SchemaError | Cause.TimeoutError
    >()
    expectTypeOf<Toolset.Services<typeof packages>>().toEqualTypeOf<HttpClient.HttpClient>()
  })
})
