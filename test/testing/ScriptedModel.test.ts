import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Ref } from "effect"
import { AiError, LanguageModel, type Prompt } from "effect/ai"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel, TurnsLeft } from "effect-toolset/testing"
import { callsIn } from "../agent/answers.ts"

const { calls, layer, parts, text } = ScriptedModel

const ask = (prompt: Prompt.RawInput) => LanguageModel.generateText({ prompt })
const said = Effect.map(ask("Go."), (response) => response.text)

/** What an `AiError` of a test model says. */
const description = (error: unknown) => {
  assert.instanceOf(error, AiError.AiError)
  assert(error.reason._tag === "InvalidRequestError")
  return error.reason.description
}

describe("a ScriptedModel", () => {
  it.effect("answers with its turns, in order", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([yield* said, yield* said], ["One.", "Two."])
    }).pipe(Effect.provide(layer([text("One."), text("Two.")])))
  )

  it.effect("fails where it has no turn, and goes on failing", () =>
    Effect.gen(function* () {
      yield* said
      yield* said
      assert.match(
        description(yield* Effect.flip(said)) ?? "",
        /^The script has 2 turns; this is request 3, which ends in a message of the user: /
      )
      assert.match(
        description(yield* Effect.flip(said)) ?? "",
        /^The script has 2 turns; this is request 4, which ends in a message of the user: /
      )
    }).pipe(Effect.provide(layer([text("One."), text("Two.")])))
  )

  it.effect("may be a function of the request", () =>
    Effect.gen(function* () {
      const ping = Toolset.tool("ping", { handler: () => Effect.succeed("pong") })
      const { messages, output } = yield* Agent.run(Agent.make({ toolsets: [ping] }), { prompt: "Ping!" })
      assert.strictEqual(output, "3 messages, tools: ping")
      assert.deepStrictEqual(
        callsIn(messages).map((call) => call.name),
        ["ping"]
      )
    }).pipe(
      Effect.provide(
        layer(({ prompt, tools }) =>
          prompt.content.length === 1
            ? calls({ ping: {} })
            : text(`${prompt.content.length} messages, tools: ${tools.map((tool) => tool.name).join()}`)
        )
      )
    )
  )

  it.effect("may be an Effect of the request", () =>
    Effect.gen(function* () {
      const count = yield* Ref.make(0)
      const model = layer(() =>
        Effect.map(
          Ref.updateAndGet(count, (n) => n + 1),
          (n) => text(`${n}`)
        )
      )
      assert.deepStrictEqual(yield* Effect.provide(Effect.all([said, said]), model), ["1", "2"])
    })
  )

  it.effect("remembers what it was asked, also where it failed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ScriptedModel.requests, [])
      yield* ask("One?")
      yield* Effect.flip(ask("Two?"))
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(
        requests.map(({ prompt }) => JSON.stringify(prompt.content).match(/\w+\?/)?.[0]),
        ["One?", "Two?"]
      )
    }).pipe(Effect.provide(layer([text("One.")])))
  )

  it.effect("starts again where it is provided again", () =>
    Effect.gen(function* () {
      const model = layer([text("One.")])
      assert.strictEqual(yield* Effect.provide(said, model), "One.")
      assert.strictEqual(yield* Effect.provide(said, model), "One.")
    })
  )
})

describe("the turns of a script", () => {
  const tool = (name: string) => Toolset.tool(name, { handler: () => Effect.void })
  const agent = Agent.make({ toolsets: [tool("a"), tool("b")] })
  const made = Effect.map(Agent.run(agent, { prompt: "Go." }), ({ messages }) =>
    callsIn(messages).map(({ id, name, params }) => [id, name, params])
  )

  it.effect("are calls by name, with ids of their own", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* made, [
        ["call_0_0", "b", { x: 1 }],
        ["call_0_1", "a", {}],
        ["call_1_0", "a", {}]
      ])
    }).pipe(Effect.provide(layer([calls({ b: { x: 1 }, a: {} }), calls({ a: {} }), text("Done.")])))
  )

  it.effect("are calls in a list, several of one tool, with given ids where there are any", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* made, [
        ["mine", "a", {}],
        ["call_0_1", "a", '{"x":1}'],
        ["call_0_2", "b", {}]
      ])
    }).pipe(
      Effect.provide(
        layer([
          calls([
            { name: "a", args: {}, id: "mine" },
            { name: "a", args: '{"x":1}' },
            { name: "b", args: {}, id: undefined }
          ]),
          text("Done.")
        ])
      )
    )
  )

  it.effect("have ids of their own when one turn is used twice", () =>
    Effect.gen(function* () {
      const ids = (yield* made).map(([id]) => id)
      assert.deepStrictEqual(ids, ["call_0_0", "call_1_0"])
    }).pipe(Effect.provide(layer(({ prompt }) => (prompt.content.length < 5 ? again : text("Done.")))))
  )
  const again = calls({ a: {} })

  it.effect("end as their parts suggest, one token in and one out for each part", () =>
    Effect.gen(function* () {
      const responses = yield* Effect.all([ask("1"), ask("2")])
      assert.deepStrictEqual(
        responses.map(({ finishReason, usage }) => [
          finishReason,
          usage.inputTokens.total,
          usage.outputTokens.total
        ]),
        [
          ["stop", 1, 1],
          ["stop", 1, 2]
        ]
      )
    }).pipe(
      Effect.provide(
        layer([
          text("One."),
          parts([
            { type: "reasoning", text: "Hm." },
            { type: "text", text: "Two." }
          ])
        ])
      )
    )
  )

  it.effect("end as they say, where they say so", () =>
    Effect.gen(function* () {
      const { finishReason, usage } = yield* ask("1")
      assert.deepStrictEqual([finishReason, usage.outputTokens.total], ["content-filter", 7])
    }).pipe(
      Effect.provide(
        layer([
          parts([
            { type: "text", text: "I" },
            {
              type: "finish",
              reason: "content-filter",
              usage: { inputTokens: { total: 3 }, outputTokens: { total: 7 } }
            }
          ])
        ])
      )
    )
  )
})

describe("turns that no request asked for", () => {
  const script = [text("One."), text("Two."), text("Three.")]
  const consumeAll = { consumeAll: true }

  it.effect("are nothing, unless all have to be consumed", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Effect.provide(said, layer(script)), "One.")
      assert.strictEqual(yield* Effect.provide(said, layer(script, { consumeAll: false })), "One.")
    })
  )

  it.effect("are a defect then, at the end of a program that succeeded", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Effect.provide(said, layer(script, consumeAll)))
      assert(Exit.isFailure(exit))
      assert.isTrue(Cause.hasDies(exit.cause))
      const defect = Cause.squash(exit.cause)
      assert.instanceOf(defect, TurnsLeft)
      assert.strictEqual(defect.left, 2)
      assert.strictEqual(defect.message, "The script has 2 more turns than there were requests.")
    })
  )

  it.effect("do not hide why a program failed", () =>
    Effect.gen(function* () {
      const failing = Effect.andThen(said, Effect.fail("boom"))
      const exit = yield* Effect.exit(Effect.provide(failing, layer(script, consumeAll)))
      assert.deepStrictEqual(exit, Exit.fail("boom"))
    })
  )

  it.effect("are none, where all were asked for", () =>
    Effect.gen(function* () {
      const all = Effect.all([said, said, said])
      assert.deepStrictEqual(yield* Effect.provide(all, layer(script, consumeAll)), [
        "One.",
        "Two.",
        "Three."
      ])
    })
  )
})
