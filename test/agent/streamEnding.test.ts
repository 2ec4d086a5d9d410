/** How a stream of events ends where its run waits, fails, or is left. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { retry } from "./answers.ts"
import { eventsOf, until } from "./shortly.ts"

const { calls, layer, parts, text } = ScriptedModel
const prompt = "Go."

const tool = <E>(name: string, end: Effect.Effect<unknown, E>) => Toolset.tool(name, { handler: () => end })
const double = Toolset.tool("double", {
  parameters: Schema.Struct({ n: Schema.FiniteFromString }),
  handler: ({ n }) => Effect.succeed(n * 2)
})

describe("a stream of a run that waits", () => {
  const toolsets = [
    tool("pay", Effect.succeed("paid")).pipe(Toolset.approvalRequired()),
    tool("ask", new CallDeferred({})),
    tool("now", Effect.succeed("noon"))
  ]
  const both = layer([calls({ pay: {}, now: {}, ask: {} }), text("Done.")])

  it.effect("says what waits, and ends with it", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets, output: [Schema.String, DeferredToolRequests] })
      const events = yield* eventsOf(Agent.stream(agent, { prompt }))
      assert.deepStrictEqual(events.slice(0, -1), [
        "call pay {}",
        "call now {}",
        "call ask {}",
        'success now "noon"',
        "waits pay,ask"
      ])
      assert.match(events.at(-1)!, /^done \{"calls":\[\{/)
    }).pipe(Effect.provide(both))
  )

  it.effect("says how it was answered, and goes on", () =>
    Effect.gen(function* () {
      const events = yield* eventsOf(
        Agent.stream(Agent.make({ toolsets }), {
          prompt,
          onDeferred: (requests) =>
            Effect.succeed(
              DeferredToolResults.from(requests, {
                approvals: Object.fromEntries(requests.approvals.map((call) => [call.toolCallId, false])),
                calls: Object.fromEntries(requests.calls.map((call) => [call.toolCallId, 3]))
              })
            )
        })
      )
      assert.deepStrictEqual(events.slice(5).toSorted(), [
        'Text "Done."',
        'denied pay "The tool call was denied."',
        'done "Done."',
        "success ask 3"
      ])
    }).pipe(Effect.provide(both))
  )

  it.effect("answers what would have waited, where an output ends the run", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [tool("ask", Effect.fail(new ApprovalRequired({})))],
        output: Schema.Struct({ n: Schema.Int })
      })
      assert.deepStrictEqual(yield* eventsOf(Agent.stream(agent, { prompt })), [
        "call ask {}",
        'failed ask "Tool not executed - a final result was already processed."',
        'done {"n":1}'
      ])
    }).pipe(Effect.provide(layer([calls({ ask: {}, final_result: { n: 1 } })])))
  )
})

describe("a stream of a run that fails", () => {
  it.effect("fails with it, after what happened before", () =>
    Effect.gen(function* () {
      const { error, events } = yield* until(
        Agent.stream(Agent.make({ toolsets: [tool("t", Effect.fail("boom" as const))] }), { prompt })
      )
      assert.strictEqual(error, "boom")
      assert.deepStrictEqual(events, ["call t {}"])
    }).pipe(Effect.provide(layer([calls({ t: {} })])))
  )

  it.effect("tells the call and the retry that were one too many", () =>
    Effect.gen(function* () {
      const stubborn = tool("t", Effect.fail(new ModelRetry({ message: "Again." })))
      const { error, events } = yield* until(
        Agent.stream(Agent.make({ toolsets: [stubborn, double], retries: 0 }), { prompt })
      )
      assert.deepInclude(error, { _tag: "ToolRetriesExceeded", toolName: "t" })
      assert.deepStrictEqual(events, ["call t {}", `retry t ${JSON.stringify(retry("Again."))}`])
      const refused = yield* until(Agent.stream(Agent.make({ toolsets: [double], retries: 0 }), { prompt }))
      assert.deepInclude(refused.error, { _tag: "ToolRetriesExceeded", toolName: "double" })
      assert.deepStrictEqual(refused.events, ["bad call double {}"])
    }).pipe(Effect.provide(layer([calls({ t: {} }), calls({ double: {} })])))
  )

  it.effect("shows what was written of a response that is incomplete, and runs none of its calls", () =>
    Effect.gen(function* () {
      const { error, events } = yield* until(Agent.stream(Agent.make({ toolsets: [double] }), { prompt }))
      assert.deepInclude(error, { _tag: "IncompleteResponse", finishReason: "length" })
      assert.deepStrictEqual(events, ['Text "It "', 'Text "is"'])
    }).pipe(
      Effect.provide(
        layer([
          parts([
            { type: "text", text: "It is" },
            { type: "tool-call", id: "1", name: "double", params: { n: "1" } },
            { type: "finish", reason: "length", usage: { inputTokens: {}, outputTokens: {} } as never }
          ])
        ])
      )
    )
  )
})
