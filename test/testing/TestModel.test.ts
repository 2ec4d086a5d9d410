import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref, Schema } from "effect"
import { AiError, Prompt } from "effect/ai"
import { Agent, ModelRetry, ToolCall, ToolFailed, ToolReturn, Toolset } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { callsIn, resultsIn } from "../agent/answers.ts"

const prompt = "Go."

const ret = (suffix: string) =>
  Toolset.tool(`ret_${suffix}`, {
    parameters: Schema.Struct({ x: Schema.String }),
    handler: ({ x }) => Effect.succeed(`${x}-${suffix}`)
  })
const both = Agent.make({ toolsets: [ret("a"), ret("b")] })

/** The calls of each request: the names of the tools. */
const called = (messages: Prompt.Prompt) =>
  messages.content.flatMap((message) =>
    message.role === "assistant"
      ? [message.content.flatMap((part) => (part.type === "tool-call" ? [part.name] : []))]
      : []
  )

/** What an `AiError` of a test model says. */
const description = (error: unknown) => {
  assert.instanceOf(error, AiError.AiError)
  assert(error.reason._tag === "InvalidRequestError")
  return error.reason.description
}

describe("a TestModel", () => {
  it.effect("calls every tool once, in one response, and answers with what they returned", () =>
    Effect.gen(function* () {
      const { messages, output } = yield* Agent.run(both, { prompt })
      assert.strictEqual(output, '{"ret_a":"a-a","ret_b":"a-b"}')
      assert.deepStrictEqual(called(messages), [["ret_a", "ret_b"], []])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("calls those that it is told to (P165)", () =>
    Effect.gen(function* () {
      const { messages, output } = yield* Agent.run(both, { prompt })
      assert.strictEqual(output, '{"ret_a":"a-a"}')
      assert.deepStrictEqual(called(messages), [["ret_a"], []])
    }).pipe(Effect.provide(TestModel.layer({ callTools: ["ret_a"] })))
  )

  it.effect("calls them in the order that it is told", () =>
    Effect.gen(function* () {
      const { messages, output } = yield* Agent.run(both, { prompt })
      assert.deepStrictEqual(called(messages), [["ret_b", "ret_a"], []])
      assert.strictEqual(output, '{"ret_b":"a-b","ret_a":"a-a"}')
    }).pipe(Effect.provide(TestModel.layer({ callTools: ["ret_b", "ret_a"] })))
  )

  it.effect("calls none, where it is told so (P168)", () =>
    Effect.gen(function* () {
      const { output, usage } = yield* Agent.run(both, { prompt })
      assert.strictEqual(output, "success (no tool calls)")
      assert.strictEqual(usage.requests, 1)
    }).pipe(Effect.provide(TestModel.layer({ callTools: [] })))
  )

  for (const name of ["missing", "hidden"]) {
    it.effect(`fails where it is told to call what nobody offers: ${name} (P166, P167)`, () =>
      Effect.gen(function* () {
        const hidden = Toolset.tool("hidden", { handler: () => Effect.void })
        const agent = Agent.make({ toolsets: [ret("a"), Toolset.filtered(hidden, () => false)] })
        const error = yield* Effect.flip(Agent.run(agent, { prompt }))
        assert.strictEqual(description(error), `TestModel was configured to call unknown tool '${name}'.`)
      }).pipe(Effect.provide(TestModel.layer({ callTools: ["ret_a", name] })))
    )
  }

  it.effect("says the text that it is told to, after it has called the tools (P169)", () =>
    Effect.gen(function* () {
      const { messages, output } = yield* Agent.run(both, { prompt })
      assert.strictEqual(output, "That is all.")
      assert.deepStrictEqual(called(messages), [["ret_a", "ret_b"], []])
    }).pipe(Effect.provide(TestModel.layer({ outputText: "That is all." })))
  )

  it.effect("moves its arguments with the seed", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.run(both, { prompt })
      assert.strictEqual(output, '{"ret_a":"d-a","ret_b":"d-b"}')
    }).pipe(Effect.provide(TestModel.layer({ seed: 3 })))
  )

  it.effect("fails where it can make up no arguments", () =>
    Effect.gen(function* () {
      const narrow = {
        type: "object",
        properties: { x: { type: "array", items: { enum: [1, 2] }, minItems: 3, uniqueItems: true } },
        required: ["x"]
      }
      const toolset = Toolset.external([{ name: "t", parameters: narrow }])
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [toolset] }), { prompt }))
      assert.strictEqual(
        description(error),
        "TestModel can make up no arguments for the tool 't': say in `args` or `outputArgs` what to call it with."
      )
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("does the same each time", () =>
    Effect.gen(function* () {
      const run = () => Effect.provide(Agent.run(both, { prompt }), TestModel.layer())
      const [first, second] = [yield* run(), yield* run()]
      assert.deepStrictEqual(JSON.stringify(first.messages), JSON.stringify(second.messages))
    })
  )
})

describe("a TestModel calls again", () => {
  it.effect("what asks to be called again, and only that", () =>
    Effect.gen(function* () {
      const flaky = Toolset.tool("flaky", {
        handler: Effect.fnUntraced(function* () {
          const { attempt } = yield* ToolCall
          return attempt === 2 ? "at last" : yield* new ModelRetry({ message: "Again." })
        })
      })
      const agent = Agent.make({ toolsets: [flaky, ret("a")], retries: 2 })
      const { messages, output } = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(called(messages), [["flaky", "ret_a"], ["flaky"], ["flaky"], []])
      assert.strictEqual(output, '{"ret_a":"a-a","flaky":"at last"}')
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("nothing that failed: that is its answer", () =>
    Effect.gen(function* () {
      const failing = Toolset.tool("t", {
        handler: () => Effect.fail(new ToolFailed({ message: "No.", details: { status: 404 } }))
      })
      const { messages, output } = yield* Agent.run(Agent.make({ toolsets: [failing] }), { prompt })
      assert.deepStrictEqual(called(messages), [["t"], []])
      assert.strictEqual(output, '{"t":{"message":"No.","details":{"status":404}}}')
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("nothing that is gone by then", () =>
    Effect.gen(function* () {
      const once = Toolset.tool("once", { handler: () => Effect.fail(new ModelRetry({ message: "Again." })) })
      const toolset = Toolset.filtered(once, (_, run) => run.step === 1)
      const { output } = yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt })
      assert.strictEqual(output, "success (no tool calls)")
    }).pipe(Effect.provide(TestModel.layer()))
  )
})

describe("a TestModel calls what becomes visible later", () => {
  it.effect("when it does", () =>
    Effect.gen(function* () {
      const later = (name: string, step: number) =>
        Toolset.tool(name, { handler: () => Effect.succeed(step) }).pipe(
          Toolset.filtered((_, run) => run.step >= step)
        )
      const agent = Agent.make({ toolsets: [later("third", 3), later("first", 1), later("second", 2)] })
      const { messages, output } = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(called(messages), [["first"], ["second"], ["third"], []])
      assert.strictEqual(output, '{"first":1,"second":2,"third":3}')
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("because another tool has added it (P149)", () =>
    Effect.gen(function* () {
      const added = yield* Ref.make<ReadonlyArray<Toolset.Toolset>>([])
      const add = Toolset.tool("add", {
        handler: () => Effect.as(Ref.set(added, [ret("a")]), "added")
      })
      const more = Toolset.dynamic(Effect.map(Ref.get(added), (all) => Toolset.combined(...all)))
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [add, more] }), { prompt })
      assert.deepStrictEqual(called(messages), [["add"], ["ret_a"], []])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("also where it is told to call it", () =>
    Effect.gen(function* () {
      const later = Toolset.filtered(ret("b"), (_, run) => run.step > 1)
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [ret("a"), later] }), { prompt })
      assert.deepStrictEqual(called(messages), [["ret_a"], ["ret_b"], []])
    }).pipe(Effect.provide(TestModel.layer({ callTools: ["ret_b", "ret_a"] })))
  )
})

describe("a TestModel answers this exchange alone", () => {
  it.effect("calls the tools anew after another prompt, and leaves earlier results out", () =>
    Effect.gen(function* () {
      const first = yield* Agent.run(Agent.make({ toolsets: [ret("a")] }), { prompt })
      const agent = Agent.make({ toolsets: [ret("b")] })
      const second = yield* Agent.run(agent, { prompt, history: first.messages })
      assert.strictEqual(second.output, '{"ret_b":"a-b"}')
      assert.deepStrictEqual(called(second.messages), [["ret_a"], [], ["ret_b"], []])
      const third = yield* Agent.run(agent, { prompt, history: second.messages })
      assert.strictEqual(third.output, '{"ret_b":"a-b"}')
      const ids = callsIn(third.messages).map((call) => call.id)
      assert.strictEqual(new Set(ids).size, 3)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("goes on where a tool has shown something to it", () =>
    Effect.gen(function* () {
      const showing = Toolset.tool("show", {
        handler: () =>
          Effect.succeed(new ToolReturn({ value: "shown", content: [Prompt.textPart({ text: "Look!" })] }))
      })
      const { messages, output } = yield* Agent.run(Agent.make({ toolsets: [showing] }), { prompt })
      assert.deepStrictEqual(called(messages), [["show"], []])
      assert.strictEqual(output, '{"show":"shown"}')
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("goes on where a prompt comes with the results that it waited for", () =>
    Effect.gen(function* () {
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [ret("a")] }), { prompt })
      const waiting = Prompt.fromMessages(messages.content.slice(0, 3))
      const resumed = yield* Agent.run(both, { prompt: "Here you are.", history: waiting })
      assert.deepStrictEqual(called(resumed.messages), [["ret_a"], ["ret_b"], []])
      assert.strictEqual(resumed.output, '{"ret_a":"a-a","ret_b":"a-b"}')
      assert.deepStrictEqual(resultsIn(resumed.newMessages), [["ret_b", "a-b"]])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("goes on from a history without another prompt (P176)", () =>
    Effect.gen(function* () {
      const { messages } = yield* Agent.run(both, { prompt })
      const history = Prompt.fromMessages(messages.content.slice(0, 3))
      const { newMessages, output } = yield* Agent.run(both, { history })
      assert.strictEqual(output, '{"ret_a":"a-a","ret_b":"a-b"}')
      assert.deepStrictEqual(called(newMessages), [[]])
    }).pipe(Effect.provide(TestModel.layer()))
  )
})

describe("a pattern", () => {
  const answer = (pattern: RegExp) => {
    const code = Toolset.tool("code", {
      parameters: Schema.Struct({ code: Schema.String.check(Schema.isPattern(pattern)) }),
      handler: ({ code }) => Effect.succeed(code)
    })
    return Effect.gen(function* () {
      const [tool] = yield* Toolset.list(code)
      const shown = JSON.stringify(tool?.parameters).includes("pattern")
      const ran = yield* Effect.exit(Agent.run(Agent.make({ toolsets: [code] }), { prompt: "Go." }))
      return [shown, ran._tag]
    }).pipe(Effect.provide(TestModel.layer()))
  }

  it.effect("is kept where the model is shown it, which is with the flag u alone", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* answer(/^\d{3}$/u), [true, "Success"])
      assert.deepStrictEqual(yield* answer(/^\d{3}$/), [false, "Failure"])
      assert.deepStrictEqual(yield* answer(/^\d{3}$/iu), [false, "Failure"])
    })
  )
})

describe("given arguments", () => {
  it.effect("are those of the tools that they name; the others are made up", () =>
    Effect.gen(function* () {
      const code = Toolset.tool("code", {
        parameters: Schema.Struct({ code: Schema.String.check(Schema.isPattern(/^[a-z]{3}$/)) }),
        handler: ({ code }) => Effect.succeed(code)
      })
      const other = Toolset.tool("other", {
        parameters: Schema.Struct({ n: Schema.Int }),
        handler: ({ n }) => Effect.succeed(n)
      })
      const { output } = yield* Agent.run(Agent.make({ toolsets: [code, other] }), { prompt: "Go." })
      assert.strictEqual(output, '{"code":"rvk","other":0}')
    }).pipe(Effect.provide(TestModel.layer({ args: { code: { code: "rvk" } } })))
  )
})
