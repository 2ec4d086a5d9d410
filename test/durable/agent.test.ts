/** Runs of agents, attempt after attempt. */
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Prompt } from "effect/ai"
import { Agent, ModelRetry, ToolFailed, ToolReturn, Toolset, ToolsetDefinitionError } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"
import { doing, Down, killed, killing } from "./attempts.ts"
import { asked, run, withModelAnd } from "./models.ts"
import { onEveryKindOfStore } from "./stores.ts"

const { calls, text } = ScriptedModel
const tool = <E, R>(name: string, handler: Effect.Effect<unknown, E, R>) =>
  Toolset.withId(Toolset.tool(name, { handler: () => handler }), "tools")

const durable = { runId: "run-1" }

onEveryKindOfStore("Agent.run, durable", ({ it, layer }) => {
  const withModel = withModelAnd(layer)

  it.effect("does nothing again that was done: requests of the model, calls", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const agent = Agent.make({
        toolsets: [tool("a", does("a", 1)), tool("b", Effect.tap(does("b", 2), killing(1)))]
      })
      const attempt = run(agent, { prompt: "Go.", durable })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(attempt)))
      const { messages, output, replayed, runId, usage } = yield* attempt
      assert.deepStrictEqual([output, runId], ["Done.", "run-1"])
      assert.deepStrictEqual(done, ["a", "b", "b"])
      assert.strictEqual(yield* asked, 3)
      assert.deepStrictEqual(resultsIn(messages), [
        ["a", 1],
        ["b", 2]
      ])
      assert.deepStrictEqual([usage.requests, usage.toolCalls], [3, 2])
      assert.deepStrictEqual([replayed.requests, replayed.toolCalls], [2, 1])
      // It has ended: asked for again it gives what it came to, and runs nothing.
      const again = yield* attempt
      assert.deepStrictEqual([again.output, again.messages, again.usage], ["Done.", messages, usage])
      assert.deepStrictEqual(again.replayed, usage)
      assert.deepStrictEqual([done.length, yield* asked], [3, 3])
    }).pipe(withModel([calls({ a: {} }), calls({ b: {} }), text("Done.")]))
  )

  it.effect("makes the same history as a run that nothing disturbed", () =>
    Effect.gen(function* () {
      const shown = new ToolReturn({
        value: { n: 1 },
        content: [Prompt.textPart({ text: "see" })],
        metadata: { at: 1, f: () => 1 },
        modelOutput: [Prompt.textPart({ text: "shown" })]
      })
      const end = killing(3)
      const agent = (ends: Effect.Effect<void>) =>
        Agent.make({
          toolsets: [
            tool("rich", Effect.succeed(shown)),
            tool("retry", Effect.fail(new ModelRetry({ message: "Again." }))),
            tool("failed", Effect.fail(new ToolFailed({ message: "No.", details: { x: 1 } }))),
            tool("last", ends)
          ]
        })
      const plain = yield* run(agent(Effect.void), { prompt: "Go." })
      const attempt = run(agent(end), { prompt: "Go.", durable })
      for (let i = 0; i < 3; i++) assert.isTrue(Exit.isFailure(yield* Effect.exit(attempt)))
      const { messages, usage } = yield* attempt
      assert.deepStrictEqual(messages.content, plain.messages.content)
      assert.deepStrictEqual(usage, plain.usage)
    }).pipe(
      withModel([
        calls([
          { name: "rich", args: {}, id: "1" },
          { name: "retry", args: {}, id: "2" },
          { name: "failed", args: {}, id: "3" },
          { name: "nobody", args: {}, id: "4" }
        ]),
        calls([{ name: "last", args: {}, id: "5" }]),
        text("Done.")
      ])
    )
  )

  it.effect("another prompt, another tool list, other instructions: everything runs live", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const a = tool("a", does("a", 1))
      const last = tool("last", killed)
      const attempt = (options: {
        prompt: string
        toolsets?: ReadonlyArray<Toolset.Toolset>
        instructions?: string
      }) =>
        Effect.exit(
          run(
            Agent.make({
              toolsets: [a, last, ...(options.toolsets ?? [])],
              instructions: options.instructions
            }),
            { prompt: options.prompt, durable }
          )
        )
      yield* attempt({ prompt: "Go." })
      yield* attempt({ prompt: "Go!" })
      yield* attempt({ prompt: "Go.", toolsets: [tool("more", Effect.void)] })
      yield* attempt({ prompt: "Go.", instructions: "Be brief." })
      assert.strictEqual(done.length, 4)
      yield* attempt({ prompt: "Go.", instructions: "Be brief." })
      yield* attempt({ prompt: "Go." })
      assert.strictEqual(done.length, 4)
      assert.strictEqual(yield* asked, 8)
    }).pipe(withModel([calls({ a: {} }), calls({ last: {} })]))
  )

  it.effect("another id of a toolset: its calls run live, and what was before them does not", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const attempt = (id: string) =>
        Effect.exit(
          run(
            Agent.make({
              toolsets: [
                tool("a", does("a", 1)),
                Toolset.withId(Toolset.tool("b", { handler: () => does("b", 1) }), id),
                tool("last", killed)
              ]
            }),
            { prompt: "Go.", durable }
          )
        )
      yield* attempt("x")
      yield* attempt("y")
      assert.deepStrictEqual(done, ["a", "b", "b"])
      assert.strictEqual(yield* asked, 4)
    }).pipe(withModel([calls({ a: {} }), calls({ b: {} }), calls({ last: {} })]))
  )

  it.effect("a toolset without an id is a definition error, in a durable run only", () =>
    Effect.gen(function* () {
      const nameless = Toolset.tool("a", { handler: () => Effect.succeed(1) })
      for (const toolset of [nameless, Toolset.dynamic(Effect.succeed(nameless))]) {
        const agent = Agent.make({ toolsets: [toolset] })
        const error = yield* Effect.flip(run(agent, { prompt: "Go.", durable }))
        assert.instanceOf(error, ToolsetDefinitionError)
        assert.include(error.message, "tool(a): It has no id")
        assert.strictEqual((yield* run(agent, { prompt: "Go." })).output, "Done.")
      }
      const named = Agent.make({ toolsets: [Toolset.withId(Toolset.combined(nameless), "mine")] })
      assert.strictEqual((yield* run(named, { prompt: "Go.", durable })).output, "Done.")
    }).pipe(withModel([text("Done.")]))
  )

  it.effect("a tool that is not replayable runs on every attempt, and no model request differs by it", () =>
    Effect.gen(function* () {
      const { done } = doing()
      let now = 0
      const clock = Toolset.tool("now", {
        handler: () =>
          Effect.sync(() => {
            done.push("now")
            now++
            return new ToolReturn({
              value: now,
              content: now === 1 ? [] : [Prompt.textPart({ text: `${now}` })]
            })
          })
      }).pipe(Toolset.withId("clock"), Toolset.replayable(false))
      const agent = Agent.make({
        toolsets: [
          clock,
          tool(
            "after",
            Effect.sync(() => void done.push("after"))
          ),
          tool("last", killing(2))
        ]
      })
      const attempt = run(agent, { prompt: "Go.", durable })
      yield* Effect.exit(attempt)
      yield* Effect.exit(attempt)
      const { messages } = yield* attempt
      assert.deepStrictEqual(done, ["now", "after", "now", "now"])
      assert.strictEqual(yield* asked, 4)
      assert.deepStrictEqual(resultsIn(messages)[0], ["now", 3])
    }).pipe(withModel([calls({ now: {} }), calls({ after: {} }), calls({ last: {} }), text("Done.")]))
  )

  it.effect("a tool's own failure ends the run as ever; the next attempt calls it again", () =>
    Effect.gen(function* () {
      let down = true
      const agent = Agent.make({
        toolsets: [
          tool(
            "a",
            Effect.suspend(() => (down ? Effect.fail(new Down()) : Effect.succeed(1)))
          )
        ]
      })
      const attempt = run(agent, { prompt: "Go.", durable })
      assert.deepStrictEqual(yield* Effect.flip(attempt), new Down())
      down = false
      assert.strictEqual((yield* attempt).output, "Done.")
      assert.strictEqual(yield* asked, 2)
    }).pipe(withModel([calls({ a: {} }), text("Done.")]))
  )
})
