import { Effect, type Exit, Schema } from "effect"
import type { LanguageModel, Prompt } from "effect/ai"
import { Agent, DeferredToolRequests, type Usage } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, Log, NotFound, tools } from "./fixtures.ts"

type Ended<A, E = never, R = never> = Effect.Effect<
  {
    readonly exit: Exit.Exit<A, Agent.AgentError | E>
    readonly messages: Prompt.Prompt
    readonly newMessages: Prompt.Prompt
    readonly usage: Usage
    readonly replayed: Usage
  },
  never,
  LanguageModel.LanguageModel | R
>
const plain = Agent.make({ toolsets: [tools] })

describe("Agent.runExit", () => {
  it("never fails: what a run fails with is in its exit", () => {
    expectTypeOf(Agent.runExit(Agent.make({}), { prompt: "hi" })).toEqualTypeOf<Ended<string>>()
    expectTypeOf(Agent.runExit(plain, { prompt: "hi" })).toEqualTypeOf<Ended<string, Fatal, Db>>()
  })

  it("has what a run adds in its exit, and in what it needs", () => {
    expectTypeOf(Agent.runExit(plain, { toolsets: [extra] })).toEqualTypeOf<
      Ended<string, Fatal | NotFound, Db | Log>
    >()
    expectTypeOf(Agent.runExit(plain, { output: [Schema.Boolean, DeferredToolRequests] })).toEqualTypeOf<
      Ended<boolean | DeferredToolRequests, Fatal, Db>
    >()
    expectTypeOf(
      Agent.runExit(plain, { onDeferred: () => Effect.andThen(Log, Effect.fail(new NotFound({ id: "x" }))) })
    ).toEqualTypeOf<Ended<string, Fatal | NotFound, Db | Log>>()
  })

  it("has no output without looking", () => {
    const ended = Effect.map(Agent.runExit(plain, {}), ({ exit }) => {
      // @ts-expect-error it may have failed
      void exit.value
      return exit._tag === "Success" ? exit.value : undefined
    })
    expectTypeOf<Effect.Success<typeof ended>>().toEqualTypeOf<string | undefined>()
    // @ts-expect-error there is no such option
    Agent.runExit(plain, { promt: "hi" })
  })
})
