import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Schema } from "effect"
import { Agent, DeferredToolRequests, DeferredToolResults, ModelRetry, Toolset } from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { answering, counting, failed, flaw, inRunOf, names, runOf, tag } from "./asking.ts"
import { RunContext } from "effect-toolset"

const many = (n: number, name = "a") =>
  ScriptedModel.calls(Array.from({ length: n }, () => ({ name, args: {} })))

const running = (toolset: Toolset.Toolset, turns: ReadonlyArray<ReturnType<typeof many>>) =>
  Agent.run(Agent.make({ toolsets: [toolset] }), { prompt: "go" }).pipe(
    Effect.provide(ScriptedModel.layer([...turns, ScriptedModel.text("done")]))
  )

describe("limited", () => {
  it.effect("lets as many calls through as it says, and tells the model about the others", () =>
    Effect.gen(function* () {
      const { calls, tool } = counting("a")
      const result = yield* running(tool.pipe(Toolset.limited({ perRun: 2 })), [many(1), many(2), many(1)])
      assert.strictEqual(calls.length, 2)
      const history = JSON.stringify(result.messages)
      assert.strictEqual(history.split("the limit of 2 per run is reached").length - 1, 2)
    })
  )

  it.effect("counts a step anew", () =>
    Effect.gen(function* () {
      const { calls, tool } = counting("a")
      yield* running(tool.pipe(Toolset.limited({ perStep: 1 })), [many(3), many(3)])
      assert.strictEqual(calls.length, 2)
    })
  )

  it.effect("says which limit is reached", () =>
    Effect.gen(function* () {
      const session = yield* Toolset.open(answering("a").pipe(Toolset.limited({ perRun: 2, perStep: 1 })))
      const call = session.call("a", {})
      const inStep = Effect.provideService(RunContext, runOf())
      const texts = yield* Effect.all([Effect.ignore(call), failed(call)]).pipe(inStep)
      assert.strictEqual(
        texts[1],
        "No more calls of 'a' in this step: the limit of 1 per step is reached. Go on without it."
      )
      yield* call
      assert.strictEqual(
        yield* failed(call),
        "No more calls of 'a': the limit of 2 per run is reached. Go on without it."
      )
    })
  )

  it.effect("of no call runs nothing (P96)", () =>
    Effect.gen(function* () {
      const { calls, tool } = counting("a")
      const none = tool.pipe(Toolset.limited({ perRun: 0 }))
      assert.include(yield* failed(Toolset.call(none, "a", {})), "limit of 0")
      assert.strictEqual(calls.length, 0)
    })
  )

  it.effect("stops offering the tools where it hides them", () =>
    Effect.gen(function* () {
      const seen: Array<ReadonlyArray<string>> = []
      const model = ScriptedModel.layer(({ tools }) => {
        seen.push(tools.map((tool) => tool.name))
        return seen.length === 1 ? many(2) : ScriptedModel.text("done")
      })
      const { calls, tool } = counting("a")
      const toolset = Toolset.combined(
        tool.pipe(Toolset.limited({ perRun: 1, onLimit: "hide" })),
        answering("b")
      )
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt: "go" }).pipe(
        Effect.provide(model)
      )
      assert.deepStrictEqual(seen, [["a", "b"], ["b"]])
      assert.strictEqual(calls.length, 1)
      assert.include(JSON.stringify(messages), "the limit of 1 per run is reached")
    })
  )

  it.effect("keeps the instructions of what it hides", () =>
    Effect.gen(function* () {
      const toolset = answering("a").pipe(
        Toolset.withInstructions("Be kind."),
        Toolset.limited({ perRun: 0, onLimit: "hide" })
      )
      assert.deepStrictEqual(yield* names(toolset), [])
      const session = yield* Toolset.open(toolset)
      const texts = yield* inRunOf({})(session.instructions)
      assert.deepStrictEqual(
        texts.map((one) => one.text),
        ["Be kind."]
      )
    })
  )

  it.effect("ends the run where it fails, with data", () =>
    Effect.gen(function* () {
      const toolset = answering("a").pipe(Toolset.limited({ perRun: 1, onLimit: "fail" }))
      const error = yield* Effect.flip(
        Agent.run(Agent.make({ toolsets: [toolset] }), { prompt: "go" }).pipe(
          Effect.provide(ScriptedModel.layer([many(2)]))
        )
      )
      assert.strictEqual(error._tag, "UsageLimitExceeded")
      assert.strictEqual(
        error.message,
        "The limit of 1 calls per run of tool(a) would be exceeded (2). " +
          "Raise it, or say with onLimit what happens when it is reached."
      )
    })
  )

  it.effect("counts retries, and not what is refused before", () =>
    Effect.gen(function* () {
      const { calls, tool } = counting("a", () => Effect.fail(new ModelRetry({ message: "again" })))
      const session = yield* Toolset.open(tool.pipe(Toolset.limited({ perRun: 2 })))
      assert.strictEqual(yield* tag(session.call("a", { n: "x" })), "ModelRetry")
      assert.strictEqual(yield* tag(session.call("a", {})), "ModelRetry")
      assert.strictEqual(yield* tag(session.call("a", {})), "ModelRetry")
      assert.strictEqual(yield* tag(session.call("a", {})), "ToolFailed")
      assert.strictEqual(calls.length, 2)
    })
  )

  it.effect("counts a call that asks first once, when it runs; a resumed run is a new run", () =>
    Effect.gen(function* () {
      const { calls, tool } = counting("a")
      const toolset = tool.pipe(Toolset.approvalRequired(), Toolset.limited({ perRun: 1 }))
      const agent = Agent.make({ toolsets: [toolset], output: [Schema.String, DeferredToolRequests] })
      const model = ScriptedModel.layer([many(2), many(1), ScriptedModel.text("done")])
      yield* Effect.gen(function* () {
        const first = yield* Agent.run(agent, { prompt: "go" })
        assert.instanceOf(first.output, DeferredToolRequests)
        assert.strictEqual(first.output.approvals.length, 2)
        const answers = DeferredToolResults.from(first.output, { approveAll: true })
        const second = yield* Agent.run(agent, { history: first.messages, deferredResults: answers })
        assert.strictEqual(calls.length, 1)
        assert.strictEqual(second.output, "done")
      }).pipe(Effect.provide(model))
    })
  )

  it.effect("refuses external calls over the limit before anybody is asked", () =>
    Effect.gen(function* () {
      const toolset = Toolset.external([{ name: "a" }]).pipe(Toolset.limited({ perStep: 1 }))
      const agent = Agent.make({ toolsets: [toolset], output: [Schema.String, DeferredToolRequests] })
      const { output } = yield* Agent.run(agent, { prompt: "go" }).pipe(
        Effect.provide(ScriptedModel.layer([many(3)]))
      )
      assert.instanceOf(output, DeferredToolRequests)
      assert.strictEqual(output.calls.length, 1)
    })
  )

  it.effect("is one budget for all its tools, and for a value that is used twice", () =>
    Effect.gen(function* () {
      const both = Toolset.combined(answering("a"), answering("b")).pipe(Toolset.limited({ perRun: 1 }))
      const session = yield* Toolset.open(Toolset.combined(both.pipe(Toolset.prefixed("x")), both))
      yield* session.call("x_a", {})
      assert.strictEqual(yield* tag(session.call("b", {})), "ToolFailed")
      const apart = Toolset.combined(answering("a").pipe(Toolset.limited({ perRun: 1 })), answering("b"))
      const other = yield* Toolset.open(apart)
      yield* other.call("a", {})
      yield* other.call("b", {})
    })
  )

  it.effect("counts each run for itself, also over one connection", () =>
    Effect.gen(function* () {
      const { calls, tool } = counting("a")
      const toolset = tool.pipe(Toolset.limited({ perRun: 1 }))
      const shared = yield* Toolset.shared(toolset)
      const session = yield* Toolset.open(shared)
      yield* Effect.forEach(["one", "two"], (runId) =>
        Effect.gen(function* () {
          yield* inRunOf({ runId })(session.call("a", {}))
          assert.strictEqual(yield* tag(inRunOf({ runId })(session.call("a", {}))), "ToolFailed")
        })
      )
      assert.strictEqual(calls.length, 2)
    })
  )

  it.effect("is not overdrawn by calls at the same time", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { calls, tool } = counting("a", () => Deferred.await(gate))
      const session = yield* Toolset.open(tool.pipe(Toolset.limited({ perRun: 3 })))
      const [exits] = yield* Effect.all(
        [
          Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(session.call("a", {})), {
            concurrency: "unbounded"
          }),
          Deferred.succeed(gate, undefined)
        ],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(calls.length, 3)
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 3)
    })
  )

  it.effect("is not reached by the model that calls each tool once", () =>
    Effect.gen(function* () {
      const tools = Toolset.combined(answering("a"), answering("b"))
      const output = (toolset: Toolset.Toolset) =>
        Effect.map(Agent.run(Agent.make({ toolsets: [toolset] }), { prompt: "go" }), ({ output }) => output)
      assert.strictEqual(yield* output(tools.pipe(Toolset.limited({ perRun: 2 }))), yield* output(tools))
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("that is none, or no number of calls, is a definition error", () =>
    Effect.gen(function* () {
      const of = (options: Toolset.LimitedOptions) =>
        flaw(Toolset.list(Toolset.limited(answering("a"), options)))
      assert.deepStrictEqual(yield* of({}), ["limited(tool(a))", "There is no limit."])
      for (const n of [-1, 0.5, NaN, Infinity]) {
        assert.deepStrictEqual(yield* of({ perRun: n }), ["limited(tool(a))", `The number of calls is ${n}.`])
        assert.deepStrictEqual(yield* of({ perStep: n }), [
          "limited(tool(a))",
          `The number of calls is ${n}.`
        ])
      }
    })
  )
})
