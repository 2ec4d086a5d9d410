/** The weather chain, over tools that come from another library. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn, retry } from "../agent/answers.ts"

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

/** The same, of which `conditions` fails in Atlantis, beside a tool `fail` that recovers from `Disk full.` */
export const readsTheOutcomes = <E, E2>(weather: Toolset.Toolset<E>, failing: Toolset.Toolset<E2>) =>
  Effect.gen(function* () {
    const agent = Agent.make({ toolsets: [weather, failing], retries: 3 })
    const { messages } = yield* Agent.run(agent, { prompt: "Weather?" })
    assert.deepStrictEqual(resultsIn(messages), [
      ["conditions", retry("It has sunk.")],
      [
        "conditions",
        retry('Invalid arguments: Invalid input: expected string, received undefined\n  at ["city"]')
      ],
      ["fail", "Disk full."],
      ["conditions", "It's raining in Oslo"]
    ])
  }).pipe(
    Effect.provide(
      layer([
        calls({ conditions: { city: "Atlantis" } }),
        calls({ conditions: {}, fail: {} }),
        calls({ conditions: { city: "Oslo" } }),
        text("Wet.")
      ])
    )
  )
