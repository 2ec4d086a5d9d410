import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Prompt, type Response } from "effect/ai"
import { Agent, ModelRetry, ToolFailed, ToolReturn, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, callsIn, resultsIn } from "./answers.ts"

const { calls, parts, text } = ScriptedModel

const now = Toolset.tool("now", { handler: () => Effect.succeed("noon") })
const agent = Agent.make({ toolsets: [now], instructions: "Be brief." })

const roles = (prompt: Prompt.Prompt) => prompt.content.map((message) => message.role)
const written = Schema.encodeEffect(Prompt.Prompt)

describe("the messages of a run", () => {
  it.effect("are the prompt, and what the model and its tools said, as it was (P54)", () =>
    Effect.gen(function* () {
      const { messages, newMessages } = yield* Agent.run(agent, { prompt: "What time is it?" })
      assert.deepStrictEqual(yield* written(messages), {
        content: [
          { role: "user", content: "What time is it?", options: {} },
          {
            role: "assistant",
            options: {},
            content: [
              { type: "tool-call", id: "1", name: "now", params: {}, providerExecuted: false, options: {} }
            ]
          },
          {
            role: "tool",
            options: {},
            content: [
              {
                type: "tool-result",
                id: "1",
                name: "now",
                result: "noon",
                isFailure: false,
                providerExecuted: false,
                options: {}
              }
            ]
          },
          { role: "assistant", content: "It is noon.", options: {} }
        ]
      })
      assert.deepStrictEqual(newMessages.content, messages.content)
    }).pipe(
      Effect.provide(ScriptedModel.layer([calls([{ name: "now", args: {}, id: "1" }]), text("It is noon.")]))
    )
  )

  it.effect("go on from a history, and the new ones are told apart", () =>
    Effect.gen(function* () {
      const first = yield* Agent.run(agent, { prompt: "What time is it?" })
      const second = yield* Agent.run(agent, { prompt: "And now?", history: first.messages })
      assert.deepStrictEqual(roles(second.newMessages), ["user", "assistant", "tool", "assistant"])
      assert.deepStrictEqual(second.messages.content, [
        ...first.messages.content,
        ...second.newMessages.content
      ])
      const requests = yield* ScriptedModel.requests
      assert.deepStrictEqual(roles(requests[2]!.prompt), [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user"
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls({ now: {} }),
          text("It is noon."),
          calls({ now: {} }),
          text("It is still noon.")
        ])
      )
    )
  )

  it.effect("may go on without a prompt", () =>
    Effect.gen(function* () {
      const history = Prompt.make("What time is it?")
      const { messages, newMessages } = yield* Agent.run(agent, { history })
      assert.deepStrictEqual(roles(messages), ["user", "assistant"])
      assert.deepStrictEqual(roles(newMessages), ["assistant"])
      assert.strictEqual(messages.content[0], history.content[0])
    }).pipe(Effect.provide(ScriptedModel.layer([text("It is noon.")])))
  )

  it.effect("may start with several messages", () =>
    Effect.gen(function* () {
      const { newMessages } = yield* Agent.run(agent, {
        prompt: [
          { role: "user", content: "What time" },
          { role: "user", content: [{ type: "text", text: "is it?" }] }
        ]
      })
      assert.deepStrictEqual(roles(newMessages), ["user", "user", "assistant"])
    }).pipe(Effect.provide(ScriptedModel.layer([text("It is noon.")])))
  )

  it.effect("do not change what the run was given", () =>
    Effect.gen(function* () {
      const history = Prompt.make("What time is it?")
      yield* Agent.run(agent, { history, prompt: "Quick!" })
      assert.deepStrictEqual(roles(history), ["user"])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ now: {} }), text("It is noon.")])))
  )

  it.effect("keep what the provider needs to know again: reasoning, metadata, ids", () =>
    Effect.gen(function* () {
      const { messages } = yield* Agent.run(agent, { prompt: "What time is it?" })
      const response = messages.content[1]!
      assert(response.role === "assistant")
      assert.deepStrictEqual(
        response.content.map((part) => [part.type, part.options]),
        [
          ["reasoning", { anthropic: { signature: "abc" } }],
          ["tool-call", { openai: { itemId: "item 1" } }]
        ]
      )
      assert.deepStrictEqual(
        callsIn(messages).map((call) => call.id),
        ["toolu_17"]
      )
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          parts([
            { type: "reasoning", text: "Hm.", metadata: { anthropic: { signature: "abc" } } },
            {
              type: "tool-call",
              id: "toolu_17",
              name: "now",
              params: {},
              metadata: { openai: { itemId: "item 1" } }
            }
          ]),
          text("It is noon.")
        ])
      )
    )
  )

  it.effect("survive being stored, and go on from there", () =>
    Effect.gen(function* () {
      const telling = Toolset.tool("tell", {
        handler: () =>
          Effect.succeed(
            new ToolReturn({
              value: { at: [12, null] },
              content: [Prompt.filePart({ data: "aGk=", mediaType: "image/png" })],
              metadata: { source: "sun" },
              modelOutput: [Prompt.textPart({ text: "noon" })]
            })
          )
      })
      const failing = Toolset.tool("fail", {
        handler: () => Effect.fail(new ToolFailed({ message: "No.", details: { status: 404 } }))
      })
      const asking = Toolset.tool("ask", {
        handler: () => Effect.fail(new ModelRetry({ message: "Again." }))
      })
      const all = Agent.make({ toolsets: [telling, failing, asking] })
      const first = yield* Agent.run(all, { prompt: "Go." })
      const stored = JSON.parse(JSON.stringify(yield* written(first.messages)))
      const history = yield* Schema.decodeUnknownEffect(Prompt.Prompt)(stored)
      assert.deepStrictEqual(yield* written(history), stored)
      const second = yield* Agent.run(all, { prompt: "On.", history })
      assert.deepStrictEqual(resultsIn(second.messages), resultsIn(first.messages))
      assert.deepStrictEqual(answersIn(history)[0]?.modelOutput, answersIn(first.messages)[0]?.modelOutput)
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([calls({ tell: {}, fail: {}, ask: {}, nobody: {} }), text("1"), text("2")])
      )
    )
  )
})

const Ending = Schema.Literals(["returns", "shows", "retries", "fails", "invalid", "unknown"])
const Steps = Schema.Array(Schema.Array(Ending).check(Schema.isBetweenLength(1, 5))).check(
  Schema.isMaxLength(4)
)

describe("for any steps", () => {
  const tool = Toolset.tool("t", {
    parameters: Schema.Struct({ ending: Ending }),
    handler: Effect.fnUntraced(function* ({ ending }) {
      yield* Effect.yieldNow
      if (ending === "retries") return yield* new ModelRetry({ message: "Again." })
      if (ending === "fails") return yield* new ToolFailed({ message: "No." })
      return ending === "shows" ? new ToolReturn({ value: 1, content: [Prompt.textPart({ text: "!" })] }) : 1
    })
  })
  const callOf = (ending: typeof Ending.Type, id: string): Response.PartEncoded => ({
    type: "tool-call",
    id,
    name: ending === "unknown" ? "nobody" : "t",
    params: ending === "invalid" ? {} : { ending }
  })

  it.effect.prop(
    "every call has one answer, in the message after it, in order (P207)",
    [Steps],
    ([steps]) => {
      const turns = steps.map((step, s) => parts(step.map((ending, c) => callOf(ending, `${s}.${c}`))))
      return Effect.gen(function* () {
        const { messages } = yield* Agent.run(Agent.make({ toolsets: [tool], retries: 99 }), {
          prompt: "Go."
        })
        messages.content.forEach((message, i) => {
          if (message.role !== "assistant" || i === messages.content.length - 1) return
          const ids = message.content.flatMap((part) => (part.type === "tool-call" ? [part.id] : []))
          const next = messages.content[i + 1]!
          assert(next.role === "tool")
          assert.deepStrictEqual(
            next.content.flatMap((part) => (part.type === "tool-result" ? [part.id] : [])),
            ids
          )
        })
        assert.strictEqual(answersIn(messages).length, steps.flat().length)
      }).pipe(Effect.provide(ScriptedModel.layer([...turns, text("Done.")])))
    }
  )
})
