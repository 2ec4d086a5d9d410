/** Listings that may vary: recorded as definitions, and looked up when something is really called. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import {
  Agent,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  RunContext,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"
import { doing, Down, killed } from "./attempts.ts"
import { asked, run, withModelAnd } from "./models.ts"
import { onEveryKindOfStore } from "./stores.ts"

const { calls, text } = ScriptedModel
const durable = { runId: "run-1" }

/** A server whose tools may be others at each step. */
const server = () => {
  const { does, done } = doing()
  const state = { names: ["a", "b"], isDown: false, listed: 0 }
  const tool = (name: string) => Toolset.tool(name, { handler: () => does(name, name) })
  const toolset = Toolset.dynamic(
    Effect.suspend(() => {
      state.listed++
      return state.isDown
        ? Effect.fail(new Down())
        : Effect.succeed(Toolset.combined(...state.names.map(tool)))
    })
  ).pipe(Toolset.withId("server"))
  return { done, state, toolset }
}

onEveryKindOfStore("a listing that may vary, in a durable run", ({ it, layer }) => {
  const withModel = withModelAnd(layer)

  it.effect("a server that has changed, or is down, moves nothing that is replayed", () =>
    Effect.gen(function* () {
      const { done, state, toolset } = server()
      let killAt = 3
      const gate = Toolset.dynamic(
        Effect.flatMap(RunContext, ({ step }) => (step === killAt ? killed : Effect.void))
      )
      const agent = Agent.make({ toolsets: [toolset, Toolset.withId(gate, "gate")] })
      const attempt = run(agent, { prompt: "Go.", durable })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(attempt)))
      assert.deepStrictEqual([done, state.listed], [["a", "b"], 3])
      state.names = ["c", "b", "a"]
      state.isDown = true
      assert.deepStrictEqual(yield* Effect.flip(attempt), new Down())
      // Down when the third step lists, which was never recorded; the two before did not ask.
      assert.strictEqual(state.listed, 4)
      state.isDown = false
      killAt = 0
      const { messages } = yield* attempt
      assert.deepStrictEqual([done, state.listed], [["a", "b"], 5])
      assert.deepStrictEqual(resultsIn(messages), [
        ["a", "a"],
        ["b", "b"]
      ])
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(
        requests.map(({ tools }) => tools.map((tool) => tool.name).join("")),
        ["ab", "ab", "cba"]
      )
    }).pipe(withModel([calls({ a: {} }), calls({ b: {} }), text("Done.")]))
  )

  it.effect("a recorded tool that is not there any more has failed", () =>
    Effect.gen(function* () {
      const { done, state, toolset } = server()
      let isFirst = true
      const model = ScriptedModel.layer(({ prompt }) => {
        // Dies after the listing was recorded, and before the model has answered.
        if (isFirst) return killed
        return prompt.content.length === 1 ? calls({ b: {} }) : text("Done.")
      })
      const attempt = run(Agent.make({ toolsets: [toolset] }), { prompt: "Go.", durable }).pipe(
        Effect.provide(model)
      )
      yield* Effect.exit(attempt)
      isFirst = false
      state.names = ["a"]
      const { messages } = yield* attempt
      assert.deepStrictEqual(resultsIn(messages), [["b", "The tool 'b' is not there any more."]])
      assert.deepStrictEqual(done, [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("arguments are decoded, validated and called as ever, each once", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const tool = Toolset.tool("a", {
        parameters: Schema.Struct({ n: Schema.FiniteFromString }),
        validateArgs: ({ n }) =>
          Effect.flatMap(does(`validated ${n}`, n), (n) =>
            n > 5 ? Effect.fail(new ModelRetry({ message: "Less." })) : Effect.void
          ),
        handler: ({ n }) => does(`called ${n}`, n + 1)
      })
      let times = 1
      const end = Toolset.tool("end", {
        handler: () => Effect.suspend(() => (times-- > 0 ? killed : Effect.void))
      })
      const toolset = Toolset.dynamic(Effect.succeed(Toolset.combined(tool, end)))
      const agent = Agent.make({ toolsets: [Toolset.withId(toolset, "server")], retries: 2 })
      const attempt = run(agent, { prompt: "Go.", durable })
      yield* Effect.exit(attempt)
      const { messages } = yield* attempt
      assert.deepStrictEqual(done, ["validated 9", "validated 1", "called 1"])
      const results = resultsIn(messages)
      assert.include(String(results[0]![1]), "Invalid arguments")
      assert.deepStrictEqual(results.slice(1), [
        ["a", "Less.\n\nFix the errors and try again."],
        ["a", 2],
        ["end", null]
      ])
      assert.strictEqual(yield* asked, 5)
    }).pipe(
      withModel([
        calls({ a: { n: 1 } }),
        calls({ a: { n: "9" } }),
        calls({ a: { n: "1" } }),
        calls({ end: {} }),
        text("Done.")
      ])
    )
  )

  it.effect("who approves sees what will run, and an approval holds for the next attempt", () =>
    Effect.gen(function* () {
      const pay = Toolset.tool("pay", {
        parameters: Schema.Struct({
          n: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(7)))
        }),
        requiresApproval: true,
        handler: ({ n }) => Effect.succeed(n)
      })
      const toolset = Toolset.withId(Toolset.dynamic(Effect.succeed(pay)), "bank")
      const agent = Agent.make({ toolsets: [toolset], output: [Schema.String, DeferredToolRequests] })
      const options = { prompt: "Go.", durable }
      const first = yield* run(agent, options)
      assert.instanceOf(first.output, DeferredToolRequests)
      assert.deepStrictEqual(first.output.approvals[0]!.args, { n: 7 })
      const deferredResults = DeferredToolResults.from(first.output, { approveAll: true })
      const second = yield* run(agent, { ...options, deferredResults })
      assert.deepStrictEqual(resultsIn(second.messages), [["pay", 7]])
    }).pipe(withModel([calls({ pay: {} }), text("Done.")]))
  )

  it.effect("the model is offered the same tools, with what is said about them", () =>
    Effect.gen(function* () {
      const tool = Toolset.tool("a", {
        description: "Does a.",
        parameters: Schema.Struct({ n: Schema.Int }),
        handler: () => Effect.void
      })
      const fixed = Agent.make({ toolsets: [tool] })
      const varying = Agent.make({
        toolsets: [Toolset.withId(Toolset.dynamic(Effect.succeed(tool)), "server")]
      })
      yield* run(fixed, { prompt: "Go." })
      yield* run(varying, { prompt: "Go.", durable })
      const [plain, recorded] = yield* ScriptedModel.requests
      assert.deepStrictEqual(recorded!.tools, plain!.tools)
    }).pipe(withModel([text("Done.")]))
  )

  it.effect("tools that have to be found are found, and stay found", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const named = (name: string) =>
        Toolset.tool(name, { description: name, handler: () => does(name, name) })
      const server = (name: string) => Toolset.searchable(Toolset.dynamic(Effect.succeed(named(name))))
      const end = Toolset.tool("end", { handler: () => Effect.suspend(() => dies) })
      let dies: Effect.Effect<void> = killed
      // Two searches in one list.
      const one = Toolset.renamed(server("trains"), { search: "search_tools" })
      const tools = Toolset.combined(end, one, server("weather"))
      const agent = Agent.make({ toolsets: [Toolset.withId(tools, "server")] })
      const attempt = run(agent, { prompt: "Go.", durable })
      yield* Effect.exit(attempt)
      dies = Effect.void
      const { messages } = yield* attempt
      assert.deepStrictEqual(done, ["weather", "trains"])
      assert.deepStrictEqual(
        resultsIn(messages).map(([name]) => name),
        ["search_tools", "weather", "end", "search", "trains"]
      )
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(
        requests.map(({ tools }) => tools.map((tool) => tool.name).join()),
        [
          "end,search,search_tools",
          ...Array.from({ length: 3 }, () => "end,search,search_tools,weather"),
          ...Array.from({ length: 2 }, () => "end,search,search_tools,weather,trains")
        ]
      )
    }).pipe(
      withModel([
        calls({ search_tools: { queries: ["weather trains"] } }),
        calls({ weather: {} }),
        calls({ end: {} }),
        calls({ search: { queries: ["trains"] } }),
        calls({ trains: {} }),
        text("Done.")
      ])
    )
  )

  it.effect("instructions that are asked for are asked for once", () =>
    Effect.gen(function* () {
      const { done } = doing()
      const asks = (name: string) => Effect.sync(() => `${name} ${done.push(name)}`)
      let times = 1
      const end = Toolset.tool("end", {
        handler: () => Effect.suspend(() => (times-- > 0 ? killed : Effect.void))
      })
      const agent = Agent.make({
        instructions: asks("agent"),
        toolsets: [end.pipe(Toolset.withInstructions(asks("toolset")), Toolset.withId("x"))]
      })
      const attempt = run(agent, { prompt: "Go.", durable })
      yield* Effect.exit(attempt)
      yield* attempt
      // For two steps.
      assert.deepStrictEqual(done.toSorted(), ["agent", "agent", "toolset", "toolset"])
      assert.strictEqual(yield* asked, 2)
    }).pipe(withModel([calls({ end: {} }), text("Done.")]))
  )
})
