/** What costs a retry and what does not, from one step of a run to the next. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, ModelRetry, ToolCall, ToolFailed, ToolRetriesExceeded, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, resultsIn, retry } from "./answers.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

type Answer = "ok" | "retry" | "failed"
/** A tool that does what its argument says, and writes down at which attempt. */
const obedient = (name: string, log: Array<string> = []) =>
  Toolset.tool(name, {
    parameters: Schema.Struct({ answer: Schema.Literals(["ok", "retry", "failed"]) }),
    handler: Effect.fnUntraced(function* ({ answer }) {
      log.push(`${name} ${(yield* ToolCall).attempt}`)
      if (answer === "retry") return yield* new ModelRetry({ message: "Once more." })
      if (answer === "failed") return yield* new ToolFailed({ message: "Disk full" })
      return "done"
    })
  })

/** Runs a script of steps, each a list of calls, and gives the attempts that the bodies saw. */
const attempts = (
  steps: ReadonlyArray<ReadonlyArray<readonly [name: string, answer: Answer]>>,
  options: { readonly retries: number }
) => {
  const log: Array<string> = []
  const agent = Agent.make({ toolsets: [obedient("a", log), obedient("b", log)], ...options })
  const turns = steps.map((step) => calls(step.map(([name, answer]) => ({ name, args: { answer } }))))
  return Agent.run(agent, { prompt }).pipe(
    Effect.as(log),
    Effect.provide(ScriptedModel.layer([...turns, text("Done.")], { consumeAll: true }))
  )
}

describe("from step to step", () => {
  it.effect("three calls that fail in one step are one attempt (P58)", () =>
    Effect.gen(function* () {
      const bad = ["a", "retry"] as const
      const log = yield* attempts([[bad, bad, bad], [bad, bad, bad], [["a", "ok"]]], { retries: 2 })
      assert.deepStrictEqual(log, ["a 0", "a 0", "a 0", "a 1", "a 1", "a 1", "a 2"])
    })
  )

  it.effect("a call that fails beside one that succeeds is an attempt (P59)", () =>
    Effect.gen(function* () {
      const step = [
        ["a", "ok"],
        ["a", "retry"],
        ["a", "ok"]
      ] as const
      const log = yield* attempts([step, [["a", "ok"]], [["a", "ok"]]], { retries: 1 })
      assert.deepStrictEqual(log, ["a 0", "a 0", "a 0", "a 1", "a 0"])
    })
  )

  it.effect("two tools count for themselves (P62)", () =>
    Effect.gen(function* () {
      const log = yield* attempts(
        [
          [
            ["a", "retry"],
            ["b", "retry"]
          ],
          [
            ["a", "ok"],
            ["b", "ok"]
          ]
        ],
        { retries: 1 }
      )
      assert.deepStrictEqual(log, ["a 0", "b 0", "a 1", "b 1"])
    })
  )

  it.effect("a success starts anew, so that failing every other time goes on", () =>
    Effect.gen(function* () {
      const log = yield* attempts(
        [[["a", "retry"]], [["a", "ok"]], [["a", "retry"]], [["a", "ok"]], [["a", "retry"]], [["a", "ok"]]],
        { retries: 1 }
      )
      assert.deepStrictEqual(log, ["a 0", "a 1", "a 0", "a 1", "a 0", "a 1"])
    })
  )

  it.effect("a tool that is not called keeps what it has spent", () =>
    Effect.gen(function* () {
      const steps = [[["a", "retry"]], [["b", "ok"]], [["a", "retry"]]] as const
      const error = yield* Effect.flip(attempts(steps, { retries: 1 }))
      assert.deepStrictEqual(
        error,
        new ToolRetriesExceeded({ toolName: "a", maxRetries: 1, last: "Once more." })
      )
    })
  )

  it.effect("a failed call resets nothing (P71)", () =>
    Effect.gen(function* () {
      const steps = [[["a", "retry"]], [["a", "failed"]], [["a", "retry"]]] as const
      const error = yield* Effect.flip(attempts(steps, { retries: 1 }))
      assert.instanceOf(error, ToolRetriesExceeded)
    })
  )

  it.effect("a failed call costs nothing (P70, P71)", () =>
    Effect.gen(function* () {
      const failed = [["a", "failed"]] as const
      const log = yield* attempts([failed, failed, failed, failed, failed], { retries: 0 })
      assert.deepStrictEqual(log, ["a 0", "a 0", "a 0", "a 0", "a 0"])
    })
  )

  it.effect("each run starts without retries", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const agent = Agent.make({ toolsets: [obedient("a", log)] })
      const first = yield* Agent.run(agent, { prompt })
      yield* Agent.run(agent, { prompt, history: first.messages })
      assert.deepStrictEqual(log, ["a 0", "a 0", "a 1"])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls({ a: { answer: "retry" } }),
          text("I give up."),
          calls({ a: { answer: "retry" } }),
          calls({ a: { answer: "ok" } }),
          text("Done.")
        ])
      )
    )
  )
})

describe("a failed call", () => {
  it.effect("is a failed result with its message, and the run goes on (P70, P72)", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [obedient("a"), obedient("b")] })
      const { messages, output, usage } = yield* Agent.run(agent, { prompt })
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(
        answersIn(messages).map(({ isFailure, name, result }) => [name, result, isFailure]),
        [
          ["a", "done", false],
          ["b", "Disk full", true]
        ]
      )
      assert.strictEqual(usage.toolCalls, 1)
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([calls({ a: { answer: "ok" }, b: { answer: "failed" } }), text("Done.")])
      )
    )
  )
})

describe("a call inside of a call", () => {
  it.effect("costs and resets nothing (P78)", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const inner = obedient("a", log)
      const outer = Toolset.tool("outer", {
        handler: () =>
          Toolset.call(inner, "a", { answer: "retry" }).pipe(
            Effect.catchTag("ModelRetry", ({ message }) => Effect.succeed(message)),
            Effect.andThen(Toolset.call(inner, "a", { answer: "ok" }))
          )
      })
      yield* Agent.run(Agent.make({ toolsets: [inner, outer] }), { prompt })
      assert.deepStrictEqual(log, ["a 0", "a 0", "a 0", "a 1"])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls({ a: { answer: "retry" } }),
          calls({ outer: {} }),
          calls({ a: { answer: "ok" } }),
          text("Done.")
        ])
      )
    )
  )
})

describe("names that nobody offers", () => {
  const a = obedient("a")
  const ok = { name: "a", args: { answer: "ok" } }

  it.effect("end the run when they come again, though under another name (P67)", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [] }), { prompt }))
      const last = "Unknown tool name: 'barfoo'. No tools available."
      assert.deepStrictEqual(error, new ToolRetriesExceeded({ toolName: "barfoo", maxRetries: 1, last }))
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(resultsIn(requests[1]!.prompt), [
        ["foobar", retry("Unknown tool name: 'foobar'. No tools available.")]
      ])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ foobar: {} }), calls({ barfoo: {} })])))
  )

  it.effect("cannot alternate for ever, not even among calls that succeed", () => {
    let requests = 0
    const model = ScriptedModel.layer(() => {
      requests++
      return calls([{ name: requests % 2 === 0 ? "x" : "y", args: {} }, ok])
    })
    return Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [a], retries: 5 })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.instanceOf(error, ToolRetriesExceeded)
      assert.deepInclude(error, { toolName: "x", maxRetries: 5 })
      assert.strictEqual(requests, 6)
    }).pipe(Effect.provide(model))
  })

  it.effect("cost one retry a step, however many there are", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.run(Agent.make({ toolsets: [a] }), { prompt })
      assert.strictEqual(output, "Done.")
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ x: {}, y: {}, z: {} }), text("Done.")])))
  )

  it.effect("cost the tools that there are nothing", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const agent = Agent.make({ toolsets: [obedient("a", log)] })
      const { output } = yield* Agent.run(agent, { prompt })
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(log, ["a 0", "a 1"])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls({ x: {}, a: { answer: "retry" } }),
          calls({ a: { answer: "ok" } }),
          text("Done.")
        ])
      )
    )
  )

  it.effect("have the budget of the run, whatever that of the tools is", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [Toolset.withMaxRetries(a, 9)], retries: 9 })
      const error = yield* Effect.flip(Agent.run(agent, { prompt, retries: 0 }))
      assert.deepInclude(error, { _tag: "ToolRetriesExceeded", toolName: "x", maxRetries: 0 })
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ x: {} })])))
  )
})
