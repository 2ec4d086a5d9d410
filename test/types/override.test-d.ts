import { Effect } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, extra, Fatal, Log, NotFound, tools } from "./fixtures.ts"

const bare = Agent.run(Agent.make({}), { prompt: "hi" })
const plain = Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "hi" })
type Model = Effect.Services<typeof bare>

describe("Agent.override", () => {
  it("adds what its toolsets fail with and need to the effect, in both forms", () => {
    expectTypeOf(bare.pipe(Agent.override({ toolsets: [extra] }))).toEqualTypeOf<
      Effect.Effect<Agent.Result<string>, Agent.AgentError | NotFound, Model | Log>
    >()
    expectTypeOf(Agent.override(plain, { toolsets: [extra, tools] })).toEqualTypeOf<
      Effect.Effect<Agent.Result<string>, Agent.AgentError | Fatal | NotFound, Model | Db | Log>
    >()
  })

  it("adds nothing with no toolsets", () => {
    expectTypeOf(plain.pipe(Agent.override({ toolsets: [] }))).toEqualTypeOf<typeof plain>()
    expectTypeOf(Agent.override(plain, { toolsets: [] })).toEqualTypeOf<typeof plain>()
  })

  it("infers toolsets written inline", () => {
    const faked = bare.pipe(
      Agent.override({
        toolsets: [
          Toolset.tool("a", { handler: () => Effect.as(Log, 1) }),
          Toolset.tool("b", { handler: () => new NotFound({ id: "b" }) })
        ]
      })
    )
    expectTypeOf(faked).toEqualTypeOf<
      Effect.Effect<Agent.Result<string>, Agent.AgentError | NotFound, Model | Log>
    >()
  })

  it("goes around any effect, and adds to what handlers inside have left", () => {
    const handled = plain.pipe(
      Effect.catchTag("Fatal", () => Effect.succeed(undefined)),
      Agent.override({ toolsets: [tools] })
    )
    expectTypeOf(handled).toEqualTypeOf<
      Effect.Effect<Agent.Result<string> | undefined, Agent.AgentError | Fatal, Model | Db>
    >()
    expectTypeOf(Agent.override(Effect.succeed(1), { toolsets: [extra] })).toEqualTypeOf<
      Effect.Effect<number, NotFound, Log>
    >()
  })

  it("may be written away from its effect", () => {
    const faked = Agent.override({ toolsets: [extra] })
    expectTypeOf(Effect.succeed(1).pipe(faked)).toEqualTypeOf<Effect.Effect<number, NotFound, Log>>()
    expectTypeOf(faked(plain)).toEqualTypeOf<
      Effect.Effect<Agent.Result<string>, Agent.AgentError | Fatal | NotFound, Model | Db | Log>
    >()
  })

  it("takes toolsets, and an effect to go around", () => {
    // @ts-expect-error toolsets are said, be they none
    plain.pipe(Agent.override({}))
    // @ts-expect-error an agent is no effect: override its runs
    Agent.override(Agent.make({}), { toolsets: [] })
  })
})
