import { type Duration, Effect, type Exit, Schema, type Stream } from "effect"
import type { LanguageModel, Prompt } from "effect/ai"
import { Agent, DeferredToolRequests, DeferredToolResults, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, Fatal, Log, NotFound, tools } from "./fixtures.ts"

type Run<A, E = never, R = never> = Effect.Effect<
  Agent.Result<A>,
  Agent.AgentError | E,
  LanguageModel.LanguageModel | R
>
const plain = Agent.make({ toolsets: [tools] })
const asking = Agent.make({ output: [Schema.Boolean, DeferredToolRequests] })

describe("onDeferred", () => {
  it("adds what it fails with and needs, in both forms", () => {
    const onDeferred = Effect.fn(function* (requests: DeferredToolRequests) {
      yield* Log
      if (requests.calls.length > 0) return yield* new NotFound({ id: "x" })
      return DeferredToolResults.from(requests, { approveAll: true })
    })
    expectTypeOf(Agent.run(plain, { onDeferred })).toEqualTypeOf<Run<string, Fatal | NotFound, Db | Log>>()
    expectTypeOf(plain.pipe(Agent.run({ onDeferred }))).toEqualTypeOf<
      Run<string, Fatal | NotFound, Db | Log>
    >()
  })

  it("is typed by itself where it is written inline", () => {
    const run = Agent.run(plain, {
      prompt: "hi",
      onDeferred: Effect.fn(function* (requests) {
        expectTypeOf(requests).toEqualTypeOf<DeferredToolRequests>()
        yield* Log
        return DeferredToolResults.from(requests, { approveAll: true })
      })
    })
    expectTypeOf(run).toEqualTypeOf<Run<string, Fatal, Db | Log>>()
  })

  it("may say nothing, and may be several", () => {
    const silent = Agent.run(plain, { onDeferred: () => Effect.succeed(undefined) })
    expectTypeOf(silent).toEqualTypeOf<Run<string, Fatal, Db>>()
    const several = Agent.run(plain, {
      onDeferred: [
        () => Effect.as(Log, undefined),
        (requests) => Effect.succeed(DeferredToolResults.from(requests, {}))
      ]
    })
    expectTypeOf(several).toEqualTypeOf<Run<string, Fatal, Db | Log>>()
    // @ts-expect-error it answers with results
    Agent.run(plain, { onDeferred: () => Effect.succeed(true) })
  })

  it("may be several that fail with and need different things, inline or not, in all ways to run", () => {
    const first = Effect.fn(function* (requests: DeferredToolRequests) {
      if (requests.calls.length > 0) return yield* new NotFound({ id: "x" })
      return undefined
    })
    const second = (requests: DeferredToolRequests) =>
      requests.calls.length > 0 ? Effect.fail("busy" as const) : Effect.as(Log, undefined)
    expectTypeOf(Agent.run(plain, { onDeferred: [first, second] })).toEqualTypeOf<
      Run<string, Fatal | NotFound | "busy", Db | Log>
    >()
    expectTypeOf(plain.pipe(Agent.run({ onDeferred: [second, first] }))).toEqualTypeOf<
      Run<string, Fatal | NotFound | "busy", Db | Log>
    >()
    const inline = Agent.run(plain, {
      onDeferred: [
        (requests) => {
          expectTypeOf(requests).toEqualTypeOf<DeferredToolRequests>()
          return Effect.fail(new NotFound({ id: requests.calls.length.toString() }))
        },
        Effect.fn(function* (requests) {
          expectTypeOf(requests).toEqualTypeOf<DeferredToolRequests>()
          yield* Log
          return requests.calls.length > 0 ? yield* Effect.fail("busy" as const) : undefined
        })
      ]
    })
    expectTypeOf(inline).toEqualTypeOf<Run<string, Fatal | NotFound | "busy", Db | Log>>()
    const listed: ReadonlyArray<Agent.OnDeferred<NotFound, Log> | Agent.OnDeferred<Fatal, Db>> = []
    expectTypeOf(Agent.run(plain, { onDeferred: listed })).toEqualTypeOf<
      Run<string, Fatal | NotFound, Db | Log>
    >()
    expectTypeOf(Agent.stream(plain, { onDeferred: [first, second] })).toEqualTypeOf<
      Stream.Stream<
        Agent.Event<string>,
        Agent.AgentError | Fatal | NotFound | "busy",
        LanguageModel.LanguageModel | Db | Log
      >
    >()
    const { exit } = {} as Effect.Success<ReturnType<typeof ended>>
    const ended = () => Agent.runExit(plain, { onDeferred: [first, second] })
    expectTypeOf(exit).toEqualTypeOf<Exit.Exit<string, Agent.AgentError | Fatal | NotFound | "busy">>()
    expectTypeOf(Agent.run(plain, { onDeferred: [] })).toEqualTypeOf<Run<string, Fatal, Db>>()
    const maybe = undefined as typeof first | undefined
    expectTypeOf(Agent.run(plain, { onDeferred: maybe })).toEqualTypeOf<Run<string, Fatal | NotFound, Db>>()
    // @ts-expect-error one of them answers with no results
    Agent.run(plain, { onDeferred: [first, () => Effect.succeed(true)] })
  })
})

describe("the options of a run", () => {
  it("take what there may be as it is", () => {
    const body: {
      readonly messages?: Prompt.Prompt
      readonly results?: DeferredToolResults
      readonly prompt?: string
      readonly limits?: Agent.Limits
      readonly concurrency?: number
    } = {}
    const run = Agent.run(asking, {
      prompt: body.prompt,
      history: body.messages,
      deferredResults: body.results,
      limits: body.limits,
      concurrency: body.concurrency,
      retries: undefined,
      onDeferred: undefined
    })
    expectTypeOf(run).toEqualTypeOf<Run<boolean | DeferredToolRequests>>()
    const spread = Agent.run(asking, {
      ...(body.messages === undefined ? { prompt: "hi" } : { history: body.messages }),
      ...(body.results === undefined ? {} : { deferredResults: body.results }),
      toolsets: [Toolset.external([])]
    })
    expectTypeOf(spread).toEqualTypeOf<Run<boolean | DeferredToolRequests>>()
  })

  it("limit requests, calls and tokens, and say what happens then", () => {
    expectTypeOf<Agent.Limits>().toEqualTypeOf<{
      readonly requests?: number | undefined
      readonly toolCalls?: number | undefined
      readonly inputTokens?: number | undefined
      readonly outputTokens?: number | undefined
      readonly totalTokens?: number | undefined
      readonly onLimit?: "fail" | "answer" | undefined
    }>()
    // @ts-expect-error there is no such policy
    Agent.run(plain, { limits: { onLimit: "ask" } })
    // @ts-expect-error there is no such limit
    Agent.run(plain, { limits: { steps: 3 } })
  })

  it("are of their types", () => {
    expectTypeOf<Agent.Retries>().toEqualTypeOf<
      number | { readonly tools?: number | undefined; readonly output?: number | undefined }
    >()
    expectTypeOf<Agent.EndStrategy>().toEqualTypeOf<"early" | "graceful" | "exhaustive">()
    expectTypeOf<
      NonNullable<Parameters<typeof Agent.make>[0]["toolTimeout"]>
    >().toEqualTypeOf<Duration.Input>()
    // @ts-expect-error there is no such strategy
    Agent.make({ endStrategy: "late" })
    // @ts-expect-error requests are no results
    Agent.run(plain, { deferredResults: {} as DeferredToolRequests })
    // @ts-expect-error a number, or "unbounded"
    Agent.run(plain, { concurrency: "inherit" })
    // @ts-expect-error the name of an output tool is a text
    Agent.make({ outputTool: { name: 1 } })
  })
})
