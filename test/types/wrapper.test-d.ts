import { type Cause, Duration, Effect, pipe, Schedule, Schema } from "effect"
import {
  ModelRetry,
  RunContext,
  ToolCall,
  type ToolDefinition,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, Log, NotFound, type Tools, tools } from "./fixtures.ts"

const timed = Toolset.wrapper((call, next) =>
  Effect.gen(function* () {
    yield* Log
    yield* ToolCall
    const [duration, result] = yield* Effect.timed(next(call))
    return new ToolReturn({
      ...result,
      metadata: { ...result.metadata, ms: Duration.toMillis(duration) }
    })
  })
)
const nothing = Toolset.wrapper((call, next) => next(call))
const refusing = Toolset.wrapper(
  Effect.fn(function* (call, next) {
    if (call.args.id === "1") return yield* new ModelRetry({ message: "not that one" })
    if (call.args.id === "2") return yield* new NotFound({ id: "2" })
    return yield* next({ ...call, args: { ...call.args, id: "3" } })
  })
)

describe("a wrapper written away from its toolset", () => {
  it("leaves what it wraps its failures and services, and adds its own", () => {
    expectTypeOf(tools.pipe(timed)).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
    expectTypeOf(timed(extra)).toEqualTypeOf<Toolset.Toolset<NotFound, Log>>()
    expectTypeOf(timed(Toolset.empty)).toEqualTypeOf<Toolset.Toolset<never, Log>>()
  })

  it("may be put on twice", () => {
    expectTypeOf(pipe(tools, timed, Toolset.prefixed("x"), timed)).toEqualTypeOf<
      Toolset.Toolset<Fatal, Db | Log>
    >()
    expectTypeOf(tools.pipe(timed, refusing, nothing)).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound, Db | Log>
    >()
  })

  it("may have parameters of its own", () => {
    const logging = (prefix: string) =>
      Toolset.wrapper((call, next) => Effect.tap(next(call), () => Effect.log(prefix, call.tool.name)))
    expectTypeOf(tools.pipe(logging("> "), Toolset.sequential)).toEqualTypeOf<Tools>()
  })

  it("may be a function with its types written out", () => {
    const around = (call: Toolset.Invocation, next: Toolset.Next) => Effect.andThen(Log, next(call))
    expectTypeOf(tools.pipe(Toolset.wrapper(around))).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
    expectTypeOf(Toolset.wrapper(tools, around)).toEqualTypeOf<Toolset.Toolset<Fatal, Db | Log>>()
  })
})

describe("wrapper", () => {
  it("is the identity where it goes on with the call, in both forms", () => {
    expectTypeOf(tools.pipe(nothing)).toEqualTypeOf<Tools>()
    expectTypeOf(Toolset.wrapper(tools, (call, next) => next(call))).toEqualTypeOf<Tools>()
  })

  it("sees the tool, the arguments, and a result of which only the value is unknown", () => {
    Toolset.wrapper(tools, (call, next) => {
      expectTypeOf(call).toEqualTypeOf<Toolset.Invocation>()
      expectTypeOf(call.tool).toEqualTypeOf<ToolDefinition>()
      expectTypeOf(call.args).toEqualTypeOf<Readonly<Record<string, unknown>>>()
      expectTypeOf<Effect.Success<ReturnType<typeof next>>>().toEqualTypeOf<ToolReturn<unknown>>()
      expectTypeOf<Effect.Services<ReturnType<typeof next>>>().toEqualTypeOf<RunContext | ToolCall>()
      return next(call)
    })
  })

  it("adds its own failures, and no signals", () => {
    expectTypeOf(tools.pipe(refusing)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db>>()
    const first = Toolset.wrapper(
      tools,
      Effect.fn(function* (call, next) {
        yield* RunContext
        yield* Effect.acquireRelease(Effect.void, () => Effect.void)
        if (call.args.id === "2") return yield* new NotFound({ id: "2" })
        return yield* next(call)
      })
    )
    expectTypeOf(first).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db>>()
  })

  it("catches signals as one catches failures", () => {
    const soft = Toolset.wrapper((call, next) =>
      next(call).pipe(Effect.catchTag("ModelRetry", (e) => new ToolFailed({ message: e.message })))
    )
    expectTypeOf(tools.pipe(soft)).toEqualTypeOf<Tools>()
    const both = Toolset.wrapper((call, next) =>
      next(call).pipe(
        Effect.catchTags({
          ModelRetry: (error) => {
            expectTypeOf(error).toEqualTypeOf<ModelRetry>()
            return new NotFound({ id: error.message })
          },
          ToolFailed: () => Effect.succeed(new ToolReturn({ value: null }))
        })
      )
    )
    expectTypeOf(tools.pipe(both)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db>>()
  })

  it("keeps what it wraps in E also where it handles whatever comes", () => {
    const calm = Toolset.wrapper((call, next) =>
      Effect.catch(next(call), () => Effect.fail(new ToolFailed({ message: "x" })))
    )
    expectTypeOf(tools.pipe(calm)).toEqualTypeOf<Tools>()
    const mapped = Toolset.wrapper((call, next) =>
      Effect.mapError(next(call), () => new NotFound({ id: "x" }))
    )
    expectTypeOf(tools.pipe(mapped)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db>>()
  })

  it("composes with effect's operators", () => {
    const stubborn = Toolset.wrapper((call, next) => Effect.retry(next(call), Schedule.recurs(2)))
    expectTypeOf(tools.pipe(stubborn)).toEqualTypeOf<Tools>()
    const hasty = Toolset.wrapper((call, next) => Effect.timeout(next(call), "1 second"))
    expectTypeOf(tools.pipe(hasty)).toEqualTypeOf<Toolset.Toolset<Fatal | Cause.TimeoutError, Db>>()
  })

  it("may answer without going on", () => {
    const canned = Toolset.wrapper(() => Effect.succeed(new ToolReturn({ value: 1 })))
    expectTypeOf(tools.pipe(canned)).toEqualTypeOf<Tools>()
  })

  it("answers with what a call returns", () => {
    // @ts-expect-error not with a bare value
    tools.pipe(Toolset.wrapper((call, next) => Effect.as(next(call), 1)))
    // @ts-expect-error and with an Effect
    Toolset.wrapper(tools, () => new ToolReturn({ value: 1 }))
    // @ts-expect-error a call goes on with its tool and its arguments
    tools.pipe(Toolset.wrapper((call, next) => next(call.args)))
    // @ts-expect-error arguments are an object
    tools.pipe(Toolset.wrapper((call, next) => next({ ...call, args: "x" })))
  })
})

describe("a function of several branches", () => {
  const isFull = false as boolean

  it("may be a wrapper: what each fails with and needs is there", () => {
    const gate = Toolset.wrapper((call, next) =>
      isFull ? Effect.fail(new NotFound({ id: "1" })) : Effect.andThen(Log, next(call))
    )
    expectTypeOf(tools.pipe(gate)).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
  })

  it("may be a handler that fails with a signal and with something else", () => {
    const tool = Toolset.tool("t", {
      parameters: Schema.Struct({ n: Schema.Int }),
      handler: ({ n }) =>
        n === 1
          ? Effect.fail(new ModelRetry({ message: "not 1" }))
          : n === 2
            ? Effect.fail(new Fatal())
            : Effect.succeed(n)
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<Fatal>>()
  })

  it("may be a validator and a predicate", () => {
    const tool = Toolset.tool("t", {
      parameters: Schema.Struct({ n: Schema.Int }),
      validateArgs: ({ n }) =>
        n === 1
          ? Effect.fail(new NotFound({ id: "1" }))
          : n === 2
            ? Effect.fail(new Fatal())
            : Effect.asVoid(Log),
      requiresApproval: ({ n }) => (n === 1 ? true : Effect.as(Db, false)),
      handler: ({ n }) => Effect.succeed(n)
    })
    expectTypeOf(tool).toEqualTypeOf<Toolset.Toolset<Fatal | NotFound, Db | Log>>()
  })
})
