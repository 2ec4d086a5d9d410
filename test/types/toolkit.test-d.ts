import { Effect, Layer, Schema, type Scope } from "effect"
import { type AiError, LanguageModel, Tool, Toolkit } from "effect/ai"
import { ModelRetry, ToolCall, type ToolResultError, Toolset, type ToolsetError } from "effect-toolset"
import type { CallError } from "effect-toolset/Neutral"
import { describe, expectTypeOf, it } from "vitest"
import { Db, Fatal, flag, Log, Needs, NotFound, tools } from "./fixtures.ts"

const Kit = Toolkit.make(
  Tool.make("a", {
    parameters: Schema.Struct({ x: Schema.Finite }),
    success: Schema.Finite,
    failure: Fatal,
    dependencies: [Db]
  }),
  Tool.make("b", { failure: NotFound, failureMode: "return" })
)
type Handlers = Tool.HandlersFor<(typeof Kit)["tools"]>

describe("fromToolkit", () => {
  it("fails with what tools fail with that do not return it, and needs handlers and dependencies", () => {
    expectTypeOf(Toolset.fromToolkit(Kit)).toEqualTypeOf<
      Toolset.Toolset<Fatal | AiError.AiError, Handlers | Db>
    >()
  })

  it("needs its handlers no more where they are provided", () => {
    const handlers = Layer.succeedContext(undefined as never) as Layer.Layer<Handlers>
    expectTypeOf(Toolset.fromToolkit(Kit).pipe(Toolset.provide(handlers))).toEqualTypeOf<
      Toolset.Toolset<Fatal | AiError.AiError, Db>
    >()
    const layer = Kit.toLayer({ a: ({ x }) => Effect.as(Db, x), b: () => Effect.void })
    expectTypeOf(Toolset.fromToolkit(Kit).pipe(Toolset.provide(layer))).toEqualTypeOf<
      Toolset.Toolset<Fatal | AiError.AiError, Db>
    >()
  })

  it("takes handlers that are there already", () => {
    const given = undefined as unknown as Toolkit.WithHandler<(typeof Kit)["tools"]>
    expectTypeOf(Toolset.fromToolkit(given)).toEqualTypeOf<Toolset.Toolset<Fatal | AiError.AiError, Db>>()
  })

  it("takes an Effect of handlers, and what it fails with and needs", () => {
    const found = Effect.gen(function* () {
      yield* Log
      if (flag) return yield* new NotFound({ id: "" })
      return yield* Kit
    })
    expectTypeOf(Toolset.fromToolkit(found)).toEqualTypeOf<
      Toolset.Toolset<Fatal | NotFound | AiError.AiError, Handlers | Db | Log>
    >()
  })

  it("keeps signals out of E and what a call supplies out of R", () => {
    const signalling = Toolkit.make(Tool.make("c", { failure: ModelRetry, dependencies: [ToolCall] }))
    expectTypeOf(Toolset.fromToolkit(signalling)).toEqualTypeOf<
      Toolset.Toolset<AiError.AiError, Tool.HandlersFor<(typeof signalling)["tools"]>>
    >()
  })

  it("needs what the parameters of its tools decode and encode with", () => {
    const needing = Toolkit.make(Tool.make("d", { parameters: Schema.Struct({ x: Needs }) }))

    expectTypeOf(Toolset.fromToolkit(needing)).toEqualTypeOf<
      Toolset.Toolset<AiError.AiError, Tool.HandlersFor<(typeof needing)["tools"]> | Db | Log>
    >()
  })

  it("takes nothing but toolkits", () => {
    // @ts-expect-error a tool of effect/ai is no toolkit
    Toolset.fromToolkit(Tool.make("x"))
    // @ts-expect-error nor is a toolset
    Toolset.fromToolkit(tools)
  })
})

describe("toToolkit", () => {
  it("opens the toolset in a scope and gives an Effect of what it offers now", () => {
    expectTypeOf(Toolset.toToolkit(tools)).toEqualTypeOf<
      Effect.Effect<
        Effect.Effect<Toolset.ToolkitOf<Fatal>, Fatal | ToolsetError>,
        Fatal | ToolsetError,
        Db | Scope.Scope
      >
    >()
    expectTypeOf<Toolset.ToolkitOf<Fatal>>().toEqualTypeOf<
      Toolkit.WithHandler<Record<string, Toolset.ToolkitTool<Fatal | CallError>>>
    >()
  })

  it("leaves the toolset's failures typed where a model calls its tools", () => {
    const generated = Effect.gen(function* () {
      const offer = yield* Toolset.toToolkit(tools)
      return yield* LanguageModel.generateText({ prompt: "x", toolkit: yield* offer })
    })
    expectTypeOf<Effect.Error<typeof generated>>().toEqualTypeOf<Fatal | CallError | AiError.AiError>()
    expectTypeOf<Effect.Services<typeof generated>>().toEqualTypeOf<
      Db | Scope.Scope | LanguageModel.LanguageModel
    >()
  })

  it("offers tools of unknown results that fail with what the toolset fails with", () => {
    const generated = (offer: Toolset.ToolkitOf<Fatal>) =>
      LanguageModel.generateText({ prompt: "x", toolkit: offer })
    type Generated = ReturnType<typeof generated>
    expectTypeOf<Effect.Error<Generated>>().toEqualTypeOf<Fatal | CallError | AiError.AiError>()
    expectTypeOf<Effect.Services<Generated>>().toEqualTypeOf<LanguageModel.LanguageModel>()
    expectTypeOf<Effect.Success<Generated>["toolResults"][number]["result"]>().not.toBeAny()
  })

  it("may go both ways", () => {
    const back = Toolset.unwrap(Effect.map(Toolset.toToolkit(tools), Toolset.fromToolkit))
    expectTypeOf(back).toEqualTypeOf<
      Toolset.Toolset<Fatal | Exclude<CallError, ToolResultError> | AiError.AiError, Db>
    >()
  })
})
