import { Effect, Schema } from "effect"
import { type CallDeferred, ModelRetry, ToolFailed, type ToolResultError, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, failing, Fatal, flag, Log, NotFound, type Tools, tools } from "./fixtures.ts"

class Wrapped extends Error {
  readonly _tag = "Wrapped"
}

/** Looks like a signal, and is the error of somebody else. */
class ToolFailedLookalike extends Error {
  readonly _tag = "ToolFailed"
  readonly details?: Schema.Json
}
class Waiting extends Schema.TaggedError<Waiting>()("CallDeferred", {
  metadata: Schema.optional(Schema.Record(Schema.String, Schema.Json))
}) {}
class NotSent extends Schema.TaggedError<NotSent>()("ToolResultError", {
  toolName: Schema.String,
  path: Schema.Array(Schema.Union([Schema.String, Schema.Finite])),
  problem: Schema.String
}) {}

describe("an error that looks like a signal", () => {
  it("stays in E, and the signals do not", () => {
    const failing = Toolset.tool("a", {
      handler: (): Effect.Effect<
        string,
        ToolFailedLookalike | Waiting | NotSent | ModelRetry | ToolFailed | CallDeferred | ToolResultError
      > => Effect.succeed("")
    })
    expectTypeOf<Toolset.Error<typeof failing>>().toEqualTypeOf<ToolFailedLookalike | Waiting | NotSent>()
    const calm = failing.pipe(Toolset.catchTags({ CallDeferred: "recover", ToolFailed: "recover" }))
    expectTypeOf<Toolset.Error<typeof calm>>().toEqualTypeOf<NotSent>()
    const guarded = Toolset.guard(failing, (): Effect.Effect<Toolset.Decision, Waiting | ModelRetry> =>
      Effect.succeed("allow")
    )
    expectTypeOf<Toolset.Error<typeof guarded>>().toEqualTypeOf<ToolFailedLookalike | Waiting | NotSent>()
  })
})

describe("onError", () => {
  it("takes every failure out with recover and retry, and leaves it with fail, in both forms", () => {
    expectTypeOf(failing.pipe(Toolset.onError("recover"))).toEqualTypeOf<Toolset.Toolset<never, Db>>()
    expectTypeOf(failing.pipe(Toolset.onError("retry"))).toEqualTypeOf<Toolset.Toolset<never, Db>>()
    expectTypeOf(failing.pipe(Toolset.onError("fail"))).toEqualTypeOf<typeof failing>()
    expectTypeOf(Toolset.onError(failing, "recover")).toEqualTypeOf<Toolset.Toolset<never, Db>>()
    expectTypeOf(Toolset.onError(failing, "fail")).toEqualTypeOf<typeof failing>()
  })

  it("leaves the failures where the mode is not known", () => {
    const mode: Toolset.OnError = flag ? "fail" : "retry"
    expectTypeOf(Toolset.onError(failing, mode)).toEqualTypeOf<typeof failing>()
    expectTypeOf(failing.pipe(Toolset.onError(mode))).toEqualTypeOf<typeof failing>()
    const gone = flag ? "recover" : "retry"
    expectTypeOf(failing.pipe(Toolset.onError(gone))).toEqualTypeOf<Toolset.Toolset<never, Db>>()
  })

  it("may be written away from its toolset", () => {
    const calm = Toolset.onError("recover")
    expectTypeOf(failing.pipe(calm)).toEqualTypeOf<Toolset.Toolset<never, Db>>()
    expectTypeOf(calm(extra)).toEqualTypeOf<Toolset.Toolset<never, Log>>()
  })

  it("is one of three modes", () => {
    // @ts-expect-error there is no such mode
    failing.pipe(Toolset.onError("ignore"))
    // @ts-expect-error a function is for `catchTags`
    Toolset.onError(failing, () => new ToolFailed({ message: "x" }))
  })
})

describe("catchTags", () => {
  it("takes out what it recovers or retries, and leaves the rest, in both forms", () => {
    expectTypeOf(failing.pipe(Toolset.catchTags({ NotFound: "retry" }))).toEqualTypeOf<Tools>()
    expectTypeOf(failing.pipe(Toolset.catchTags({ NotFound: "recover" }))).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.catchTags(failing, { NotFound: "retry" })).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.catchTags(failing, { NotFound: "retry", Fatal: "recover" })).toEqualTypeOf<
      Toolset.Toolset<never, Db>
    >()
  })

  it("leaves what it says to leave, and everything without cases", () => {
    expectTypeOf(failing.pipe(Toolset.catchTags({ NotFound: "fail", Fatal: "retry" }))).toEqualTypeOf<
      Toolset.Toolset<NotFound, Db>
    >()
    expectTypeOf(Toolset.catchTags(failing, {})).toEqualTypeOf<typeof failing>()
  })

  it("gives a function the failure of its tag, and takes a signal for an answer", () => {
    const caught = failing.pipe(
      Toolset.catchTags({
        Fatal: "recover",
        NotFound: (error) => {
          expectTypeOf(error).toEqualTypeOf<NotFound>()
          return new ModelRetry({ message: `There is no ${error.id}.` })
        }
      })
    )
    expectTypeOf(caught).toEqualTypeOf<Toolset.Toolset<never, Db>>()
  })

  it("puts another failure in the place of the one that a function was given", () => {
    expectTypeOf(Toolset.catchTags(failing, { NotFound: () => new Fatal() })).toEqualTypeOf<Tools>()
    expectTypeOf(
      failing.pipe(
        Toolset.catchTags({
          NotFound: ({ id }) => (id === "" ? new ToolFailed({ message: "x" }) : new Wrapped())
        })
      )
    ).toEqualTypeOf<Toolset.Toolset<Fatal | Wrapped, Db>>()
  })

  it("leaves what has no tag", () => {
    const untagged = Toolset.unwrap(flag ? Effect.fail("offline" as const) : Effect.succeed(failing))
    expectTypeOf(untagged.pipe(Toolset.catchTags({ Fatal: "recover", NotFound: "retry" }))).toEqualTypeOf<
      Toolset.Toolset<"offline", Db>
    >()
  })

  it("leaves a failure where its mode is not known", () => {
    const mode: Toolset.OnError = flag ? "fail" : "retry"

    expectTypeOf(Toolset.catchTags(failing, { NotFound: mode })).toEqualTypeOf<typeof failing>()

    expectTypeOf(failing.pipe(Toolset.catchTags({ NotFound: mode }))).toEqualTypeOf<typeof failing>()
  })

  it("leaves a failure where there may be no case for it", () => {
    const cases: { readonly NotFound?: "retry" } = flag ? { NotFound: "retry" } : {}

    expectTypeOf(Toolset.catchTags(failing, cases)).toEqualTypeOf<typeof failing>()
  })

  it("is about failures that there are", () => {
    // @ts-expect-error it cannot fail with that
    failing.pipe(Toolset.catchTags({ Nothing: "retry" }))
    // @ts-expect-error there is no such mode
    failing.pipe(Toolset.catchTags({ NotFound: "ignore" }))
    // @ts-expect-error the function is about another failure
    failing.pipe(Toolset.catchTags({ NotFound: (_: Fatal) => new Fatal() }))
    // @ts-expect-error a case that is not there is left out
    failing.pipe(Toolset.catchTags({ NotFound: undefined }))
  })

  it("is about failures that there are also beside one that there is", () => {
    // @ts-expect-error it cannot fail with that
    failing.pipe(Toolset.catchTags({ NotFound: "retry", Nothing: "retry" }))

    // @ts-expect-error it cannot fail with that
    Toolset.catchTags(failing, { NotFound: "retry", Nothing: 42 })

    // @ts-expect-error it cannot fail at all
    Toolset.empty.pipe(Toolset.catchTags({ Nothing: 42 }))
  })

  it("knows of no failures away from its toolset, as Effect.catchTags does not", () => {
    const away = Toolset.catchTags({ NotFound: "retry" })
    expectTypeOf(failing.pipe(away)).toEqualTypeOf<Toolset.Toolset<unknown, Db>>()
    const named = <R>(self: Toolset.Toolset<Fatal | NotFound, R>) =>
      Toolset.catchTags(self, { NotFound: "retry" })
    expectTypeOf(failing.pipe(named)).toEqualTypeOf<Tools>()
    expectTypeOf(tools.pipe(named)).toEqualTypeOf<Tools>()
  })
})
