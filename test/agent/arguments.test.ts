/** What a model sends as arguments. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { callsIn, resultsIn, retry } from "./answers.ts"

const prompt = "Go."

/** Says what arguments its body got. */
const echo = Toolset.tool("t", {
  parameters: Schema.Struct({
    x: Schema.Int,
    tag: Schema.optional(Schema.String),
    size: Schema.Literals(["s", "m"]).pipe(Schema.withDecodingDefaultKey(Effect.succeed("s" as const)))
  }),
  handler: (args) => Effect.succeed({ got: args })
})
const bare = Toolset.tool("t", { handler: (args) => Effect.succeed({ got: args }) })
const external = Toolset.external([
  { name: "t", parameters: { type: "object", properties: { x: { type: "integer" } }, required: ["x"] } }
])

/** What the model reads in answer to a call with these arguments. */
const answerTo = (toolset: Toolset.Toolset, args: unknown) =>
  Effect.gen(function* () {
    const { messages } = yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt })
    assert.strictEqual(callsIn(messages).length, 1)
    return resultsIn(messages)[0]?.[1]
  }).pipe(
    Effect.provide(
      ScriptedModel.layer([ScriptedModel.calls([{ name: "t", args }]), ScriptedModel.text("Done.")])
    )
  )

describe("arguments", () => {
  const taken: ReadonlyArray<[title: string, toolset: Toolset.Toolset, args: unknown, got: unknown]> = [
    ["are JSON", echo, { x: 1, tag: "a", size: "m" }, { x: 1, tag: "a", size: "m" }],
    ["have their defaults", echo, { x: 1 }, { x: 1, size: "s" }],
    ["may be text of JSON", echo, '{"x": 1, "size": "m"}', { x: 1, size: "m" }],
    ["may have null for what is optional", echo, { x: 1, tag: null }, { x: 1, size: "s", tag: undefined }],
    ["that are missing are none (P52)", bare, undefined, {}],
    ["that are an empty text are none (P52)", bare, "", {}],
    ["that are an empty object are none", bare, {}, {}]
  ]
  for (const [title, toolset, args, got] of taken) {
    it.effect(title, () =>
      Effect.gen(function* () {
        const expected = JSON.parse(JSON.stringify({ got }))
        assert.deepStrictEqual(yield* answerTo(toolset, args), expected)
      })
    )
  }

  const refused: ReadonlyArray<[title: string, toolset: Toolset.Toolset, args: unknown, problem: string]> = [
    ["of another type go back to the model (P51)", echo, { x: "one" }, 'Expected number\n  at ["x"]'],
    ["that are missing go back where they are needed", echo, undefined, 'Missing key\n  at ["x"]'],
    ["that are an empty text go back where they are needed", echo, "", 'Missing key\n  at ["x"]'],
    ["that nobody asked for go back", echo, { x: 1, y: 2 }, 'Expected no excess property\n  at ["y"]'],
    ["that nobody asked for go back, where none are taken", bare, { x: 1 }, 'Expected never\n  at ["x"]'],
    ["that are no JSON go back", echo, "{x: 1}", "the text is not JSON"],
    ["that are a list go back", echo, [1], "Expected object"],
    ["that are text of a list go back", echo, "[1]", "Expected object"],
    ["that are null go back", echo, null, "Expected object"],
    ["that are null go back, also where none are taken", bare, null, "Expected object"],
    ["of external tools are checked as well", external, { x: 1.5 }, ""],
    ["of external tools may be missing", external, undefined, 'Missing key\n  at ["x"]']
  ]
  for (const [title, toolset, args, problem] of refused) {
    it.effect(title, () =>
      Effect.gen(function* () {
        const answer = yield* answerTo(toolset, args)
        if (problem !== "") assert.strictEqual(answer, retry(`Invalid arguments: ${problem}`))
        assert.match(String(answer), /^Invalid arguments: [^]+\n\nFix the errors and try again\.$/)
      })
    )
  }

  it.effect("go back to the model with everything that is wrong with them, not only the first", () =>
    Effect.gen(function* () {
      const answer = String(yield* answerTo(echo, { x: 1.5, tag: 1, z: 0 }))
      for (const place of ['["x"]', '["tag"]', '["z"]']) assert.include(answer, `at ${place}`)
    })
  )

  it.effect("stay in the history as the model sent them", () =>
    Effect.gen(function* () {
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [echo] }), { prompt })
      assert.deepStrictEqual(
        callsIn(messages).map((call) => call.params),
        ['{"x":1}', { x: 2, tag: null }]
      )
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          ScriptedModel.calls([
            { name: "t", args: '{"x":1}' },
            { name: "t", args: { x: 2, tag: null } }
          ]),
          ScriptedModel.text("Done.")
        ])
      )
    )
  )
})
