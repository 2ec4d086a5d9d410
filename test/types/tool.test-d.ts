import { Context, Effect, Schema } from "effect"
import {
  ApprovalRequired,
  CallDeferred,
  ModelRetry,
  RunContext,
  ToolCall,
  ToolFailed,
  Toolset,
  type ToolsetError
} from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, Fatal, flag, Id, Log, lookup, Needs, NotFound } from "./fixtures.ts"

describe("what a handler fails with and needs", () => {
  it("is in E and R, but for signals and for what a call supplies", () => {
    const get = Toolset.tool("get", {
      parameters: Id,
      handler: Effect.fn("get")(function* ({ id }) {
        const db = yield* Db
        const call = yield* ToolCall
        const run = yield* RunContext
        yield* Effect.acquireRelease(Effect.void, () => Effect.void)
        if (call.attempt > run.step) return yield* new Fatal()
        if (id === "a") return yield* new ModelRetry({ message: "x" })
        if (id === "b") return yield* new ToolFailed({ message: "x" })
        if (id === "c") return yield* new ApprovalRequired()
        if (id === "d") return yield* new CallDeferred({ metadata: { why: "x" } })
        return yield* db.get(id)
      })
    })
    expectTypeOf(get).toEqualTypeOf<Toolset.Toolset<Fatal, Db>>()
    expectTypeOf<Toolset.Error<typeof get>>().toEqualTypeOf<Fatal>()
    expectTypeOf<Toolset.Services<typeof get>>().toEqualTypeOf<Db>()
  })

  it("is nothing where it is signals and supplied services only", () => {
    const retrying = Toolset.tool("retrying", {
      handler: () => Effect.andThen(ToolCall, Effect.fail(new ModelRetry({ message: "x" })))
    })
    expectTypeOf(retrying).toEqualTypeOf<Toolset.Toolset>()
    const releasing = Toolset.tool("releasing", {
      handler: () => Effect.acquireRelease(Effect.as(RunContext, 1), () => Effect.void)
    })
    expectTypeOf(releasing).toEqualTypeOf<Toolset.Toolset>()
    const nothing = Toolset.tool("void", { handler: Effect.fn(function* () {}) })
    expectTypeOf(nothing).toEqualTypeOf<Toolset.Toolset>()
  })

  it("holds no signal of a call that the handler makes itself", () => {
    const inner = Toolset.tool("inner", { parameters: Id, handler: lookup })
    const outer = Toolset.tool("outer", {
      handler: () => Effect.catchTag(Toolset.call(inner, "inner", {}), "ToolNotFound", Effect.die)
    })
    expectTypeOf(outer).toEqualTypeOf<Toolset.Toolset<NotFound | ToolsetError>>()
  })

  it("is known of an Effect only", () => {
    // @ts-expect-error a handler answers with an Effect, not with a value
    Toolset.tool("value", { handler: () => 1 })
    // @ts-expect-error nor with a promise
    Toolset.tool("promise", { handler: async () => 1 })
    // @ts-expect-error every tool has a handler
    Toolset.tool("none", { description: "Does nothing." })
  })
})

describe("what validators and approval predicates fail with and need", () => {
  it("is in E and R too, but for signals and for what a call supplies", () => {
    const tool = Toolset.tool("all", {
      parameters: Id,
      validateArgs: Effect.fn(function* ({ id }) {
        expectTypeOf(id).toEqualTypeOf<string>()
        yield* ToolCall
        if (id === "") return yield* new CallDeferred()
        if (id === "b") return yield* new NotFound({ id })
      }),
      requiresApproval: ({ id }) => {
        expectTypeOf(id).toEqualTypeOf<string>()
        return Effect.gen(function* () {
          yield* Db
          yield* RunContext
          yield* Effect.acquireRelease(ToolCall, () => Effect.void)
          if (id === "") return yield* new Fatal()
          if (id === "b") return yield* new ToolFailed({ message: "never" })
          return true
        })
      },
      handler: ({ id }) => {
        expectTypeOf(id).toEqualTypeOf<string>()
        return Effect.succeed(1)
      }
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<NotFound | Fatal, Db>>()
  })

  it("is nothing of a predicate that answers with a value", () => {
    const tool = Toolset.tool("all", {
      parameters: Id,
      validateArgs: ({ id }) => (id === "" ? new ModelRetry({ message: "empty" }) : Effect.asVoid(Log)),
      requiresApproval: ({ id }, run) => {
        expectTypeOf(run).toEqualTypeOf<Toolset.Run>()
        return run.step > 1 && id !== "x"
      },
      handler: () => Effect.succeed(1)
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<never, Log>>()
  })

  it("is known where a predicate answers with a value or with one of several Effects", () => {
    const tool = Toolset.tool("all", {
      parameters: Id,
      requiresApproval: ({ id }) => {
        if (id === "a") return true
        return id === "b" ? Effect.fail(new NotFound({ id })) : Effect.as(Log, false)
      },
      handler: () => Effect.succeed(1)
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<NotFound, Log>>()
  })

  it("may be written away from the tool", () => {
    const isLong = ({ id }: { readonly id: string }) => Effect.as(Log, id.length > 9)
    const known = ({ id }: { readonly id: string }) => (id === "" ? new Fatal() : Effect.void)
    const tool = Toolset.tool("all", {
      parameters: Id,
      requiresApproval: isLong,
      validateArgs: known,
      handler: lookup
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<NotFound | Fatal, Log>>()
  })

  it("is not taken of what gives no answer", () => {
    // @ts-expect-error an approval predicate says yes or no
    Toolset.tool("approval", { requiresApproval: () => "yes", handler: () => Effect.void })
    // @ts-expect-error nor does an Effect of something else do
    Toolset.tool("approval", { requiresApproval: () => Effect.succeed(1), handler: () => Effect.void })
    // @ts-expect-error a validator fails or succeeds, and answers with an Effect
    Toolset.tool("validator", { validateArgs: () => true, handler: () => Effect.void })
  })
})

describe("what its schemas need", () => {
  it("is decoding and encoding services of parameters", () => {
    const tool = Toolset.tool("needs", {
      parameters: Schema.Struct({ a: Needs }),
      handler: () => Effect.void
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<never, Db | Log>>()
  })

  it("is encoding services alone of the result", () => {
    const tool = Toolset.tool("needs", { success: Needs, handler: () => Effect.succeed("x") })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<never, Log>>()
  })

  it("is not what a call supplies", () => {
    const Supplied: Schema.Codec<string, string, RunContext, ToolCall> = Schema.String
    const tool = Toolset.tool("needs", {
      parameters: Schema.Struct({ a: Supplied }),
      success: Supplied,
      handler: () => Effect.succeed("x")
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset>()
  })
})

describe("onError", () => {
  it("leaves failures in E by default, and takes them out with recover and retry", () => {
    const byDefault = Toolset.tool("lookup", { parameters: Id, handler: lookup })
    expectTypeOf(byDefault).toEqualTypeOf<Toolset.Toolset<NotFound>>()
    const fails = Toolset.tool("lookup", { parameters: Id, onError: "fail", handler: lookup })
    expectTypeOf(fails).toEqualTypeOf<Toolset.Toolset<NotFound>>()
    const recovers = Toolset.tool("lookup", { parameters: Id, onError: "recover", handler: lookup })
    expectTypeOf(recovers).toEqualTypeOf<Toolset.Toolset>()
    const retries = Toolset.tool("lookup", { onError: "retry", parameters: Id, handler: lookup })
    expectTypeOf(retries).toEqualTypeOf<Toolset.Toolset>()
  })

  it("is about the handler: what a validator or a predicate fails with stays", () => {
    const validated = Toolset.tool("lookup", {
      parameters: Id,
      onError: "recover",
      validateArgs: () => new Fatal(),
      handler: lookup
    })
    expectTypeOf(validated).toEqualTypeOf<Toolset.Toolset<Fatal>>()
    const approved = Toolset.tool("lookup", {
      parameters: Id,
      onError: "retry",
      requiresApproval: () => Effect.fail(new Fatal()),
      handler: lookup
    })
    expectTypeOf(approved).toEqualTypeOf<Toolset.Toolset<Fatal>>()
  })

  it("keeps the failures where the mode is not known", () => {
    const mode: Toolset.OnError = flag ? "fail" : "retry"
    const tool = Toolset.tool("lookup", { parameters: Id, onError: mode, handler: lookup })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<NotFound>>()
  })

  it("keeps the failures where there may be no mode", () => {
    const mode = flag ? ("recover" as const) : undefined
    const tool = Toolset.tool("lookup", { parameters: Id, onError: mode, handler: lookup })

    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<NotFound>>()
  })

  it("is one of three modes", () => {
    // @ts-expect-error there is no such mode
    Toolset.tool("lookup", { parameters: Id, onError: "ignore", handler: lookup })
  })
})

describe("options", () => {
  it("take undefined for what is not said", () => {
    const tool = Toolset.tool("lookup", {
      description: undefined,
      onError: undefined,
      validateArgs: undefined,
      requiresApproval: undefined,
      maxRetries: undefined,
      sequential: undefined,
      timeout: undefined,
      metadata: undefined,
      annotations: undefined,
      parameters: Id,
      handler: lookup
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<NotFound>>()
  })

  it("are those that a tool has", () => {
    // @ts-expect-error there is no such option
    Toolset.tool("lookup", { handler: () => Effect.void, kind: "external" })
    // @ts-expect-error annotations are a context
    Toolset.tool("lookup", { handler: () => Effect.void, annotations: { strict: true } })
    Toolset.tool("lookup", { handler: () => Effect.void, annotations: Context.empty() })
  })
})
