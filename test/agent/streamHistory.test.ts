/** A stream is the same run: what it gives, what it asks, and what it remembers. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema, Stream } from "effect"
import { Prompt, type Response } from "effect/ai"
import {
  Agent,
  CallDeferred,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  ToolFailed,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { often } from "../laws/often.ts"
import { answersIn } from "./answers.ts"

const { layer, parts } = ScriptedModel
const prompt = "Go."

const PartKind = Schema.Literals([
  "text",
  "blank",
  "reasoning",
  "file",
  "search",
  "returns",
  "shows",
  "retries",
  "fails",
  "waits",
  "dies",
  "invalid",
  "unknown",
  "output",
  "no output",
  "source"
])
type PartKind = typeof PartKind.Type
const Turns = Schema.Array(Schema.Array(PartKind).check(Schema.isMaxLength(5))).check(
  Schema.isBetweenLength(1, 4)
)
const Finish = Schema.Literals(["stop", "tool-calls", "pause", "length"])

const partOf = (kind: PartKind, id: string): Response.PartEncoded => {
  const metadata = { test: { signature: id } }
  const call = (name: string, params: unknown): Response.PartEncoded => ({
    type: "tool-call",
    id,
    name,
    params,
    metadata
  })
  switch (kind) {
    case "text":
      return { type: "text", text: `A few words, ${id}`, metadata }
    case "blank":
      return { type: "text", text: "" }
    case "reasoning":
      return { type: "reasoning", text: `Let me think. ${id}`, metadata }
    case "file":
      return { type: "file", mediaType: "text/plain", data: "aGVsbG8=" }
    case "source":
      return { type: "source", sourceType: "url", id, url: "http://localhost/", title: "here" }
    case "search":
      return { ...call("search", undefined), providerExecuted: true } as Response.PartEncoded
    case "output":
      return call("final_result", { n: 1 })
    case "no output":
      return call("final_result", { n: "one" })
    case "unknown":
      return call("nobody", undefined)
    case "invalid":
      return call("t", { ending: 1 })
    default:
      return call("t", { ending: kind })
  }
}

const t = Toolset.tool("t", {
  parameters: Schema.Struct({ ending: Schema.String }),
  handler: Effect.fnUntraced(function* ({ ending }) {
    yield* Effect.yieldNow
    if (ending === "retries") return yield* new ModelRetry({ message: "Again." })
    if (ending === "fails") return yield* new ToolFailed({ message: "No." })
    if (ending === "waits") return yield* new CallDeferred({ metadata: { queue: 1 } })
    if (ending === "dies") return yield* Effect.fail("dead" as const)
    return ending === "shows"
      ? new ToolReturn({ value: 1, content: [Prompt.textPart({ text: "!" })], metadata: { cost: 2 } })
      : 1
  })
})

const written = Schema.encodeSync(Prompt.Prompt)
const read = Schema.decodeUnknownSync(Prompt.Prompt)

/** What can be compared of a result: all but the id of the run. */
const comparable = <A>({ runId: _, messages, newMessages, ...result }: Agent.Result<A>) => ({
  ...result,
  messages: written(messages),
  newMessages: written(newMessages)
})

describe("for any script", () => {
  it.effect.prop(
    "a stream gives what the run gives, asks what it asks, and remembers what it remembers",
    [Turns, Schema.Option(Finish), Schema.Boolean, Schema.Literals(["graceful", "early", "exhaustive"])],
    ([turns, reason, allowsText, endStrategy]) =>
      Effect.gen(function* () {
        const script = [
          ...turns.map((kinds, turn) =>
            parts([
              ...kinds.map((kind, i) => partOf(kind, `${turn}.${i}`)),
              ...(Option.isNone(reason) || turn !== turns.length - 1
                ? []
                : [
                    {
                      type: "finish",
                      reason: reason.value,
                      usage: { inputTokens: { total: 1 }, outputTokens: { total: 2 } }
                    } as const
                  ])
            ])
          ),
          parts([partOf("output", "last")])
        ]
        const Answer = Schema.Struct({ n: Schema.Int })
        const agent = Agent.make({
          toolsets: [t],
          output: allowsText ? [Schema.String, Answer, DeferredToolRequests] : [Answer, DeferredToolRequests],
          endStrategy,
          retries: 9
        })
        const asking = Effect.map(ScriptedModel.requests, (requests) =>
          requests.map((request) => ({ ...request, prompt: written(request.prompt) }))
        )
        const ran = Effect.all([
          Effect.result(Effect.map(Agent.run(agent, { prompt }), comparable)),
          asking
        ]).pipe(Effect.provide(layer(script)))
        const streamed = Effect.all([
          Effect.result(
            Effect.map(Stream.runLast(Agent.stream(agent, { prompt })), (last) => {
              assert(last._tag === "Some" && last.value._tag === "Done")
              return comparable(last.value.result)
            })
          ),
          asking
        ]).pipe(Effect.provide(layer(script)))
        assert.deepStrictEqual(yield* streamed, yield* ran)
      }),
    often(60)
  )

  it.effect.prop(
    "a history survives JSON, and calls have one answer each, in order (P207)",
    [Turns, Schema.Literals(["graceful", "early", "exhaustive"])],
    ([turns, endStrategy]) =>
      Effect.gen(function* () {
        const agent = Agent.make({
          toolsets: [t],
          endStrategy,
          retries: 9,
          output: [Schema.String, Schema.Struct({ n: Schema.Int })]
        })
        const script = turns.map((kinds, turn) => parts(kinds.map((kind, i) => partOf(kind, `${turn}.${i}`))))
        const { messages } = yield* Effect.provide(Agent.runExit(agent, { prompt }), layer(script))
        assert.deepStrictEqual(
          written(read(JSON.parse(JSON.stringify(written(messages))))),
          written(messages)
        )
        const calls = messages.content.flatMap((message) =>
          message.role === "assistant"
            ? message.content.filter((part) => part.type === "tool-call" && !part.providerExecuted)
            : []
        )
        assert.deepStrictEqual(
          answersIn(messages).map((answer) => answer.id),
          calls.map((call) => (call.type === "tool-call" ? call.id : ""))
        )
      }),
    often(60)
  )
})

describe("a call without arguments", () => {
  it.effect("has none, and says so: its history is JSON, and it can be gone on from", () =>
    Effect.gen(function* () {
      const now = Toolset.external([{ name: "now", parameters: { type: "object", properties: {} } }])
      const agent = Agent.make({ toolsets: [now], output: [Schema.String, DeferredToolRequests] })
      const first = yield* Agent.run(agent, { prompt })
      assert(first.output instanceof DeferredToolRequests)
      assert.deepStrictEqual(
        first.output.calls.map(({ args, rawArgs }) => [args, rawArgs]),
        [[{}, {}]]
      )
      const history = read(JSON.parse(JSON.stringify(written(first.messages))))
      assert.deepStrictEqual(written(history), written(first.messages))
      const results = DeferredToolResults.from(first.output, { calls: { now: "noon" } })
      const second = yield* Agent.run(agent, { history, deferredResults: results })
      assert.strictEqual(second.output, "It is noon.")
    }).pipe(
      Effect.provide(
        layer([
          parts([{ type: "tool-call", id: "now", name: "now", params: undefined }]),
          parts([{ type: "text", text: "It is noon." }])
        ])
      )
    )
  )
})
