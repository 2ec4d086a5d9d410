import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { callsIn, resultsIn } from "../agent/answers.ts"

const prompt = "Go."
const gives = (name: string, value: string) => Toolset.tool(name, { handler: () => Effect.succeed(value) })

describe("a TestModel that goes on from a run that has ended", () => {
  const now = (value: string) => Agent.make({ toolsets: [gives("now", value)] })
  for (const again of [undefined, prompt]) {
    it.effect(`calls its tools, and answers with their results alone: ${again ?? "no prompt"}`, () =>
      Effect.gen(function* () {
        const { messages } = yield* Agent.run(now("old"), { prompt })
        const second = yield* Agent.run(now("new"), { history: messages, prompt: again })
        assert.strictEqual(second.output, '{"now":"new"}')
        assert.deepStrictEqual(resultsIn(second.newMessages), [["now", "new"]])
        const third = yield* Agent.run(now("newer"), { history: second.messages })
        assert.strictEqual(third.output, '{"now":"newer"}')
      }).pipe(Effect.provide(TestModel.layer()))
    )
  }

  it.effect("that ended with an output calls its tools again, too", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [gives("now", "x")], output: Schema.Struct({ n: Schema.Int }) })
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* Agent.run(agent, { history: first.messages })
      assert.deepStrictEqual(
        callsIn(second.newMessages).map(({ name }) => name),
        ["now", "final_result"]
      )
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("gives each call an id of its own", () =>
    Effect.gen(function* () {
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [gives("a", "x"), gives("b", "y")] }), {
        prompt
      })
      assert.deepStrictEqual(
        callsIn(messages).map(({ id }) => id),
        ["call_b_1", "call_a_1", "call_b_2"]
      )
    }).pipe(Effect.provide(TestModel.layer({ callTools: ["b", "a", "b"] })))
  )
})
