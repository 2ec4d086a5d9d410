/** Agents inside agents that wait, in what is around them: approvals, onDeferred, combinators, overrides. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  Agent,
  DeferredToolRequests,
  DeferredToolResults,
  ModelRetry,
  ToolCall,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "./answers.ts"
import { asking, inShort, requestsIn, resumed } from "./deferring.ts"

import { call, casting, noting, prompt, stored, worker } from "./nestedAgents.ts"

const { calls, text } = ScriptedModel

describe("an agent inside an agent", () => {
  it.effect("that was itself approved, with other arguments, keeps them", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker("inner", Toolset.approvalRequired(noting(ran, "wipe")))
      const agent = asking(Toolset.approvalRequired(inner))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approvals: { o: { approve: { task: "Gently." } } } })
      assert.deepStrictEqual(inShort(requestsIn(second)).approvals, [["o/w", "wipe", {}]])
      const third = yield* resumed(agent, yield* stored(second), { approveAll: true })
      assert.strictEqual(third.output, "Done.")
      assert.deepStrictEqual(ran, [["wipe", undefined]])
      const [, request] = yield* ScriptedModel.requests
      assert.include(JSON.stringify(request?.prompt.content), "Gently.")
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w")]), text("done.")]
        })
      )
    )
  )

  it.effect("needs no output that says so, outside or inside, where onDeferred answers, also in parts", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker(
        "inner",
        Toolset.approvalRequired(noting(ran, "wipe")),
        Toolset.external([{ name: "clock" }])
      )
      const asked: Array<unknown> = []
      const handler =
        (answers: Parameters<typeof DeferredToolResults.from>[1]) => (requests: DeferredToolRequests) =>
          Effect.sync(() => {
            asked.push(inShort(requests))
            return DeferredToolResults.from(requests, answers)
          })
      const { output, usage } = yield* Agent.run(Agent.make({ toolsets: [inner] }), {
        prompt,
        onDeferred: [handler({ calls: { "o/c": "noon" } }), handler({ approveAll: true })]
      })
      assert.strictEqual(output, "Done.")
      const wipe = ["o/w", "wipe", {}]
      assert.deepStrictEqual(asked, [
        { calls: [["o/c", "clock", {}]], approvals: [wipe] },
        { calls: [], approvals: [wipe] }
      ])
      assert.deepStrictEqual(ran, [["wipe", undefined]])
      assert.deepInclude(usage, { requests: 4, toolCalls: 2 })
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w"), call("clock", {}, "c")]), text("done.")]
        })
      )
    )
  )

  it.effect("answered in part inline, surfaces with the rest, and remembers what was said", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker(
        "inner",
        Toolset.approvalRequired(noting(ran, "wipe")),
        Toolset.external([{ name: "clock" }])
      )
      const agent = asking(inner)
      const first = yield* Agent.run(agent, {
        prompt,
        onDeferred: (requests) =>
          Effect.succeed(DeferredToolResults.from(requests, { calls: { "o/c": "noon" } }))
      })
      assert.deepStrictEqual(inShort(requestsIn(first)), { calls: [], approvals: [["o/w", "wipe", {}]] })
      assert.deepStrictEqual(ran, [])
      const second = yield* resumed(agent, yield* stored(first), { approveAll: true })
      assert.strictEqual(second.output, "Done.")
      const seen = (yield* ScriptedModel.requests)[2]!.prompt
      assert.deepStrictEqual(resultsIn(seen), [
        ["wipe", "wipe ran"],
        ["clock", "noon"]
      ])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w"), call("clock", {}, "c")]), text("done.")]
        })
      )
    )
  )

  it.effect("waits under whatever its toolset is in", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker("inner", Toolset.approvalRequired(noting(ran, "wipe"))).pipe(
        Toolset.withId("crew"),
        Toolset.wrapper((call, next) => next(call)),
        Toolset.prefixed("my")
      )
      const agent = asking(inner)
      const program = Effect.gen(function* () {
        const first = yield* Agent.run(agent, { prompt })
        assert.deepStrictEqual(requestsIn(first).approvals[0]?.source, ["my_inner", "wipe"])
        return yield* resumed(agent, yield* stored(first), { approveAll: true })
      })
      assert.strictEqual((yield* program).output, "Done.")
      assert.deepStrictEqual(ran, [["wipe", undefined]])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("my_inner", { task: "Wipe." }, "o")]), text("Done.")],
          inner: [calls([call("wipe", {}, "w")]), text("done.")]
        })
      )
    )
  )

  it.effect("waits in the run that calls it, though an override stands in another one", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker("inner", Toolset.approvalRequired(noting(ran, "wipe")))
      const starting = Toolset.tool("start", {
        handler: () =>
          Effect.gen(function* () {
            const agent = asking()
            const first = yield* Agent.run(agent, { prompt })
            assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [["o/w", "wipe", {}]])
            return (yield* resumed(agent, first, { approveAll: true })).output
          }).pipe(Agent.override({ toolsets: [inner] }), Effect.provide(model))
      })
      const model = casting({
        outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
        inner: [calls([call("wipe", {}, "w")]), text("done.")]
      })
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [starting] }), { prompt }).pipe(
        Effect.provide(ScriptedModel.layer([calls({ start: {} }), text("Done.")]))
      )
      assert.deepStrictEqual(resultsIn(messages), [["start", "Done."]])
      assert.deepStrictEqual(ran, [["wipe", undefined]])
    })
  )
})

describe("what an agent inside uses", () => {
  it.effect("is used by the run outside, also where the one inside fails", () =>
    Effect.gen(function* () {
      const failing = Toolset.tool("fail", { handler: () => Effect.fail(new ModelRetry({ message: "No." })) })
      const inner = worker("inner", failing).pipe(
        Toolset.catchTags({ ToolRetriesExceeded: "recover" }),
        Toolset.wrapper((call, next) => next(call))
      )
      const { messages, usage } = yield* Agent.run(Agent.make({ toolsets: [inner] }), { prompt })
      assert.strictEqual(usage.requests, 4)
      assert.lengthOf(resultsIn(messages), 1)
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Fail." }, "o")]), text("Done.")],
          inner: [calls({ fail: {} }), calls({ fail: {} })]
        })
      )
    )
  )

  it.effect("says nothing of the call outside: attempt, approval and metadata are its own", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const looking = Toolset.tool("look", {
        handler: () => Effect.map(ToolCall, ({ approved, metadata }) => void seen.push([approved, metadata]))
      })
      const agent = asking(Toolset.approvalRequired(worker("inner", looking)))
      const first = yield* Agent.run(agent, { prompt })
      yield* resumed(agent, first, { approveAll: true, metadata: { o: { by: "Ada" } } })
      assert.deepStrictEqual(seen, [[false, {}]])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Look." }, "o")]), text("Done.")],
          inner: [calls({ look: {} }), text("done.")]
        })
      )
    )
  )
})
