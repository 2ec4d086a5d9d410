import { Effect, Schema, Stream } from "effect"
import type { LanguageModel } from "effect/ai"
import { Agent, DeferredToolRequests, type DeferredToolResults, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, Log, Needs, NotFound, tools } from "./fixtures.ts"

type Events<A, E = never, R = never> = Stream.Stream<
  Agent.Event<A>,
  Agent.AgentError | E,
  LanguageModel.LanguageModel | R
>
const plain = Agent.make({ toolsets: [tools] })
const asking = Agent.make({ toolsets: [tools, extra], output: [Schema.String, DeferredToolRequests] })

describe("Agent.stream", () => {
  it("fails with and needs what the run does, and ends with its output", () => {
    expectTypeOf(Agent.stream(Agent.make({}), { prompt: "hi" })).toEqualTypeOf<Events<string>>()
    expectTypeOf(Agent.stream(plain, { prompt: "hi" })).toEqualTypeOf<Events<string, Fatal, Db>>()
    expectTypeOf(Agent.stream(asking, { prompt: "hi" })).toEqualTypeOf<
      Events<string | DeferredToolRequests, Fatal | NotFound, Db | Log>
    >()
  })

  it("adds what the run adds: toolsets, another output, whoever answers", () => {
    expectTypeOf(Agent.stream(plain, { toolsets: [extra] })).toEqualTypeOf<
      Events<string, Fatal | NotFound, Db | Log>
    >()
    expectTypeOf(
      Agent.stream(Agent.make({}), { toolsets: [Toolset.tool("a", { handler: () => Effect.as(Log, 1) })] })
    ).toEqualTypeOf<Events<string, never, Log>>()
    expectTypeOf(Agent.stream(plain, { output: [Needs, Schema.Boolean] })).toEqualTypeOf<
      Events<string | boolean, Fatal, Db | Log>
    >()
    const answered = Agent.stream(Agent.make({}), {
      onDeferred: (requests) => {
        expectTypeOf(requests).toEqualTypeOf<DeferredToolRequests>()
        return Effect.andThen(Log, Effect.fail(new NotFound({ id: "x" })))
      }
    })
    expectTypeOf(answered).toEqualTypeOf<Events<string, NotFound, Log>>()
  })

  it("takes what a run takes", () => {
    const given: Agent.RunOptions<typeof extra, undefined, never, never> = { prompt: "hi", toolsets: [extra] }
    expectTypeOf(Agent.stream(plain, given)).toEqualTypeOf<Events<string, Fatal | NotFound, Db | Log>>()
    // @ts-expect-error there is no such option
    Agent.stream(plain, { promt: "hi" })
    // @ts-expect-error a stream has options, be they none
    Agent.stream(plain)
  })
})

describe("an event", () => {
  it("is told by its tag", () => {
    expectTypeOf<Agent.Event<string>["_tag"]>().toEqualTypeOf<
      "Text" | "Reasoning" | "ToolCall" | "ToolProgress" | "ToolResult" | "Deferred" | "Done"
    >()
    const told = (event: Agent.Event<number>) => {
      switch (event._tag) {
        case "Text":
        case "Reasoning":
          return expectTypeOf(event.delta).toEqualTypeOf<string>()
        case "ToolCall":
          expectTypeOf(event.args).toEqualTypeOf<unknown>()
          return expectTypeOf(event.valid).toEqualTypeOf<boolean>()
        case "ToolProgress":
          return expectTypeOf(event.value).toEqualTypeOf<unknown>()
        case "ToolResult":
          return expectTypeOf(event.outcome).toEqualTypeOf<"success" | "failed" | "retry" | "denied">()
        case "Deferred":
          return expectTypeOf(event.requests).toEqualTypeOf<DeferredToolRequests>()
        case "Done":
          return expectTypeOf(event.result).toEqualTypeOf<Agent.Result<number>>()
      }
    }
    void told
    expectTypeOf<DeferredToolResults>().not.toExtend<DeferredToolRequests>()
  })

  it("is covariant in the output", () => {
    expectTypeOf<Agent.Event<"a">>().toExtend<Agent.Event<string>>()
    expectTypeOf<Agent.Event<string>>().not.toExtend<Agent.Event<"a">>()
    expectTypeOf<Agent.Event<never>>().toExtend<Agent.Event<string>>()
  })

  it("can be taken from the stream by its tag", () => {
    const texts = Agent.stream(plain, {}).pipe(
      Stream.filter((event) => event._tag === "Text"),
      Stream.map((event) => event.delta)
    )
    expectTypeOf(texts).toEqualTypeOf<
      Stream.Stream<string, Agent.AgentError | Fatal, LanguageModel.LanguageModel | Db>
    >()
  })
})
