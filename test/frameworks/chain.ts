/** The weather chain, over tools that come from another library. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"

const { calls, layer, text } = ScriptedModel

/** `weather`: `temperature_celsius`, `temperature_fahrenheit` and `conditions` of a city. */
export const runsTheChain = <E>(weather: Toolset.Toolset<E>) =>
  Effect.gen(function* () {
    const toolsets = [
      weather.pipe(
        Toolset.prefixed("weather"),
        Toolset.filtered((tool) => !tool.name.includes("fahrenheit")),
        Toolset.renamed({ temperature: "weather_temperature_celsius" })
      )
    ]
    const { messages, output } = yield* Agent.run(Agent.make({ toolsets }), { prompt: "Weather?" })
    assert.strictEqual(output, "Wet.")
    assert.deepStrictEqual(resultsIn(messages), [
      ["temperature", 21],
      ["weather_conditions", "It's raining in Oslo"]
    ])
    const [request] = yield* ScriptedModel.requests
    assert.deepStrictEqual(
      request?.tools.map((tool) => tool.name),
      ["temperature", "weather_conditions"]
    )
  }).pipe(
    Effect.provide(
      layer([calls({ temperature: { city: "Oslo" }, weather_conditions: { city: "Oslo" } }), text("Wet.")])
    )
  )
