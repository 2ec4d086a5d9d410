import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { LanguageModel, type Response } from "effect/ai"
import { Agent, IncompleteResponse, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const prompt = "Go."
const finish = (reason: Response.FinishReason): Response.PartEncoded => ({
  type: "finish",
  reason,
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
})
const call: Response.PartEncoded = { type: "tool-call", id: "1", name: "t", params: {} }
const text: Response.PartEncoded = { type: "text", text: "It is" }

/** An agent with a tool that writes down that it ran, and how it was validated. */
const logged = () => {
  const log: Array<string> = []
  const tool = Toolset.tool("t", {
    validateArgs: () => Effect.sync(() => log.push("validated")),
    handler: () => Effect.sync(() => (log.push("ran"), "result"))
  })
  return { log, agent: Agent.make({ toolsets: [tool] }) }
}

describe("a response that ended before the model was done", () => {
  for (const finishReason of ["length", "content-filter", "error", "other"] as const) {
    for (const [title, parts] of [
      ["calls", [call]],
      ["calls and text", [text, call]],
      ["text", [text]],
      ["nothing", []]
    ] as const) {
      it.effect(`ends the run, and none of its calls has run: ${finishReason}, with ${title}`, () =>
        Effect.gen(function* () {
          const { agent, log } = logged()
          const error = yield* Effect.flip(Agent.run(agent, { prompt }))
          assert.deepStrictEqual(error, new IncompleteResponse({ finishReason }))
          assert.deepStrictEqual(log, [])
          assert.strictEqual((yield* ScriptedModel.requests).length, 1)
        }).pipe(Effect.provide(ScriptedModel.layer([ScriptedModel.parts([...parts, finish(finishReason)])])))
      )
    }
  }

  it.effect("ends the run in a later step too", () =>
    Effect.gen(function* () {
      const { agent, log } = logged()
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepStrictEqual(error, new IncompleteResponse({ finishReason: "length" }))
      assert.deepStrictEqual(log, ["validated", "ran"])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          ScriptedModel.calls({ t: {} }),
          ScriptedModel.parts([{ ...call, id: "2" }, finish("length")])
        ])
      )
    )
  )

  it("says what to do", () => {
    const message = (finishReason: string) => new IncompleteResponse({ finishReason }).message
    assert.strictEqual(
      message("length"),
      "The model's response is incomplete (length); none of its calls has run. Raise the model's limit on output tokens."
    )
    assert.strictEqual(
      message("content-filter"),
      "The model's response is incomplete (content-filter); none of its calls has run."
    )
  })
})

describe("a response that is complete", () => {
  for (const reason of ["stop", "tool-calls", "pause"] as const) {
    it.effect(`has its calls run: ${reason}`, () =>
      Effect.gen(function* () {
        const { agent, log } = logged()
        const { output } = yield* Agent.run(agent, { prompt })
        assert.strictEqual(output, "Done.")
        assert.deepStrictEqual(log, ["validated", "ran"])
      }).pipe(
        Effect.provide(
          ScriptedModel.layer([ScriptedModel.parts([call, finish(reason)]), ScriptedModel.text("Done.")])
        )
      )
    )
  }

  it.effect("may come from a model that does not say how it ended", () =>
    Effect.gen(function* () {
      const turns: Array<Array<Response.PartEncoded>> = [[call], [{ type: "text", text: "Done." }]]
      const silent = LanguageModel.make({
        generateText: () => Effect.sync(() => turns.shift()!),
        streamText: () => Stream.die("not streamed")
      })
      const { agent, log } = logged()
      const run = Agent.run(agent, { prompt })
      const { output, usage } = yield* Effect.provide(run, Layer.effect(LanguageModel.LanguageModel, silent))
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(log, ["validated", "ran"])
      assert.deepStrictEqual(usage, { requests: 2, toolCalls: 1, inputTokens: 0, outputTokens: 0 })
    })
  )
})
