/** Runs with tools of LangChain.js. */
import { tool } from "@langchain/core/tools"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { Agent, Toolset } from "effect-toolset"
import * as LangChain from "effect-toolset/LangChain"
import { ScriptedModel, TestModel, ToolsetLaws } from "effect-toolset/testing"
import * as z from "zod"
import { readsTheOutcomes, runsTheChain } from "../frameworks/chain.ts"

const { calls, layer, text } = ScriptedModel
const schema = z.object({ city: z.string() })

const weather = LangChain.fromTools([
  tool(async () => 21, { name: "temperature_celsius", schema }),
  tool(async () => 69.8, { name: "temperature_fahrenheit", schema }),
  tool(
    async ({ city }) => {
      if (city === "Atlantis") throw new Error("It has sunk.")
      return `It's raining in ${city}`
    },
    { name: "conditions", schema }
  )
])

const broken = <Mode extends Toolset.OnError>(onError: Mode, cause: Error) =>
  LangChain.fromTools(
    [tool((): Promise<string> => Promise.reject(cause), { name: "fail", schema: z.object({}) })],
    { onError }
  )

describe("an agent", () => {
  it.effect("runs the weather chain: prefixed, filtered, renamed", () => runsTheChain(weather))

  it.effect("reads each of the outcomes", () =>
    readsTheOutcomes(weather, broken("recover", new Error("Disk full.")))
  )

  it.effect("ends with the error of a tool that fails, after one request", () =>
    Effect.gen(function* () {
      const cause = new Error("Disk full.")
      const agent = Agent.make({ toolsets: [broken("fail", cause)] })
      const error = yield* Effect.flip(Agent.run(agent, { prompt: "Go." }))
      assert.instanceOf(error, LangChain.LangChainToolError)
      assert.strictEqual(error.cause, cause)
      assert.lengthOf(yield* ScriptedModel.requests, 1)
    }).pipe(Effect.provide(layer([calls({ fail: {} }), text("Never said.")])))
  )

  it.effect("streams the progress of what yields", () =>
    Effect.gen(function* () {
      const counting = tool(
        async function* () {
          yield 1
          yield 2
          return "done"
        },
        { name: "count", schema: z.object({}) }
      )
      const agent = Agent.make({ toolsets: [LangChain.fromTools([counting])] })
      const events = yield* Stream.runCollect(Agent.stream(agent, { prompt: "Count." }))
      const progress = Array.from(events).flatMap((event) =>
        event._tag === "ToolProgress" ? [event.value] : []
      )
      assert.deepStrictEqual(progress, [1, 2])
    }).pipe(Effect.provide(layer([calls({ count: {} }), text("Two.")])))
  )
})

describe("the laws of toolsets", () => {
  it.effect("hold", () =>
    ToolsetLaws.check(weather, {
      calls: { conditions: { city: "Oslo" }, temperature_celsius: { city: "Oslo" } }
    })
  )

  it.effect("hold for any of its tools: TestModel calls them all", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.run(Agent.make({ toolsets: [weather] }), { prompt: "Weather?" })
      assert.include(output, '"temperature_celsius":21')
    }).pipe(Effect.provide(TestModel.layer()))
  )
})
