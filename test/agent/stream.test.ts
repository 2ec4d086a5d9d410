/** A run as a stream: which events, in which order. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Schema, Stream } from "effect"
import { Agent, ToolCall, ToolFailed, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { eventsOf, short } from "./shortly.ts"

const { calls, layer, output, parts, text } = ScriptedModel
const prompt = "Go."

const tool = <E>(name: string, end: Effect.Effect<unknown, E>) => Toolset.tool(name, { handler: () => end })
const double = Toolset.tool("double", {
  parameters: Schema.Struct({ n: Schema.FiniteFromString }),
  handler: ({ n }) => Effect.succeed(n * 2)
})

describe("the events of a run", () => {
  it.effect("are text and thoughts as the model writes, calls with decoded arguments, and results", () =>
    Effect.gen(function* () {
      const events = yield* eventsOf(Agent.stream(Agent.make({ toolsets: [double] }), { prompt }))
      assert.deepStrictEqual(events, [
        'Reasoning "Twice "',
        'Reasoning "two."',
        'Text "Let "',
        'Text "me "',
        'Text "see."',
        'call double {"n":2}',
        "success double 4",
        'Text "It "',
        'Text "is "',
        'Text "4."',
        'done "It is 4."'
      ])
    }).pipe(
      Effect.provide(
        layer([
          parts([
            { type: "reasoning", text: "Twice two." },
            { type: "text", text: "Let me see." },
            { type: "tool-call", id: "1", name: "double", params: { n: "2" } }
          ]),
          text("It is 4.")
        ])
      )
    )
  )

  it.effect("have all calls of a response before any result, and say which are valid", () =>
    Effect.gen(function* () {
      const toolsets = [double, tool("fail", Effect.fail(new ToolFailed({ message: "No.", details: 1 })))]
      const events = yield* eventsOf(Agent.stream(Agent.make({ toolsets }), { prompt }))
      assert.deepStrictEqual(events.slice(0, 4), [
        'call double {"n":1}',
        'bad call double {"n":{}}',
        "bad call nobody {}",
        "call fail {}"
      ])
      assert.deepStrictEqual(
        events
          .slice(4, 8)
          .map((event) => event.split("\\n")[0])
          .toSorted(),
        [
          'failed fail {"message":"No.","details":1}',
          'retry double "Invalid arguments: Expected string',
          `retry nobody "Unknown tool name: 'nobody'. Available tools: 'double', 'fail'`,
          "success double 2"
        ]
      )
      assert.deepStrictEqual(events.slice(8), ['Text "Done."', 'done "Done."'])
    }).pipe(
      Effect.provide(
        layer([
          calls([
            { name: "double", args: { n: "1" } },
            { name: "double", args: { n: {} } },
            { name: "nobody", args: {} },
            { name: "fail", args: {} }
          ]),
          text("Done.")
        ])
      )
    )
  )

  it.effect("have results as they come, and the history has them in order (P90)", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const toolsets = [
        tool("slow", Deferred.await(gate).pipe(Effect.andThen(Effect.yieldNow), Effect.as(1))),
        tool("fast", Effect.as(Deferred.succeed(gate, undefined), 2))
      ]
      const events = yield* Stream.runCollect(Agent.stream(Agent.make({ toolsets }), { prompt }))
      assert.deepStrictEqual(Array.from(events, short).slice(2, 4), ["success fast 2", "success slow 1"])
      const done = events.at(-1)!
      assert(done._tag === "Done")
      assert.deepStrictEqual(
        done.result.messages.content.flatMap((message) =>
          message.role === "tool"
            ? message.content.map((part) => part.type === "tool-result" && part.name)
            : []
        ),
        ["slow", "fast"]
      )
    }).pipe(Effect.provide(layer([calls({ slow: {}, fast: {} }), text("Done.")])))
  )

  it.effect("have what a call reports, between the call and its result", () =>
    Effect.gen(function* () {
      const report = Effect.flatMap(ToolCall, ({ progress }) =>
        Effect.forEach([0, { half: true }, "most"], (value) => progress(value), { discard: true })
      )
      const stepping = Toolset.tool("stepping", { handler: () => Effect.as(report, "all") })
      const events = yield* eventsOf(
        Agent.stream(Agent.make({ toolsets: [stepping.pipe(Toolset.prefixed("x"))] }), { prompt })
      )
      assert.deepStrictEqual(events, [
        "call x_stepping {}",
        "progress x_stepping 0",
        'progress x_stepping {"half":true}',
        'progress x_stepping "most"',
        'success x_stepping "all"',
        'Text "Done."',
        'done "Done."'
      ])
    }).pipe(Effect.provide(layer([calls({ x_stepping: {} }), text("Done.")])))
  )

  it.effect("have more than fits in a buffer, for a consumer that takes its time", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 200 }, (_, i) => i)
      const counting = Toolset.tool("t", {
        handler: () =>
          Effect.flatMap(ToolCall, (call) => Effect.forEach(many, call.progress, { discard: true }))
      })
      const seen: Array<unknown> = []
      yield* Stream.runForEach(Agent.stream(Agent.make({ toolsets: [counting] }), { prompt }), (event) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => event._tag === "ToolProgress" && seen.push(event.value))
        )
      )
      assert.deepStrictEqual(seen, many)
    }).pipe(Effect.provide(layer([calls({ t: {} }), text("Done.")])))
  )

  it.effect("have no calls of output tools, but the output", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [double], output: Schema.Struct({ n: Schema.FiniteFromString }) })
      const events = yield* eventsOf(Agent.stream(agent, { prompt }))
      assert.deepStrictEqual(events, ['call double {"n":1}', "success double 2", 'done {"n":2}'])
    }).pipe(
      Effect.provide(layer([output({ n: {} }), calls({ double: { n: "1" }, final_result: { n: "2" } })]))
    )
  )

  it.effect("leave to the provider what the provider runs", () =>
    Effect.gen(function* () {
      const events = yield* eventsOf(Agent.stream(Agent.make({ toolsets: [double] }), { prompt }))
      assert.deepStrictEqual(events, ['Text "Found."', 'done "Found."'])
    }).pipe(
      Effect.provide(
        layer([
          parts([
            { type: "tool-call", id: "1", name: "double", params: {}, providerExecuted: true },
            { type: "text", text: "Found." }
          ])
        ])
      )
    )
  )
})
