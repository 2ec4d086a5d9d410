/** Calls that wait for somebody, and what a run that waits ends with. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Response } from "effect/ai"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  DeferralNotAllowed,
  DeferredToolRequests,
  ModelRetry,
  ToolFailed,
  Toolset
} from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { answersIn, callsIn, resultsIn, retry } from "./answers.ts"
import { asking, inShort, requestsIn } from "./deferring.ts"

const { calls, parts, text } = ScriptedModel
const prompt = "Go."

/** A model that makes these calls in one response, each with its own name as id, and then is done. */
const calling = (all: Readonly<Record<string, unknown>>) =>
  ScriptedModel.layer([
    calls(Object.entries(all).map(([name, args]) => ({ name, args, id: name }))),
    text("Done.")
  ])

const x = Schema.Struct({ x: Schema.Int })
const waiting = (name: string, signal: ApprovalRequired | CallDeferred) =>
  Toolset.tool(name, { parameters: x, handler: () => Effect.fail(signal) })
const plain = (name: string) => Toolset.tool(name, { handler: () => Effect.succeed(`${name} ran`) })

describe("a run that waits", () => {
  it.effect("ends with what it waits for (P100)", () =>
    Effect.gen(function* () {
      const { output } = yield* Agent.run(asking(waiting("my_tool", new CallDeferred({}))), { prompt })
      assert(output instanceof DeferredToolRequests)
      assert.deepStrictEqual(
        output.calls.map(({ args, toolName }) => [toolName, args]),
        [["my_tool", { x: 0 }]]
      )
      assert.deepStrictEqual(output.approvals, [])
      assert.deepStrictEqual(output.suspended, [])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("asks the model nothing more", () =>
    Effect.gen(function* () {
      yield* Agent.run(asking(waiting("t", new CallDeferred({}))), { prompt })
      assert.lengthOf(yield* ScriptedModel.requests, 1)
    }).pipe(Effect.provide(calling({ t: { x: 1 } })))
  )

  it.effect("has run the other calls, and has them in its history", () =>
    Effect.gen(function* () {
      const failing = Toolset.tool("fail", { handler: () => Effect.fail(new ToolFailed({ message: "No." })) })
      const again = Toolset.tool("again", { handler: () => Effect.fail(new ModelRetry({ message: "No." })) })
      const agent = asking(plain("a"), waiting("w", new ApprovalRequired({})), failing, again, plain("b"))
      const first = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [["w", "w", { x: 1 }]])
      assert.deepStrictEqual(resultsIn(first.messages), [
        ["a", "a ran"],
        ["fail", "No."],
        ["again", retry("No.")],
        ["b", "b ran"]
      ])
      assert.deepInclude(first.usage, { requests: 1, toolCalls: 2 })
    }).pipe(Effect.provide(calling({ a: {}, w: { x: 1 }, fail: {}, again: {}, b: {} })))
  )

  it.effect("lists calls and approvals in the order in which the model made them", () =>
    Effect.gen(function* () {
      const external = Toolset.external([{ name: "e" }])
      const gated = Toolset.approvalRequired(plain("g"))
      const agent = asking(
        external,
        gated,
        waiting("a", new ApprovalRequired({})),
        waiting("c", new CallDeferred({}))
      )
      const first = yield* Agent.run(agent, { prompt })
      const { approvals, calls } = requestsIn(first)
      assert.deepStrictEqual(
        [calls.map((call) => call.toolName), approvals.map((call) => call.toolName)],
        [
          ["c", "e"],
          ["a", "g"]
        ]
      )
      assert.deepStrictEqual(answersIn(first.messages), [])
      assert.lengthOf(callsIn(first.messages), 4)
    }).pipe(Effect.provide(calling({ a: { x: 1 }, c: { x: 2 }, g: {}, e: {} })))
  )

  it.effect("waits for the calls of one tool one by one", () =>
    Effect.gen(function* () {
      const first = yield* Agent.run(asking(waiting("t", new ApprovalRequired({}))), { prompt })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [
        ["1", "t", { x: 1 }],
        ["2", "t", { x: 2 }]
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls([
            { name: "t", args: { x: 1 }, id: "1" },
            { name: "t", args: { x: 2 }, id: "2" }
          ])
        ])
      )
    )
  )

  it.effect("stops at a later step, too", () =>
    Effect.gen(function* () {
      const first = yield* Agent.run(asking(plain("a"), Toolset.external([{ name: "e" }])), { prompt })
      assert.deepStrictEqual(
        requestsIn(first).calls.map((call) => call.toolName),
        ["e"]
      )
      assert.deepStrictEqual(resultsIn(first.messages), [["a", "a ran"]])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ a: {} }), calls({ e: {} })])))
  )

  it.effect("fails where no output of the agent says that it may (P115)", () =>
    Effect.gen(function* () {
      const toolset = Toolset.combined(
        Toolset.external([{ name: "e" }]),
        Toolset.approvalRequired(plain("g"))
      )
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [toolset] }), { prompt }))
      assert(error instanceof DeferralNotAllowed)
      assert.deepStrictEqual(error.toolNames, ["g", "e"])
      assert.strictEqual(
        error.message,
        "Calls of 'g', 'e' wait for somebody, and no output of the agent says so. " +
          "List DeferredToolRequests among its outputs, or answer them with the run's onDeferred."
      )
    }).pipe(Effect.provide(calling({ g: {}, e: {} })))
  )

  it.effect("cannot be all that an agent does (P116)", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(Agent.make({ output: DeferredToolRequests }), { prompt }))
      assert.deepInclude(error, {
        _tag: "AgentDefinitionError",
        problem: "DeferredToolRequests is the only output."
      })
    }).pipe(Effect.provide(calling({})))
  )

  it.effect("waits for nothing where an output ends the run", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [waiting("w", new CallDeferred({}))],
        output: [x, DeferredToolRequests]
      })
      const { messages, output } = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(output, { x: 7 })
      assert.deepStrictEqual(resultsIn(messages), [
        ["w", "Tool not executed - a final result was already processed."],
        ["final_result", "Final result processed."]
      ])
    }).pipe(Effect.provide(calling({ w: { x: 1 }, final_result: { x: 7 } })))
  )
})

describe("a request", () => {
  const Day = Schema.Struct({
    day: Schema.DateFromString,
    times: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(2)))
  })
  const book = Toolset.tool("book", {
    parameters: Day,
    handler: () => Effect.fail(new CallDeferred({ metadata: { queue: "desk" } }))
  })

  it.effect("says what would run, what the model said, where it was declared, and why (P108)", () =>
    Effect.gen(function* () {
      const toolset = Toolset.combined(book, Toolset.external([{ name: "e" }])).pipe(
        Toolset.withId("travel"),
        Toolset.prefixed("my")
      )
      const first = yield* Agent.run(asking(toolset), { prompt })
      const [booking, other] = requestsIn(first).calls
      assert.deepInclude(booking, {
        toolCallId: "my_book",
        toolName: "my_book",
        args: { day: "2026-11-30T00:00:00.000Z", times: 2 },
        rawArgs: { day: "2026-11-30" },
        source: ["travel", "book"],
        metadata: { queue: "desk" }
      })
      assert.match(booking!.digest, /^[0-9a-f]{64}$/)
      assert.deepInclude(other, { toolName: "my_e", source: ["travel", "e"], metadata: {} })
    }).pipe(Effect.provide(calling({ my_book: { day: "2026-11-30" }, my_e: {} })))
  )

  it.effect("has another digest for another id, name, place or value, and the same for the same", () =>
    Effect.gen(function* () {
      const digests = (args: unknown, id: string, toolset: Toolset.Toolset, name: string) =>
        Agent.run(asking(toolset), { prompt }).pipe(
          Effect.map((first) => requestsIn(first).calls[0]!.digest),
          Effect.provide(ScriptedModel.layer([calls([{ name, args, id }])]))
        )
      const any = Toolset.external([
        { name: "e", parameters: { type: "object", properties: { a: {}, b: {} } } }
      ])
      const one = yield* digests({ a: 1, b: { c: 2, d: 3 } }, "1", any, "e")
      assert.strictEqual(yield* digests({ b: { d: 3, c: 2 }, a: 1 }, "1", any, "e"), one)
      assert.strictEqual(yield* digests('{"a":1,"b":{"c":2,"d":3}}', "1", any, "e"), one)
      const others = [
        yield* digests({ a: 1, b: { c: 2, d: 4 } }, "1", any, "e"),
        yield* digests(
          {
            a: 1,
            b: [
              ["c", 2],
              ["d", 3]
            ]
          },
          "1",
          any,
          "e"
        ),
        yield* digests({ a: "1", b: { c: 2, d: 3 } }, "1", any, "e"),
        yield* digests({ a: 1, b: { c: 2, d: 3 } }, "2", any, "e"),
        yield* digests({ a: 1, b: { c: 2, d: 3 } }, "1", Toolset.prefixed(any, "p"), "p_e"),
        yield* digests({ a: 1, b: { c: 2, d: 3 } }, "1", Toolset.withId(any, "id"), "e")
      ]
      assert.strictEqual(new Set([one, ...others]).size, 7)
    })
  )

  it.effect("has arguments that came as text, or not at all, as they were read", () =>
    Effect.gen(function* () {
      const external = Toolset.external([{ name: "e" }, { name: "n" }])
      const first = yield* Agent.run(asking(waiting("t", new CallDeferred({})), external), { prompt })
      assert.deepStrictEqual(
        requestsIn(first).calls.map(({ args, rawArgs, toolName }) => [toolName, args, rawArgs]),
        [
          ["t", { x: 1 }, '{"x":1}'],
          ["e", {}, ""],
          ["n", {}, {}]
        ]
      )
    }).pipe(Effect.provide(calling({ t: '{"x":1}', e: "", n: undefined })))
  )

  it.effect("is never about arguments that the tool does not take (P110)", () =>
    Effect.gen(function* () {
      const strict = Toolset.external([
        { name: "e", parameters: { type: "object", properties: { x: { type: "integer" } }, required: ["x"] } }
      ])
      const first = yield* Agent.run(asking(strict, waiting("t", new ApprovalRequired({}))), { prompt })
      assert.strictEqual(first.output, "Done.")
      assert.deepStrictEqual(
        answersIn(first.messages).map((part) => [part.name, part.isFailure]),
        [
          ["e", true],
          ["t", true]
        ]
      )
    }).pipe(Effect.provide(calling({ e: { x: "one" }, t: {} })))
  )

  it.effect("may come from a wrapper", () =>
    Effect.gen(function* () {
      const toolset = plain("a").pipe(
        Toolset.wrapper(() => Effect.fail(new CallDeferred({ metadata: { by: "wrapper" } })))
      )
      const first = yield* Agent.run(asking(toolset), { prompt })
      assert.deepStrictEqual(requestsIn(first).calls[0]?.metadata, { by: "wrapper" })
    }).pipe(Effect.provide(calling({ a: {} })))
  )

  it.effect("may come from what was prepared to be external (P43)", () =>
    Effect.gen(function* () {
      const toolset = plain("a").pipe(
        Toolset.prepared((tools) => tools.map((tool) => ({ ...tool, kind: "external" as const })))
      )
      const first = yield* Agent.run(asking(toolset), { prompt })
      assert.lengthOf(requestsIn(first).calls, 1)
    }).pipe(Effect.provide(calling({ a: {} })))
  )
})

describe("calls of one id in one response", () => {
  const call = (id: string): Response.PartEncoded => ({ type: "tool-call", id, name: "a", params: {} })

  it.effect("are an invalid output that lists them, and nothing runs", () =>
    Effect.gen(function* () {
      let ran = 0
      const a = Toolset.tool("a", { handler: () => Effect.sync(() => ran++) })
      const error = yield* Effect.flip(Agent.run(asking(a), { prompt }))
      assert(error._tag === "AiError" && error.reason._tag === "InvalidOutputError")
      assert.include(error.message, "The model gave several calls one id: '1', '2'.")
      assert.strictEqual(ran, 0)
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([parts([call("1"), call("2"), call("1"), call("2"), call("3"), call("1")])])
      )
    )
  )
})
