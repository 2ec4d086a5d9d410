import {
  Effect,
  type FileSystem,
  type Layer,
  type Path,
  type PlatformError,
  Schema,
  type Stream
} from "effect"
import type { LanguageModel } from "effect/ai"
import type { KeyValueStore } from "effect/persistence"
import { Agent, type ToolCall, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { describe, expectTypeOf, it } from "vitest"

const agent = Agent.make({
  toolsets: [Toolset.tool("a", { handler: () => Effect.fail("no" as const) })],
  output: Schema.Struct({ n: Schema.Int })
})
const durable = { runId: "r" }

describe("durable runs", () => {
  it("need a store, where they are durable", () => {
    const plain = Agent.run(agent, { prompt: "hi" })
    expectTypeOf<Effect.Services<typeof plain>>().toEqualTypeOf<LanguageModel.LanguageModel>()
    const recorded = Agent.run(agent, { prompt: "hi", durable })
    expectTypeOf<Effect.Services<typeof recorded>>().toEqualTypeOf<
      LanguageModel.LanguageModel | Durable.Durable
    >()
    expectTypeOf<Effect.Success<typeof recorded>["output"]>().toEqualTypeOf<{ readonly n: number }>()
    expectTypeOf<Effect.Error<typeof recorded>>().toEqualTypeOf<Agent.AgentError | "no">()
    const piped = agent.pipe(Agent.run({ prompt: "hi", durable: { runId: "x" } }))
    expectTypeOf(piped).toEqualTypeOf<typeof recorded>()
    const maybe = Agent.run(agent, { prompt: "hi", durable: undefined })
    expectTypeOf<Effect.Services<typeof maybe>>().toEqualTypeOf<LanguageModel.LanguageModel>()
    const exits = Agent.runExit(agent, { prompt: "hi", durable })
    expectTypeOf<Effect.Services<typeof exits>>().toEqualTypeOf<
      LanguageModel.LanguageModel | Durable.Durable
    >()
    const streamed = Agent.stream(agent, { prompt: "hi", durable })
    expectTypeOf<Stream.Services<typeof streamed>>().toEqualTypeOf<
      LanguageModel.LanguageModel | Durable.Durable
    >()
    // @ts-expect-error a run has an id
    Agent.run(agent, { prompt: "hi", durable: {} })
  })

  it("may fail with a DurableError", () => {
    expectTypeOf<Durable.DurableError>().toExtend<Agent.AgentError>()
  })
})

describe("steps", () => {
  it("keep the types of their effect, and need nothing", () => {
    const step = Durable.step({ name: "a", id: 1, schema: Schema.Date }, Effect.fail("no" as const))
    expectTypeOf(step).toEqualTypeOf<Effect.Effect<Date, "no" | Durable.DurableError>>()
    const slot = Durable.slot({ name: "a", id: 1, schema: Schema.Int })
    expectTypeOf(slot).toEqualTypeOf<Effect.Effect<Durable.Slot<number>, Durable.DurableError>>()
    // @ts-expect-error the schema is of another result
    Durable.step({ name: "a", id: 1, schema: Schema.Int }, Effect.succeed("one"))
  })

  it("are in a run, which needs a store", () => {
    const run = Effect.succeed(1).pipe(Durable.run({ runId: "r", schema: Schema.Int }))
    expectTypeOf(run).toEqualTypeOf<Effect.Effect<number, Durable.DurableError, Durable.Durable>>()
    const first = Durable.run(Effect.succeed(1), { runId: "r", schema: Schema.Int, isFinished: (n) => n > 1 })
    expectTypeOf(first).toEqualTypeOf<typeof run>()
    expectTypeOf(Durable.forget("r")).toEqualTypeOf<
      Effect.Effect<void, Durable.DurableError, Durable.Durable>
    >()
  })
})

describe("stores", () => {
  it("are layers", () => {
    expectTypeOf(Durable.layer).toEqualTypeOf<
      Layer.Layer<Durable.Durable, never, KeyValueStore.KeyValueStore>
    >()
    expectTypeOf(Durable.layerMemory).toEqualTypeOf<Layer.Layer<Durable.Durable>>()
    expectTypeOf(Durable.layerFileSystem("x", { sync: true })).toEqualTypeOf<
      Layer.Layer<Durable.Durable, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path>
    >()
  })
})

describe("calls", () => {
  it("may have an idempotency key", () => {
    expectTypeOf<ToolCall["Service"]["idempotencyKey"]>().toEqualTypeOf<string | undefined>()
  })

  it("replayable keeps types", () => {
    const tool = Toolset.tool("a", { handler: () => Effect.fail("no" as const) })
    expectTypeOf(Toolset.replayable(tool, false)).toEqualTypeOf<Toolset.Toolset<"no">>()
    expectTypeOf(tool.pipe(Toolset.replayable(false))).toEqualTypeOf<Toolset.Toolset<"no">>()
    // @ts-expect-error true or false
    Toolset.replayable(tool, "no")
  })
})
