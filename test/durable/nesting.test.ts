/** Agents inside durable runs: steps of their own. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Agent, DeferredToolRequests, ToolFailed, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"
import { approvedBy } from "./requests.ts"
import { doing, killing } from "./attempts.ts"
import { asked, run } from "./models.ts"
import { onEveryKindOfStore } from "./stores.ts"

const { calls, text } = ScriptedModel
const durable = { runId: "run-1" }
const output = [Schema.String, DeferredToolRequests] as const

onEveryKindOfStore("agents inside durable runs", ({ it, layer }) => {
  /** Which agent is asked is known by its instructions. */
  const models = (turns: {
    outer: ReadonlyArray<ScriptedModel.Turn>
    inner: ReadonlyArray<ScriptedModel.Turn>
  }) =>
    Effect.provide(
      Layer.merge(
        layer,
        ScriptedModel.layer(({ prompt }) => {
          const isInner = prompt.content.some((message) => message.role === "system")
          const answered = prompt.content.filter((message) => message.role === "assistant").length
          return turns[isInner ? "inner" : "outer"][answered] ?? text("There is nothing more to say.")
        })
      )
    )
  const inner = (...tools: ReadonlyArray<Toolset.Toolset>) =>
    Toolset.withId(
      Agent.asTool(
        Agent.make({
          instructions: "Inner.",
          toolsets: [Toolset.withId(Toolset.combined(...tools), "inner")]
        }),
        { name: "ask", parameters: Schema.Struct({}), prompt: () => "Work." }
      ),
      "agents"
    )

  it.effect("are steps of their own: one that was stopped goes on, one that has ended is not run", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const [inside, outside] = [killing(1), killing(1)]
      const work = Toolset.tool("work", { handler: () => does("work", 1) })
      const more = Toolset.tool("more", { handler: () => Effect.tap(does("more", 1), inside) })
      const end = Toolset.withId(Toolset.tool("end", { handler: () => outside }), "outer")
      const agent = Agent.make({ toolsets: [inner(work, more), end] })
      const attempt = run(agent, { prompt: "Go.", durable })
      yield* Effect.exit(attempt)
      yield* Effect.exit(attempt)
      const { messages, replayed, usage } = yield* attempt
      assert.deepStrictEqual(done, ["work", "more", "more"])
      assert.strictEqual(yield* asked, 6)
      assert.deepStrictEqual(resultsIn(messages), [
        ["ask", "Worked."],
        ["end", null]
      ])
      // Three requests of the inner agent, three of the outer one, and one of them now.
      assert.deepStrictEqual([usage.requests, replayed.requests], [6, 5])
      assert.deepStrictEqual([usage.toolCalls, replayed.toolCalls], [4, 3])
    }).pipe(
      models({
        outer: [calls({ ask: {} }), calls({ end: {} }), text("Done.")],
        inner: [calls({ work: {} }), calls({ more: {} }), text("Worked.")]
      })
    )
  )

  it.effect("wait, are asked for again, and go on with what was said", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const look = Toolset.tool("look", { handler: () => does("look", 1) })
      const pay = Toolset.tool("pay", {
        parameters: Schema.Struct({ n: Schema.Int }),
        requiresApproval: true,
        handler: ({ n }) => does(`pay ${n}`, n)
      })
      const agent = Agent.make({ toolsets: [inner(look, pay)], output })
      const options = { prompt: "Go.", durable }
      const first = yield* run(agent, options)
      assert.deepStrictEqual((yield* run(agent, options)).output, first.output)
      assert.deepStrictEqual([done, yield* asked], [["look"], 3])
      const second = yield* run(agent, { ...options, deferredResults: approvedBy(first.output) })
      assert.deepStrictEqual((yield* run(agent, options)).output, second.output)
      assert.deepStrictEqual([done, yield* asked], [["look", "pay 1"], 4])
      const third = yield* run(agent, { ...options, deferredResults: approvedBy(second.output) })
      assert.deepStrictEqual([third.output, done, yield* asked], ["Done.", ["look", "pay 1", "pay 2"], 6])
      assert.deepStrictEqual(third.usage.requests, 6)
    }).pipe(
      models({
        outer: [calls({ ask: {} }), text("Done.")],
        inner: [calls({ look: {} }), calls({ pay: { n: 1 } }), calls({ pay: { n: 2 } }), text("Worked.")]
      })
    )
  )

  it.effect("fail as they do elsewhere", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [
          inner(Toolset.tool("work", { handler: () => Effect.fail(new ToolFailed({ message: "No." })) }))
        ]
      })
      const { messages } = yield* run(agent, { prompt: "Go.", durable })
      assert.deepStrictEqual(resultsIn(messages), [["ask", "Sorry."]])
    }).pipe(
      models({ outer: [calls({ ask: {} }), text("Done.")], inner: [calls({ work: {} }), text("Sorry.")] })
    )
  )
})
