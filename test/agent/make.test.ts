import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Schema } from "effect"
import { Agent, ModelRetry, RunContext, ToolCall, Toolset } from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"

const prompt = "Go."
const says = (name: string) => Toolset.tool(name, { handler: () => Effect.succeed(`Hello from ${name}`) })

describe("an agent", () => {
  it("is a value that can be told from others, and piped", () => {
    const agent = Agent.make({})
    assert.isTrue(Agent.isAgent(agent))
    for (const other of [Toolset.empty, {}, undefined, null, Agent]) assert.isFalse(Agent.isAgent(other))
    assert.strictEqual(
      agent.pipe((self) => self),
      agent
    )
  })

  it.effect("does nothing until it is run", () =>
    Effect.gen(function* () {
      let opened = 0
      const toolset = Toolset.unwrap(Effect.sync(() => (opened++, says("a"))))
      const agent = Agent.make({ toolsets: [toolset] })
      const run = Agent.run(agent, { prompt })
      assert.strictEqual(opened, 0)
      yield* run
      assert.strictEqual(opened, 1)
      yield* run
      assert.strictEqual(opened, 2)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("has the tools of its toolsets, in their order (P157)", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [says("baz"), says("foo")] })
      const { output } = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["baz", "foo"])
      assert.strictEqual(output, '{"baz":"Hello from baz","foo":"Hello from foo"}')
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("has those of a run after them, for that run (P158, P164)", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [says("baz"), says("foo")] })
      yield* Agent.run(agent, { prompt, toolsets: [says("bar"), says("qux")] })
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["baz", "foo", "bar", "qux"])
      yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["baz", "foo"])
      yield* Agent.run(Agent.make({}), { prompt, toolsets: [says("bar")] })
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["bar"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("needs and fails with what its toolsets do", () =>
    Effect.gen(function* () {
      class Greeting extends Context.Service<Greeting, string>()("test/Greeting") {}
      const polite = Toolset.tool("hello", { handler: () => Greeting })
      const broken = Toolset.tool("broken", { handler: () => Effect.fail("broken" as const) })
      const run = Agent.run(Agent.make({ toolsets: [polite] }), { prompt })
      const { output } = yield* Effect.provideService(run, Greeting, "Good day")
      assert.strictEqual(output, '{"hello":"Good day"}')
      const failing = Agent.run(Agent.make({ toolsets: [polite] }), { prompt, toolsets: [broken] })
      const error = yield* Effect.flip(Effect.provideService(failing, Greeting, "Good day"))
      assert.strictEqual(error, "broken")
    }).pipe(Effect.provide(TestModel.layer()))
  )
})

describe("the transformation of an agent", () => {
  it.effect("is over its toolsets and those of the run, combined", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [says("a")], transform: Toolset.prefixed("x") })
      yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["x_a"])
      yield* Agent.run(agent, { prompt, toolsets: [says("b")] })
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["x_a", "x_b"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("sees the list as a whole, once per step (P44)", () =>
    Effect.gen(function* () {
      const seen: Array<ReadonlyArray<string>> = []
      const agent = Agent.make({
        toolsets: [Toolset.prefixed(says("a"), "p")],
        transform: (all) =>
          Toolset.prepared(all, (tools) => {
            seen.push(tools.map((tool) => tool.name))
            return tools.toReversed()
          })
      })
      yield* Agent.run(agent, { prompt, toolsets: [says("b")] })
      assert.deepStrictEqual(seen, [
        ["p_a", "b"],
        ["p_a", "b"]
      ])
      assert.deepStrictEqual(yield* TestModel.lastToolNames, ["b", "p_a"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("may take tools away from the run: what it hides cannot be called", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [says("a")],
        transform: (all) => Toolset.filtered(all, (tool) => tool.name !== "b")
      })
      const { output } = yield* Agent.run(agent, { prompt, toolsets: [says("b")] })
      assert.strictEqual(output, '{"a":"Hello from a"}')
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("adds its own failures", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [says("a")],
        transform: (all) => Toolset.filtered(all, () => Effect.fail("closed" as const))
      })
      assert.strictEqual(yield* Effect.flip(Agent.run(agent, { prompt })), "closed")
    }).pipe(Effect.provide(TestModel.layer()))
  )
})

describe("runs of one agent at the same time", () => {
  it.effect("do not see each other (P175)", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      let arrived = 0
      const seen: Array<ReadonlyArray<unknown>> = []
      const flaky = Toolset.tool("flaky", {
        parameters: Schema.Struct({ x: Schema.String }),
        handler: Effect.fnUntraced(function* () {
          const { attempt } = yield* ToolCall
          const { messages, retries, runId, step } = yield* RunContext
          // Every run is in its first call before any goes on.
          if (++arrived === 5) yield* Deferred.succeed(gate, undefined)
          yield* Deferred.await(gate)
          seen.push([step, attempt, messages.content.length, Array.from(retries)])
          return attempt === 0 ? yield* new ModelRetry({ message: "Again." }) : runId
        })
      })
      const agent = Agent.make({ toolsets: [flaky] })
      const results = yield* Effect.forEach([1, 2, 3, 4, 5], () => Agent.run(agent, { prompt }), {
        concurrency: "unbounded"
      })
      for (const { messages, output, runId, usage } of results) {
        assert.strictEqual(output, JSON.stringify({ flaky: runId }))
        assert.deepInclude(usage, { requests: 3, toolCalls: 1 })
        assert.strictEqual(messages.content.length, 6)
      }
      assert.strictEqual(new Set(results.map((result) => result.runId)).size, 5)
      const first = [1, 0, 2, []]
      const second = [2, 1, 4, [["flaky", 1]]]
      assert.deepStrictEqual(
        seen.toSorted((a, b) => Number(a[0]) - Number(b[0])),
        [first, first, first, first, first, second, second, second, second, second]
      )
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("have toolsets of their own (P139)", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const counting = Toolset.unwrap(
        Effect.gen(function* () {
          let count = 0
          log.push("open")
          yield* Effect.addFinalizer(() => Effect.sync(() => log.push("close")))
          return Toolset.tool("count", {
            handler: () =>
              Effect.andThen(
                Effect.yieldNow,
                Effect.sync(() => ++count)
              )
          })
        })
      )
      const agent = Agent.make({ toolsets: [counting] })
      const outputs = yield* Effect.forEach([1, 2, 3], () => Agent.run(agent, { prompt }), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        outputs.map((result) => result.output),
        ['{"count":1}', '{"count":1}', '{"count":1}']
      )
      assert.deepStrictEqual(log, ["open", "open", "open", "close", "close", "close"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("leave the others alone when one fails", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [says("a")] })
      const model = ScriptedModel.layer((request) =>
        JSON.stringify(request.prompt.content).includes("fail")
          ? ScriptedModel.calls([{ name: "nobody", args: {} }])
          : ScriptedModel.text("Done.")
      )
      const exits = yield* Effect.forEach(
        ["go", "fail", "go"],
        (prompt) => Effect.exit(Agent.run(agent, { prompt })),
        { concurrency: "unbounded" }
      ).pipe(Effect.provide(model))
      assert.deepStrictEqual(
        exits.map((exit) => exit._tag),
        ["Success", "Failure", "Success"]
      )
    })
  )
})
