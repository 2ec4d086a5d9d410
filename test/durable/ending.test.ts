/** How durable runs of agents end, and what they tell. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Schema, Stream } from "effect"
import { Agent, RunContext, ToolResultError, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"
import { doing, killing } from "./attempts.ts"
import { attempting } from "./attempting.ts"
import { asked, run, withModelAnd } from "./models.ts"
import { onEveryKindOfStore } from "./stores.ts"

const { calls, text } = ScriptedModel
const tool = <E, R>(name: string, handler: Effect.Effect<unknown, E, R>) =>
  Toolset.withId(Toolset.tool(name, { handler: () => handler }), "tools")

const durable = { runId: "run-1" }

onEveryKindOfStore("a durable run", ({ it, layer }) => {
  const withModel = withModelAnd(layer)

  it.effect("limits count what was replayed too", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [tool("a", killing(1))] })
      const attempt = run(agent, { prompt: "Go.", durable, limits: { requests: 1 } })
      yield* Effect.exit(attempt)
      assert.strictEqual((yield* Effect.flip(attempt))._tag, "UsageLimitExceeded")
      assert.strictEqual(yield* asked, 1)
    }).pipe(withModel([calls({ a: {} }), text("Done.")]))
  )

  it.effect("outputs keep their types, and are validated once", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      class Bill extends Schema.Class<Bill>("Bill")({ at: Schema.Date }) {}
      const agent = Agent.make({
        toolsets: [tool("a", killing(1))],
        output: Bill,
        validateOutput: () => does("validated", undefined)
      })
      const attempt = run(agent, { prompt: "Go.", durable })
      yield* Effect.exit(attempt)
      for (const { output } of [yield* attempt, yield* attempt]) {
        assert.instanceOf(output, Bill)
        assert.deepStrictEqual(output.at, new Date(0))
      }
      assert.deepStrictEqual(done, ["validated"])
    }).pipe(withModel([calls({ a: {} }), calls({ final_result: { at: new Date(0).toISOString() } })]))
  )

  it.effect("runs that stream tell again what was said before", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [tool("a", Effect.succeed(1)), tool("b", killing(1))] })
      const attempt = attempting(Stream.runCollect(Agent.stream(agent, { prompt: "Go.", durable })))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(attempt)))
      const told = (events: ReadonlyArray<Agent.Event<string>>) =>
        events.map((event) =>
          event._tag === "Text" ? event.delta : event._tag === "ToolResult" ? event.toolName : event._tag
        )
      assert.deepStrictEqual(told(yield* attempt), [
        "First a.",
        "ToolCall",
        "a",
        "ToolCall",
        "b",
        "Done.",
        "Done"
      ])
      assert.deepStrictEqual(told(yield* attempt), ["Done"])
      assert.strictEqual(yield* asked, 3)
    }).pipe(
      withModel([
        ScriptedModel.parts([
          { type: "text", text: "First a." },
          { type: "tool-call", id: "1", name: "a", params: {} }
        ]),
        calls({ b: {} }),
        text("Done.")
      ])
    )
  )

  it.effect("a run that cannot fail tells the history of the one that has ended", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [tool("a", killing(1))] })
      const attempt = attempting(Agent.runExit(agent, { prompt: "Go.", durable }))
      assert.isTrue(Exit.isFailure((yield* attempt).exit))
      const ended = yield* attempt
      const again = yield* attempt
      assert.deepStrictEqual(again.exit, Exit.succeed("Done."))
      assert.deepStrictEqual([again.messages, again.newMessages], [ended.messages, ended.newMessages])
      assert.lengthOf(again.newMessages.content, 4)
      assert.deepStrictEqual([ended.usage.requests, ended.replayed.requests], [2, 1])
      assert.deepStrictEqual([again.usage, again.replayed], [ended.usage, ended.usage])
    }).pipe(withModel([calls({ a: {} }), text("Done.")]))
  )

  it.effect("tools know the run by its id", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [
          tool(
            "a",
            Effect.map(RunContext, (run) => run.runId)
          )
        ]
      })
      const { messages } = yield* run(agent, { prompt: "Go.", durable })
      assert.deepStrictEqual(resultsIn(messages), [["a", "run-1"]])
    }).pipe(withModel([calls({ a: {} }), text("Done.")]))
  )

  it.effect("steps of a tool's own are found again where the call is not", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const part = (n: number) =>
        Durable.step({ name: "part", id: n, schema: Schema.Int }, does(`part ${n}`, n))
      const agent = Agent.make({
        toolsets: [tool("a", Effect.andThen(part(1), Effect.andThen(killing(1), part(2))))]
      })
      const attempt = run(agent, { prompt: "Go.", durable })
      yield* Effect.exit(attempt)
      yield* attempt
      assert.deepStrictEqual(done, ["part 1", "part 2"])
    }).pipe(withModel([calls({ a: {} }), text("Done.")]))
  )

  it.effect(
    "a result that its schema cannot encode ends the run at once, and is worth no other attempt",
    () =>
      Effect.gen(function* () {
        const { does, done } = doing()
        const count = Toolset.tool("count", { success: Schema.Finite, handler: () => does("count", NaN) })
        const server = Toolset.dynamic(Effect.succeed(count))
        for (const toolset of [count, server]) {
          const agent = Agent.make({ toolsets: [Toolset.withId(toolset, "tools")] })
          const error = yield* Effect.flip(run(agent, { prompt: "Go.", durable }))
          assert.instanceOf(error, ToolResultError)
          assert.deepStrictEqual([error.toolName, error.isRetryable], ["count", false])
        }
        // Nothing of it was recorded.
        assert.deepStrictEqual(done, ["count", "count"])
      }).pipe(withModel([calls({ count: {} })]))
  )

  it.effect("a result that is too large ends the run at once, typed", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [tool("a", Effect.succeed("x".repeat(2000)))] })
      const error = yield* run(agent, { prompt: "Go.", durable }).pipe(
        Effect.provideService(Durable.MaxRecordBytes, 1500),
        Effect.flip
      )
      assert.instanceOf(error, Durable.DurableError)
      assert.include(error.message, "call tools/a: Its record has")
    }).pipe(withModel([calls({ a: {} }), text("Done.")]))
  )
})
