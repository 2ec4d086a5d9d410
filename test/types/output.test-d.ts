import { Effect, Schema } from "effect"
import type { LanguageModel } from "effect/ai"
import {
  Agent,
  type ApprovalRequired,
  DeferredToolRequests,
  ModelRetry,
  RunContext,
  ToolFailed
} from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, flag, Log, Needs, NotFound, tools } from "./fixtures.ts"

type Run<A, E = never, R = never> = Effect.Effect<
  Agent.Result<A>,
  Agent.AgentError | E,
  LanguageModel.LanguageModel | R
>
type OutputOf<T> = T extends Agent.Agent<infer A, infer _E, infer _R> ? A : never

const Report = Schema.Struct({ place: Schema.String, degrees: Schema.FiniteFromString })
type Report = { readonly place: string; readonly degrees: number }
class Sorry extends Schema.Class<Sorry>("Sorry")({ why: Schema.String }) {}

describe("the output of an agent", () => {
  it("is text by itself", () => {
    expectTypeOf(Agent.make({ toolsets: [tools] })).toEqualTypeOf<Agent.Agent<string, Fatal, Db>>()
    expectTypeOf(Agent.make({ output: undefined })).toEqualTypeOf<Agent.Agent>()
    expectTypeOf(Agent.make({ output: Schema.String })).toEqualTypeOf<Agent.Agent>()
  })

  it("is what its schema decodes to", () => {
    expectTypeOf(Agent.make({ toolsets: [tools], output: Report })).toEqualTypeOf<
      Agent.Agent<Report, Fatal, Db>
    >()
    expectTypeOf(Agent.make({ output: Sorry })).toEqualTypeOf<Agent.Agent<Sorry>>()
    expectTypeOf(Agent.make({ output: Schema.Literals(["yes", "no"]) })).toEqualTypeOf<
      Agent.Agent<"yes" | "no">
    >()
    expectTypeOf(Agent.make({ output: Schema.Date })).toEqualTypeOf<Agent.Agent<Date>>()
    expectTypeOf(Agent.make({ output: Schema.Tuple([Schema.Int, Schema.Boolean]) })).toEqualTypeOf<
      Agent.Agent<readonly [number, boolean]>
    >()
    expectTypeOf(Agent.make({ output: Schema.NullOr(Report) })).toEqualTypeOf<Agent.Agent<Report | null>>()
  })

  it("is one of several, and a request only where it is listed", () => {
    expectTypeOf(Agent.make({ output: [Report, Schema.String, Sorry] })).toEqualTypeOf<
      Agent.Agent<Report | string | Sorry>
    >()
    expectTypeOf(
      Agent.make({ toolsets: [tools, extra], output: [Schema.String, DeferredToolRequests] })
    ).toEqualTypeOf<Agent.Agent<string | DeferredToolRequests, Fatal | NotFound, Db | Log>>()
    expectTypeOf(Agent.make({ output: [Report, DeferredToolRequests] })).toEqualTypeOf<
      Agent.Agent<Report | DeferredToolRequests>
    >()
    const listed = [Report, Schema.Boolean] as const
    expectTypeOf(Agent.make({ output: listed })).toEqualTypeOf<Agent.Agent<Report | boolean>>()
  })

  it("needs what decoding it needs, and encoding it for a run outside", () => {
    expectTypeOf(Agent.make({ output: Needs })).toEqualTypeOf<Agent.Agent<string, never, Db | Log>>()
    expectTypeOf(Agent.make({ output: [Report, Needs] })).toEqualTypeOf<
      Agent.Agent<Report | string, never, Db | Log>
    >()
    expectTypeOf(Agent.run(Agent.make({}), { output: Needs })).toEqualTypeOf<Run<string, never, Db | Log>>()
  })

  it("is a schema or a list of them", () => {
    // @ts-expect-error no schema
    Agent.make({ output: "text" })
    // @ts-expect-error no schema in the list
    Agent.make({ output: [Schema.String, "text"] })
    // @ts-expect-error a struct is made with Schema.Struct
    Agent.make({ output: { place: Schema.String } })
  })
})

describe("validateOutput", () => {
  it("sees what is decoded, and no requests", () => {
    Agent.make({
      validateOutput: (output) => {
        expectTypeOf(output).toEqualTypeOf<string>()
        return Effect.void
      }
    })
    const agent = Agent.make({
      output: [Report, DeferredToolRequests],
      validateOutput: (output) => {
        expectTypeOf(output).toEqualTypeOf<Report>()
        return output.degrees > 100 ? new ModelRetry({ message: "too hot" }) : Effect.void
      }
    })
    expectTypeOf(agent).toEqualTypeOf<Agent.Agent<Report | DeferredToolRequests>>()
    Agent.make({
      output: [Report, Sorry, Schema.String],
      validateOutput: (output) => {
        expectTypeOf(output).toEqualTypeOf<Report | Sorry | string>()
        return Effect.void
      }
    })
  })

  it("adds its failures, but no signal, and its needs, but for the run and a scope", () => {
    const agent = Agent.make({
      toolsets: [tools],
      output: Report,
      validateOutput: Effect.fnUntraced(function* (output) {
        yield* Log
        yield* RunContext
        yield* Effect.acquireRelease(Effect.void, () => Effect.void)
        if (flag) return yield* new NotFound({ id: output.place })
        if (output.degrees < 0) return yield* new ToolFailed({ message: "cold" })
        return yield* new ModelRetry({ message: "no" })
      })
    })
    expectTypeOf(agent).toEqualTypeOf<Agent.Agent<Report, Fatal | NotFound, Db | Log>>()
    expectTypeOf<Effect.Error<ReturnType<typeof run>>>().toEqualTypeOf<Agent.AgentError | Fatal | NotFound>()
    const run = () => Agent.run(agent, { prompt: "hi" })
    expectTypeOf<ModelRetry | ToolFailed | ApprovalRequired>().not.toExtend<
      Effect.Error<ReturnType<typeof run>>
    >()
  })

  it("gives an Effect", () => {
    // @ts-expect-error a yes is no Effect
    Agent.make({ output: Report, validateOutput: () => true })
  })
})

describe("the output of a run", () => {
  const agent = Agent.make({ toolsets: [tools], output: Report })

  it("takes the place of the agent's, in both forms", () => {
    expectTypeOf(Agent.run(agent, { prompt: "hi" })).toEqualTypeOf<Run<Report, Fatal, Db>>()
    expectTypeOf(Agent.run(agent, { output: Schema.String })).toEqualTypeOf<Run<string, Fatal, Db>>()
    expectTypeOf(Agent.run(agent, { output: [Sorry, DeferredToolRequests] })).toEqualTypeOf<
      Run<Sorry | DeferredToolRequests, Fatal, Db>
    >()
    expectTypeOf(agent.pipe(Agent.run({ output: [Sorry, Schema.Boolean] }))).toEqualTypeOf<
      Run<Sorry | boolean, Fatal, Db>
    >()
    expectTypeOf(agent.pipe(Agent.run({ prompt: "hi" }))).toEqualTypeOf<Run<Report, Fatal, Db>>()
  })

  it("is the agent's, where nothing is said", () => {
    expectTypeOf(Agent.run(agent, { output: undefined })).toEqualTypeOf<Run<Report, Fatal, Db>>()
    expectTypeOf<OutputOf<typeof agent>>().toEqualTypeOf<Report>()
  })

  it("may be said or not", () => {
    const maybe = undefined as typeof Sorry | undefined
    expectTypeOf(Agent.run(agent, { output: maybe })).toEqualTypeOf<Run<Report | Sorry, Fatal, Db>>()
    expectTypeOf(Agent.make({ output: maybe })).toEqualTypeOf<Agent.Agent<string | Sorry>>()
  })

  it("is told apart by its class", () => {
    const asking = Agent.make({ output: [Schema.String, Sorry, DeferredToolRequests] })
    const narrowed = Effect.map(Agent.run(asking, {}), ({ output }) => {
      if (output instanceof DeferredToolRequests) return output.approvals.map((call) => call.toolName)
      if (output instanceof Sorry) return output.why
      expectTypeOf(output).toEqualTypeOf<string>()
      return output
    })
    expectTypeOf<Effect.Success<typeof narrowed>>().toEqualTypeOf<string | Array<string>>()
  })
})
