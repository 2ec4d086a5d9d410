/** Answers that will not do: what the model is told, what it costs, and how it ends. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Ref, Schema } from "effect"
import type { Prompt } from "effect/ai"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  ModelRetry,
  OutputRetriesExceeded,
  RunContext,
  ToolFailed,
  Toolset
} from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { answersIn, resultsIn, retry } from "./answers.ts"

const { output, parts, text } = ScriptedModel
const prompt = "Go."

const Report = Schema.Struct({ place: Schema.String, degrees: Schema.Int })
const good = { place: "Oslo", degrees: 3 }
const clock = Toolset.tool("clock", { handler: () => Effect.succeed("noon") })

/** What the loop told the model, besides answers to calls. */
const told = (messages: Prompt.Prompt) =>
  messages.content
    .slice(1)
    .flatMap((message) =>
      message.role === "user"
        ? message.content.flatMap((part) => (part.type === "text" ? [part.text] : []))
        : []
    )

const nothing = parts([])
const blank = text(" \n")
const thinking = parts([{ type: "reasoning", text: "Hm." }])

describe("a model that says nothing usable", () => {
  const both = [Schema.String, Report]
  const advice: ReadonlyArray<readonly [title: string, agent: Agent.Agent<unknown>, told: string]> = [
    ["text, with tools (P198)", Agent.make({ toolsets: [clock] }), "Please return text or call a tool."],
    ["text, without tools", Agent.make({}), "Please return text."],
    [
      "text or a schema",
      Agent.make({ toolsets: [clock], output: both }),
      "Please return text or include your response in a tool call."
    ],
    [
      "a schema",
      Agent.make({ toolsets: [clock], output: Report }),
      "Please include your response in a tool call."
    ]
  ]
  const turns: ReadonlyArray<readonly [title: string, turn: ScriptedModel.Turn]> = [
    ["nothing", nothing],
    ["blanks", blank],
    ["thoughts", thinking]
  ]
  for (const [possible, agent, expected] of advice) {
    for (const [title, turn] of turns) {
      it.effect(`is told what it can do: ${title}, where it may answer with ${possible}`, () =>
        Effect.gen(function* () {
          const { messages, usage } = yield* Agent.run(agent, { prompt })
          assert.deepStrictEqual(told(messages), [expected])
          assert.strictEqual(usage.requests, 2)
        }).pipe(Effect.provide(ScriptedModel.layer([turn, output(good)])))
      )

      it.effect(`ends the run when it is told once too often: ${title}, ${possible}`, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(Agent.run(agent, { prompt }))
          assert.deepStrictEqual(error, new OutputRetriesExceeded({ maxRetries: 1, last: expected }))
          assert.strictEqual((yield* ScriptedModel.requests).length, 2)
        }).pipe(Effect.provide(ScriptedModel.layer(() => turn)))
      )
    }
  }
})

describe("a model that answers in text where an output tool is required", () => {
  it.effect("is told so, and its text is in the history", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(Agent.make({ output: Report }), { prompt })
      assert.deepStrictEqual(result.output, good)
      assert.deepStrictEqual(
        result.messages.content.map((message) => message.role),
        ["user", "assistant", "user", "assistant", "tool"]
      )
      assert.deepStrictEqual(told(result.messages), ["Please include your response in a tool call."])
    }).pipe(Effect.provide(ScriptedModel.layer([text("It is 3 degrees."), output(good)])))
  )
})

describe("an output that its schema refuses", () => {
  it.effect("goes back to the model with what is wrong (P201)", () =>
    Effect.gen(function* () {
      const result = yield* Agent.run(Agent.make({ output: Report }), { prompt })
      assert.deepStrictEqual(result.output, good)
      const [refused] = answersIn(result.messages)
      assert.isTrue(refused?.isFailure)
      assert.match(
        String(refused?.result),
        /^Invalid arguments: .*at \["degrees"\]\n\nFix the errors and try again\.$/s
      )
    }).pipe(Effect.provide(ScriptedModel.layer([output({ place: "Oslo", degrees: "warm" }), output(good)])))
  )

  it.effect("ends the run when the budget is spent (P174)", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ output: Report, retries: { output: 2 } })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.instanceOf(error, OutputRetriesExceeded)
      assert.strictEqual(error.maxRetries, 2)
      assert.match(error.last, /^Invalid arguments: /)
      assert.include(error.message, "Exceeded maximum output retries (2)")
      assert.strictEqual((yield* TestModel.requests).length, 3)
    }).pipe(Effect.provide(TestModel.layer({ outputArgs: { place: "Oslo", degrees: "warm" } })))
  )

  it.effect("is refused for what it has too much, too", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ output: Report, retries: 0 })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.instanceOf(error, OutputRetriesExceeded)
      assert.include(error.last, '["wind"]')
    }).pipe(Effect.provide(ScriptedModel.layer([output({ ...good, wind: 3 })])))
  )
})

describe("validateOutput", () => {
  it.effect("sees the decoded output, and may ask for another one", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const agent = Agent.make({
        output: [Schema.Struct({ on: Schema.DateFromString }), Schema.String],
        validateOutput: (output) => {
          seen.push(output)
          return seen.length === 1 ? new ModelRetry({ message: "Too early." }) : Effect.void
        }
      })
      const result = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(result.output, { on: new Date(1) })
      assert.deepStrictEqual(seen, [{ on: new Date(0) }, { on: new Date(1) }])
      assert.deepStrictEqual(resultsIn(result.messages), [
        ["final_result", retry("Too early.")],
        ["final_result", "Final result processed."]
      ])
    }).pipe(
      Effect.provide(ScriptedModel.layer([0, 1].map((ms) => output({ on: new Date(ms).toISOString() }))))
    )
  )

  it.effect("sees text, and what it says is told to the model", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        validateOutput: (text) =>
          text.endsWith(".")
            ? Effect.void
            : Effect.fail(new ModelRetry({ message: "A full sentence, please" }))
      })
      const result = yield* Agent.run(agent, { prompt })
      assert.strictEqual(result.output, "It is noon.")
      assert.deepStrictEqual(told(result.messages), [retry("A full sentence, please")])
    }).pipe(Effect.provide(ScriptedModel.layer([text("noon"), text("It is noon.")])))
  )

  it.effect("is tried once more than there are retries (P173)", () =>
    Effect.gen(function* () {
      let tried = 0
      const agent = Agent.make({
        output: Report,
        retries: { output: 2 },
        validateOutput: () => Effect.fail(new ModelRetry({ message: `No ${++tried}.` }))
      })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepStrictEqual(error, new OutputRetriesExceeded({ maxRetries: 2, last: "No 3." }))
      assert.strictEqual(tried, 3)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  for (const outputs of [Schema.String, Schema.Struct({ said: Schema.String })]) {
    const kind = outputs === Schema.String ? "text" : "a schema"
    const agentOf = <E, R>(validateOutput: () => Effect.Effect<void, E, R>) =>
      Agent.make({ output: outputs as Schema.Codec<unknown>, validateOutput, retries: 0 })
    const said = ScriptedModel.layer([outputs === Schema.String ? text("Hm.") : output({ said: "Hm." })])

    it.effect(`ends the run with its own failures: ${kind}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(
          yield* Effect.flip(
            Agent.run(
              agentOf(() => Effect.fail("offline")),
              { prompt }
            )
          ),
          "offline"
        )
      }).pipe(Effect.provide(said))
    )

    for (const signal of [
      new ModelRetry({ message: "No." }),
      new ToolFailed({ message: "No." }),
      new ApprovalRequired({}),
      new CallDeferred({})
    ]) {
      it.effect(`costs a retry, whichever signal it gives: ${kind}, ${signal._tag}`, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(
            Agent.run(
              agentOf(() => Effect.fail(signal)),
              { prompt }
            )
          )
          assert.deepStrictEqual(error, new OutputRetriesExceeded({ maxRetries: 0, last: signal.message }))
        }).pipe(Effect.provide(said))
      )
    }

    it.effect(`may use the run, a service and a scope: ${kind}`, () =>
      Effect.gen(function* () {
        class Log extends Context.Service<Log, Ref.Ref<ReadonlyArray<unknown>>>()("test/Log") {}
        const log = yield* Ref.make<ReadonlyArray<unknown>>([])
        const say = (line: unknown) => Ref.update(log, (lines) => [...lines, line])
        const agent = agentOf(() =>
          Effect.gen(function* () {
            const run = yield* RunContext
            yield* Effect.acquireRelease(say("open"), () => say("close"))
            yield* Ref.update(yield* Log, (lines) => [...lines, run.step, run.messages.content.length])
          })
        )
        yield* Effect.provide(Agent.run(agent, { prompt }), Layer.succeed(Log, log))
        assert.deepStrictEqual(yield* Ref.get(log), ["open", 1, 2, "close"])
      }).pipe(Effect.provide(said))
    )
  }
})
