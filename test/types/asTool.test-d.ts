import { Effect, Schema } from "effect"
import type { LanguageModel } from "effect/ai"
import { Agent, DeferredToolRequests, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { z } from "zod"
import { Db, extra, Fatal, Id, Log, Needs, NotFound, tools } from "./fixtures.ts"

type AgentTool<E = never, R = never> = Toolset.Toolset<Agent.AgentError | E, LanguageModel.LanguageModel | R>

const options = {
  name: "weather",
  parameters: Id,
  prompt: ({ id }: { readonly id: string }) => `Where is ${id}?`
}
const report = Agent.make({ toolsets: [tools], output: Schema.Struct({ place: Schema.String }) })

describe("Agent.asTool", () => {
  it("is a toolset that fails with what the agent fails with, and needs what it needs", () => {
    expectTypeOf(Agent.asTool(Agent.make({}), options)).toEqualTypeOf<AgentTool>()
    expectTypeOf(Agent.asTool(report, options)).toEqualTypeOf<AgentTool<Fatal, Db>>()
    const asking = Agent.make({ toolsets: [extra], output: [Schema.String, DeferredToolRequests] })
    expectTypeOf(Agent.asTool(asking, options)).toEqualTypeOf<AgentTool<NotFound, Log>>()
  })

  it("needs what its parameters and its output need", () => {
    const needy = { name: "n", parameters: Schema.Struct({ a: Needs }), prompt: () => "" }
    expectTypeOf(Agent.asTool(Agent.make({}), needy)).toEqualTypeOf<AgentTool<never, Db | Log>>()
    expectTypeOf(Agent.asTool(Agent.make({ output: Needs }), options)).toEqualTypeOf<
      AgentTool<never, Db | Log>
    >()
  })

  it("infers the arguments of its prompt", () => {
    Agent.asTool(report, {
      name: "weather",
      parameters: Schema.Struct({ place: Schema.String, days: Schema.FiniteFromString }),
      prompt: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ readonly place: string; readonly days: number }>()
        return [{ role: "user", content: args.place }]
      }
    })
    const standard = Agent.asTool(report, {
      name: "weather",
      parameters: z.object({ place: z.string() }),
      prompt: ({ place }) => {
        expectTypeOf(place).toEqualTypeOf<string>()
        return place
      }
    })
    expectTypeOf(standard).toEqualTypeOf<AgentTool<Fatal, Db>>()
  })

  it("is a toolset like any other", () => {
    const outer = Agent.make({
      toolsets: [Agent.asTool(report, options).pipe(Toolset.approvalRequired(), Toolset.prefixed("x")), extra]
    })
    expectTypeOf(outer).toEqualTypeOf<
      Agent.Agent<string, Agent.AgentError | Fatal | NotFound, LanguageModel.LanguageModel | Db | Log>
    >()
    const recovered = Agent.asTool(report, options).pipe(Toolset.onError("recover"))
    expectTypeOf(recovered).toEqualTypeOf<Toolset.Toolset<never, LanguageModel.LanguageModel | Db>>()
  })

  it("asks for a name, parameters and a prompt", () => {
    // @ts-expect-error what is the agent asked?
    Agent.asTool(report, { name: "weather", parameters: Id })
    // @ts-expect-error a prompt is no Effect
    Agent.asTool(report, { name: "weather", parameters: Id, prompt: () => Effect.succeed("x") })
    // @ts-expect-error such arguments there are not
    Agent.asTool(report, { name: "weather", parameters: Id, prompt: ({ city }) => city })
  })
})
