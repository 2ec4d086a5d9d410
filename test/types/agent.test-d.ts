import { type Duration, Effect } from "effect"
import type { LanguageModel, Prompt } from "effect/ai"
import { Agent, ModelRetry, RunContext, ToolCall, Toolset, type Usage } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, flag, Id, Log, lookup, NotFound, tools } from "./fixtures.ts"

type Run<A, E = never, R = never> = Effect.Effect<
  Agent.Result<A>,
  Agent.AgentError | E,
  LanguageModel.LanguageModel | R
>

const plain = Agent.make({ toolsets: [tools] })
const bare = Agent.make({})

describe("Agent.make", () => {
  it("fails with what its toolsets fail with, and needs what they need", () => {
    expectTypeOf(plain).toEqualTypeOf<Agent.Agent<string, Fatal, Db>>()
    expectTypeOf(Agent.make({ toolsets: [tools, extra] })).toEqualTypeOf<
      Agent.Agent<string, Fatal | NotFound, Db | Log>
    >()
  })

  it("fails with nothing and needs nothing without toolsets", () => {
    expectTypeOf(bare).toEqualTypeOf<Agent.Agent>()
    expectTypeOf(Agent.make({ toolsets: [] })).toEqualTypeOf<Agent.Agent>()
  })

  it("infers toolsets written inline", () => {
    const inline = Agent.make({
      toolsets: [
        Toolset.tool("a", { handler: () => Effect.succeed(1) }),
        Toolset.tool("b", { parameters: Id, handler: lookup }),
        Toolset.filtered(tools, () => true),
        tools.pipe(Toolset.prefixed("x")),
        Toolset.tool("c", { parameters: Id, handler: ({ id }) => Effect.as(Log, id.length) })
      ]
    })
    expectTypeOf(inline).toEqualTypeOf<Agent.Agent<string, Fatal | NotFound, Db | Log>>()
  })

  it("adds what instructions fail with and need, but for the run and a scope", () => {
    const instructed = Agent.make({
      toolsets: [tools],
      instructions: Effect.gen(function* () {
        yield* Log
        yield* RunContext
        yield* Effect.acquireRelease(Effect.void, () => Effect.void)
        if (flag) return yield* new NotFound({ id: "" })
        return "Be kind."
      })
    })
    expectTypeOf(instructed).toEqualTypeOf<Agent.Agent<string, Fatal | NotFound, Db | Log>>()
    expectTypeOf(Agent.make({ instructions: "Be kind." })).toEqualTypeOf<Agent.Agent>()
    expectTypeOf(Agent.make({ instructions: Effect.as(ToolCall, "x") })).toEqualTypeOf<
      Agent.Agent<string, never, ToolCall>
    >()
  })

  it("adds what a transformation adds, written inline or away", () => {
    const transformed = Agent.make({
      toolsets: [tools],
      transform: (all) => {
        expectTypeOf(all).toEqualTypeOf<Toolset.Leaf>()
        return all.pipe(
          Toolset.filtered(() => Effect.as(Log, true)),
          Toolset.approvalRequired((tool) => tool.name === "x" || Effect.fail(new NotFound({ id: "x" })))
        )
      }
    })
    expectTypeOf(transformed).toEqualTypeOf<Agent.Agent<string, Fatal | NotFound, Db | Log>>()
    const logged = Toolset.wrapper((call, next) => Effect.andThen(Log, next(call)))
    expectTypeOf(Agent.make({ toolsets: [tools], transform: logged })).toEqualTypeOf<
      Agent.Agent<string, Fatal, Db | Log>
    >()
    expectTypeOf(Agent.make({ toolsets: [tools], transform: Toolset.prefixed("x") })).toEqualTypeOf<
      typeof plain
    >()
  })

  it("takes undefined for what is not said", () => {
    const none = Agent.make({
      toolsets: undefined,
      transform: undefined,
      instructions: undefined,
      retries: undefined,
      toolTimeout: undefined,
      name: undefined,
      traceValues: undefined
    })
    expectTypeOf(none).toEqualTypeOf<Agent.Agent>()
    expectTypeOf<Parameters<typeof Agent.make>[0]["toolTimeout"]>().toEqualTypeOf<
      Duration.Input | undefined
    >()
  })

  it("takes toolsets, and nothing else for them", () => {
    // @ts-expect-error an Effect of a toolset is none
    Agent.make({ toolsets: [Effect.succeed(tools)] })
    // @ts-expect-error one toolset is a list of one
    Agent.make({ toolsets: tools })
    // @ts-expect-error there is no such option
    Agent.make({ tools: [tools] })
    // @ts-expect-error instructions are a text or an Effect of one
    Agent.make({ instructions: () => "x" })
    // @ts-expect-error a transformation gives a toolset
    Agent.make({ transform: () => [tools] })
  })
})

describe("Agent", () => {
  it("is covariant", () => {
    expectTypeOf(plain).toExtend<Agent.Agent<string | number, Fatal | NotFound, Db | Log>>()
    expectTypeOf(bare).toExtend<typeof plain>()
    expectTypeOf(plain).not.toExtend<Agent.Agent>()
    expectTypeOf(plain).not.toExtend<Agent.Agent<string, NotFound, Db>>()
    expectTypeOf(plain).not.toExtend<Agent.Agent<number, Fatal, Db>>()
  })

  it("is no Effect and no toolset", () => {
    // @ts-expect-error it is run with `Agent.run`
    Effect.runPromise(bare)
    // @ts-expect-error its tools are its own
    Toolset.combined(bare)
  })

  it("is what a value is for which isAgent holds", () => {
    expectTypeOf(Agent.isAgent).guards.toEqualTypeOf<Agent.Agent<unknown, unknown, unknown>>()
  })
})

describe("Agent.run", () => {
  it("fails with what any run and its agent fail with, and needs a model too, in both forms", () => {
    expectTypeOf(Agent.run(plain, { prompt: "hi" })).toEqualTypeOf<Run<string, Fatal, Db>>()
    expectTypeOf(plain.pipe(Agent.run({ prompt: "hi" }))).toEqualTypeOf<Run<string, Fatal, Db>>()
    expectTypeOf(Agent.run(bare, { prompt: "hi" })).toEqualTypeOf<Run<string>>()
    expectTypeOf(Agent.run(bare, {})).toEqualTypeOf<Run<string>>()
  })

  it("adds those of the toolsets of one run, in both forms", () => {
    expectTypeOf(Agent.run(plain, { prompt: "hi", toolsets: [extra] })).toEqualTypeOf<
      Run<string, Fatal | NotFound, Db | Log>
    >()
    expectTypeOf(plain.pipe(Agent.run({ prompt: "hi", toolsets: [extra] }))).toEqualTypeOf<
      Run<string, Fatal | NotFound, Db | Log>
    >()
    const inline = Agent.run(bare, {
      prompt: "hi",
      toolsets: [
        Toolset.tool("a", { handler: () => Effect.as(Log, 1) }),
        Toolset.tool("b", { handler: () => new ModelRetry({ message: "x" }) })
      ]
    })
    expectTypeOf(inline).toEqualTypeOf<Run<string, never, Log>>()
    expectTypeOf(Agent.run(plain, { toolsets: [Toolset.external([])] })).toEqualTypeOf<
      Run<string, Fatal, Db>
    >()
  })

  it("may be written away from its agent", () => {
    const hello = Agent.run({ prompt: "hi", toolsets: [extra] })
    expectTypeOf(hello(plain)).toEqualTypeOf<Run<string, Fatal | NotFound, Db | Log>>()
    expectTypeOf(bare.pipe(hello)).toEqualTypeOf<Run<string, NotFound, Log>>()
  })

  it("takes what there may be as it is", () => {
    const body: {
      readonly messages?: Prompt.Prompt
      readonly prompt?: string
      readonly toolsets?: ReadonlyArray<typeof extra>
    } = {}
    const run = Agent.run(plain, {
      prompt: body.prompt,
      history: body.messages,
      toolsets: body.toolsets,
      retries: undefined,
      concurrency: undefined
    })
    expectTypeOf(run).toEqualTypeOf<Run<string, Fatal | NotFound, Db | Log>>()
    expectTypeOf(Agent.run(plain, { toolsets: undefined })).toEqualTypeOf<Run<string, Fatal, Db>>()
    const spread = Agent.run(bare, {
      ...(body.messages === undefined ? { prompt: "hi" } : { history: body.messages }),
      toolsets: [Toolset.external([])]
    })
    expectTypeOf(spread).toEqualTypeOf<Run<string>>()
  })

  it("gives an output, the history and what was used", () => {
    expectTypeOf<Agent.Result<string>>().toEqualTypeOf<{
      readonly output: string
      readonly messages: Prompt.Prompt
      readonly newMessages: Prompt.Prompt
      readonly usage: Usage
      readonly replayed: Usage
      readonly runId: string
    }>()
    expectTypeOf<Agent.Result<"a">>().toExtend<Agent.Result<string>>()
    // @ts-expect-error a history is a Prompt: the `messages` of another run
    Agent.run(bare, { history: [] })
    // @ts-expect-error there is no such option
    Agent.run(bare, { promt: "hi" })
    // @ts-expect-error a run has options, be they none
    Agent.run(bare)
  })
})
