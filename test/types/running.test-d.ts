import { Effect, type Scope } from "effect"
import {
  RunContext,
  type ToolCall,
  type ToolDefinition,
  type ToolNotFound,
  type ToolResultError,
  type ToolReturn,
  Toolset,
  type ToolsetError,
  type ToolSignal
} from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, failing, Fatal, NotFound, tools } from "./fixtures.ts"

type CallFailure = ToolSignal | ToolResultError | ToolNotFound | ToolsetError

describe("open", () => {
  it("gives a session in a scope", () => {
    expectTypeOf(Toolset.open(tools)).toEqualTypeOf<
      Effect.Effect<Toolset.Session<Fatal>, Fatal | ToolsetError, Db | Scope.Scope>
    >()
    expectTypeOf(tools.pipe(Toolset.open)).toEqualTypeOf(Toolset.open(tools))
    expectTypeOf(Toolset.open(Toolset.empty)).toEqualTypeOf<
      Effect.Effect<Toolset.Session, ToolsetError, Scope.Scope>
    >()
  })

  it("gives a session that needs nothing at a call", () => {
    const twice = Effect.scoped(
      Effect.gen(function* () {
        const session = yield* Toolset.open(tools)
        return [yield* session.call("get", { id: "x" }), yield* session.call("get", { id: "y" })]
      })
    )
    expectTypeOf(twice).toEqualTypeOf<Effect.Effect<Array<unknown>, Fatal | CallFailure, Db>>()
  })

  it("gives a session that is listed in a run", () => {
    type Session = Toolset.Session<Fatal>
    expectTypeOf<Session["tools"]>().toEqualTypeOf<
      Effect.Effect<ReadonlyArray<Toolset.Tool<Fatal>>, Fatal | ToolsetError, RunContext>
    >()
    expectTypeOf<Session["instructions"]>().toEqualTypeOf<
      Effect.Effect<ReadonlyArray<Toolset.Instruction>, Fatal | ToolsetError, RunContext>
    >()
    expectTypeOf<Session>().toExtend<Toolset.Session<Fatal | NotFound>>()
    expectTypeOf<Session>().not.toExtend<Toolset.Session<NotFound>>()
  })

  it("gives tools that carry their own call", () => {
    type Tool = Toolset.Tool<Fatal>
    expectTypeOf<Tool["definition"]>().toEqualTypeOf<ToolDefinition>()
    expectTypeOf<ReturnType<Tool["call"]>>().toEqualTypeOf<
      Effect.Effect<ToolReturn, Fatal | ToolSignal | ToolResultError, RunContext | ToolCall>
    >()
    expectTypeOf<ReturnType<Tool["validate"]>>().toEqualTypeOf<
      Effect.Effect<void, Fatal | Toolset.CallSignals, RunContext | ToolCall>
    >()
    expectTypeOf<Toolset.Tool>().toExtend<Tool>()
  })

  it("skips no decoding: raw arguments are none that a tool takes", () => {
    const forced = (tool: Toolset.Tool) => {
      // @ts-expect-error `decode` makes them
      return tool.call({ id: "x" })
    }
    void forced
  })
})

describe("list", () => {
  it("gives definitions, and needs what the toolset needs", () => {
    expectTypeOf(Toolset.list(tools)).toEqualTypeOf<
      Effect.Effect<ReadonlyArray<ToolDefinition>, Fatal | ToolsetError, Db>
    >()
    expectTypeOf(tools.pipe(Toolset.list)).toEqualTypeOf(Toolset.list(tools))
  })

  it("needs a run only where opening does", () => {
    const early = Toolset.unwrap(Effect.as(RunContext, Toolset.empty))
    expectTypeOf<
      Effect.Services<ReturnType<typeof Toolset.list<never, RunContext>>>
    >().toEqualTypeOf<RunContext>()
    expectTypeOf(Toolset.list(early)).toEqualTypeOf<
      Effect.Effect<ReadonlyArray<ToolDefinition>, ToolsetError, RunContext>
    >()
  })
})

describe("call", () => {
  it("fails with what the toolset fails with, a signal, or what a call may fail with, in both forms", () => {
    type Called = Effect.Effect<unknown, Fatal | CallFailure, Db>
    expectTypeOf(Toolset.call(tools, "get", { id: "x" })).toEqualTypeOf<Called>()
    expectTypeOf(tools.pipe(Toolset.call("get", { id: "x" }))).toEqualTypeOf<Called>()
    expectTypeOf(Toolset.call(tools, "get", undefined)).toEqualTypeOf<Called>()
  })

  it("may be written away from its toolset", () => {
    const get = Toolset.call("get", { id: "x" })
    expectTypeOf(failing.pipe(get)).toEqualTypeOf<
      Effect.Effect<unknown, Fatal | NotFound | CallFailure, Db>
    >()
    expectTypeOf(get(Toolset.empty)).toEqualTypeOf<Effect.Effect<unknown, CallFailure>>()
  })

  it("asks for a name and arguments", () => {
    // @ts-expect-error arguments are said, be they none
    Toolset.call(tools, "get")
    // @ts-expect-error a name is a string
    tools.pipe(Toolset.call(1, {}))
  })

  it("leaves what is known of a result to whoever asks", () => {
    const length = Effect.map(Toolset.call(tools, "get", {}), (result) => {
      // @ts-expect-error the result is of no known type
      return result.length
    })
    void length
  })
})

describe("describe", () => {
  it("gives a text of any toolset, and needs nothing", () => {
    expectTypeOf(Toolset.describe(tools)).toEqualTypeOf<string>()
    expectTypeOf(Toolset.describe(tools, "mermaid")).toEqualTypeOf<string>()
    expectTypeOf(Toolset.describe(tools as Toolset.Any, "text")).toEqualTypeOf<string>()
    // @ts-expect-error there is no such format
    Toolset.describe(tools, "svg")
  })
})
