/** A whole conversation on effect/ai alone, with the tools of a toolset. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Ref, Schema } from "effect"
import { Chat } from "effect/ai"
import { ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn, retry } from "../agent/answers.ts"

const { calls, layer, text } = ScriptedModel

const city = Schema.Struct({ city: Schema.String })
const weather = Toolset.combined(
  Toolset.tool("temperature_celsius", { parameters: city, handler: () => Effect.succeed(21) }),
  Toolset.tool("temperature_fahrenheit", { parameters: city, handler: () => Effect.succeed(70) }),
  Toolset.tool("conditions", {
    parameters: city,
    handler: ({ city }) =>
      city === "Atlantis"
        ? Effect.fail(new ModelRetry({ message: "It has sunk." }))
        : city === "Nowhere"
          ? Effect.fail(new ToolFailed({ message: "There is no weather." }))
          : Effect.succeed(`It's raining in ${city}`)
  })
)

/** Asks until the model has nothing more to call. */
const conversing = <E>(toolset: Toolset.Toolset<E>) =>
  Effect.gen(function* () {
    const offer = yield* Toolset.toToolkit(toolset)
    const chat = yield* Chat.fromPrompt("Weather?")
    for (;;) {
      const { text, toolCalls } = yield* chat.generateText({ prompt: [], toolkit: yield* offer })
      if (toolCalls.length === 0) return { text, history: yield* Ref.get(chat.history) }
    }
  }).pipe(Effect.scoped)

describe("the weather chain on effect/ai", () => {
  it.effect("runs with what was prefixed, filtered and renamed", () =>
    Effect.gen(function* () {
      const { history, text } = yield* conversing(
        weather.pipe(
          Toolset.prefixed("weather"),
          Toolset.filtered((tool) => !tool.name.includes("fahrenheit")),
          Toolset.renamed({ temperature: "weather_temperature_celsius" })
        )
      )
      assert.strictEqual(text, "Wet.")
      assert.deepStrictEqual(resultsIn(history), [
        ["temperature", 21],
        ["weather_conditions", "It's raining in Oslo"]
      ])
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(
        requests.map(({ tools }) => tools.map((tool) => tool.name)),
        [
          ["temperature", "weather_conditions"],
          ["temperature", "weather_conditions"]
        ]
      )
    }).pipe(
      Effect.provide(
        layer([calls({ temperature: { city: "Oslo" }, weather_conditions: { city: "Oslo" } }), text("Wet.")])
      )
    )
  )

  it.effect("shows the model each outcome, and goes on", () =>
    Effect.gen(function* () {
      const { history } = yield* conversing(Toolset.withMaxRetries(weather, 3))
      assert.deepStrictEqual(resultsIn(history), [
        ["conditions", retry("It has sunk.")],
        ["conditions", "There is no weather."],
        ["conditions", "It's raining in Oslo"]
      ])
    }).pipe(
      Effect.provide(
        layer([
          calls({ conditions: { city: "Atlantis" } }),
          calls({ conditions: { city: "Nowhere" } }),
          calls({ conditions: { city: "Oslo" } }),
          text("Wet.")
        ])
      )
    )
  )

  it.effect("stops after one request at a failure for good, which interrupts what else runs", () =>
    Effect.gen(function* () {
      class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}
      const broken = new Broken({})
      const begun = yield* Deferred.make<void>()
      let interrupted = 0
      const slow = Toolset.tool("slow", {
        handler: () =>
          Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Effect.sync(() => interrupted++))
          )
      })
      const failing = Toolset.tool("failing", {
        handler: () => Effect.andThen(Deferred.await(begun), Effect.fail(broken))
      })
      const error = yield* Effect.flip(conversing(Toolset.combined(slow, failing)))
      assert.strictEqual(error, broken)
      assert.strictEqual(interrupted, 1)
      assert.lengthOf(yield* ScriptedModel.requests, 1)
    }).pipe(Effect.provide(layer(() => calls({ slow: {}, failing: {} }))))
  )
})
