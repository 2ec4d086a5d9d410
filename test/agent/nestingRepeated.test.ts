/** What waits inside of a call, under what calls again, remembers, asks by itself, or calls twice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { Agent, ApprovalRequired, DeferredToolResults, ToolCall, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "./answers.ts"
import { asking, inShort, requestsIn, resumed } from "./deferring.ts"
import { call, casting, noting, prompt, stored, worker } from "./nestedAgents.ts"

const { calls, text } = ScriptedModel
const wipe = (ran: Array<unknown>) => Toolset.approvalRequired(noting(ran, "wipe"))
const wiping = calls([call("wipe", { n: 1 }, "w")])
const once = {
  outer: [calls([call("inner", { task: "Wipe." }, "o")]), text("Done.")],
  inner: [wiping, text("done.")]
}

/** A tool that fails as often as is said, once somebody has said yes to another one. */
const failing = (times: () => boolean) =>
  Toolset.tool("flaky", {
    handler: () => Effect.suspend(() => (times() ? Effect.fail("reset" as const) : Effect.succeed("there")))
  })

describe("a run that waits inside of a call that is retried", () => {
  const retried = Toolset.retried(Schedule.recurs(3))

  it.effect("goes on with what was said, where it could not begin", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      let failures = 0
      const inner = worker(
        "inner",
        Toolset.unwrap(
          Effect.suspend(() => (failures-- > 0 ? Effect.fail("offline" as const) : Effect.succeed(wipe(ran))))
        )
      )
      const agent = asking(inner.pipe(retried))
      const first = yield* stored(yield* Agent.run(agent, { prompt }))
      failures = 2
      const { output } = yield* resumed(agent, first, { approveAll: true })
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(ran, [["wipe", 1]])
    }).pipe(Effect.provide(casting(once)))
  )

  it.effect("goes on from where it was, where it has begun: what was approved has run", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      let failures = 0
      const agent = asking(
        worker(
          "inner",
          wipe(ran),
          failing(() => failures-- > 0)
        ).pipe(retried)
      )
      const first = yield* stored(yield* Agent.run(agent, { prompt }))
      failures = 2
      const { messages, output } = yield* resumed(agent, first, { approveAll: true })
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(ran, [["wipe", 1]])
      assert.deepStrictEqual(resultsIn(messages), [["inner", "done."]])
      const last = (yield* ScriptedModel.requests).at(-2)
      assert.deepStrictEqual(last && resultsIn(last.prompt), [
        ["wipe", "wipe ran"],
        ["flaky", "there"]
      ])
    }).pipe(
      Effect.provide(casting({ ...once, inner: [wiping, calls([call("flaky", {}, "f")]), text("done.")] }))
    )
  )

  it.effect("asks again for what was approved, began and did not end", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const flaky = Toolset.approvalRequired(failing(() => ran.push("flaky") === 2))
      const agent = asking(worker("inner", wipe(ran), flaky).pipe(retried))
      const first = yield* Agent.run(agent, { prompt, concurrency: 1 })
      const second = yield* Agent.run(agent, {
        history: first.messages,
        concurrency: 1,
        deferredResults: DeferredToolResults.from(requestsIn(first), { approveAll: true })
      })
      assert.deepStrictEqual(inShort(requestsIn(second)).approvals, [["o/f", "flaky", {}]])
      assert.deepStrictEqual(ran, [["wipe", 1], "flaky"])
      const { output } = yield* resumed(agent, second, { approveAll: true })
      assert.strictEqual(output, "Done.")
      assert.deepStrictEqual(ran, [["wipe", 1], "flaky", "flaky"])
    }).pipe(
      Effect.provide(
        casting({
          ...once,
          inner: [calls([call("wipe", { n: 1 }, "w"), call("flaky", {}, "f")]), text("done.")]
        })
      )
    )
  )

  it.effect("waits once for each call, as without", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      let failures = 1
      const inner = worker(
        "inner",
        wipe(ran),
        failing(() => failures-- > 0)
      ).pipe(retried)
      const first = yield* Agent.run(asking(inner), { prompt })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [["o/w", "wipe", { n: 1 }]])
      yield* resumed(asking(inner), first, { approveAll: true })
      assert.deepStrictEqual(ran, [["wipe", 1]])
    }).pipe(
      Effect.provide(
        casting({
          ...once,
          inner: [calls([call("flaky", {}, "f")]), calls([call("flaky", {}, "f")]), wiping, text("done.")]
        })
      )
    )
  )
})

describe("runs that wait inside of calls that are remembered", () => {
  const cached = Toolset.cached({ ttl: "1 minute", force: true })
  const twice = [
    calls([call("inner", { task: "Wipe." }, "a"), call("inner", { task: "Wipe." }, "b")]),
    text("Done.")
  ]

  for (const concurrency of [1, "unbounded"] as const) {
    it.effect(`wait each by itself, and go on each by itself: concurrency ${concurrency}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const agent = asking(worker("inner", wipe(ran)).pipe(cached))
        const first = yield* stored(yield* Agent.run(agent, { prompt, concurrency }))
        assert.deepStrictEqual(
          inShort(first.output).approvals.map(([id]) => id),
          ["a/w", "b/w"]
        )
        const { messages, output } = yield* resumed(agent, first, {
          approvals: { "a/w": false, "b/w": { approve: { n: 2 } } }
        })
        assert.strictEqual(output, "Done.")
        assert.deepStrictEqual(ran, [["wipe", 2]])
        assert.deepStrictEqual(resultsIn(messages), [
          ["inner", "done."],
          ["inner", "done."]
        ])
      }).pipe(
        Effect.provide(casting({ outer: twice, inner: [wiping, wiping, text("done."), text("done.")] }))
      )
    )
  }

  it.effect("are remembered where they do not wait", () =>
    Effect.gen(function* () {
      const agent = asking(worker("inner").pipe(cached))
      const { usage } = yield* Agent.run(agent, { prompt, concurrency: 1 })
      assert.strictEqual(usage.requests, 3)
    }).pipe(Effect.provide(casting({ outer: twice, inner: [text("done.")] })))
  )

  it.effect("run once each where both are approved", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const agent = asking(worker("inner", wipe(ran)).pipe(cached))
      const first = yield* Agent.run(agent, { prompt })
      yield* resumed(agent, first, { approveAll: true })
      assert.lengthOf(ran, 2)
    }).pipe(Effect.provide(casting({ outer: twice, inner: [wiping, wiping, text("done."), text("done.")] })))
  )
})

describe("a run that waits inside of a call around which somebody asks", () => {
  it.effect("goes on with what was said once the call may, and not before", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      let mood: "allow" | "ask" = "allow"
      const agent = asking(worker("inner", wipe(ran)).pipe(Toolset.guard(() => mood)))
      const first = yield* stored(yield* Agent.run(agent, { prompt }))
      mood = "ask"
      const second = yield* stored(
        yield* resumed(agent, first, { approvals: { "o/w": { approve: { n: 2 } } } })
      )
      assert.deepStrictEqual(inShort(second.output), {
        calls: [],
        approvals: [["o", "inner", { task: "Wipe." }]]
      })
      assert.deepStrictEqual(ran, [])
      const third = yield* resumed(agent, second, { approveAll: true })
      assert.strictEqual(third.output, "Done.")
      assert.deepStrictEqual(ran, [["wipe", 2]])
      assert.lengthOf(yield* ScriptedModel.requests, 4)
    }).pipe(Effect.provide(casting(once)))
  )

  it.effect("does not go on where the call may not", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      let mood: "allow" | "ask" = "allow"
      const agent = asking(worker("inner", wipe(ran)).pipe(Toolset.guard(() => mood)))
      const first = yield* Agent.run(agent, { prompt })
      mood = "ask"
      const second = yield* resumed(agent, first, { approveAll: true })
      const open = yield* Effect.flip(resumed(agent, second, {}))
      assert.include(open.message, "Results are missing for calls that wait ('o')")
      const { messages } = yield* resumed(agent, second, { approvals: { o: { deny: "No." } } })
      assert.deepStrictEqual(resultsIn(messages), [["inner", "No."]])
      assert.deepStrictEqual(ran, [])
    }).pipe(Effect.provide(casting(once)))
  )

  it.effect("goes on at any depth", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      let mood: "allow" | "ask" = "allow"
      const guarded = worker("inner", wipe(ran)).pipe(Toolset.guard(() => mood))
      const agent = asking(worker("middle", guarded))
      const first = yield* stored(yield* Agent.run(agent, { prompt }))
      mood = "ask"
      const second = yield* stored(yield* resumed(agent, first, { approvals: { "m/o/w": true } }))
      assert.deepStrictEqual(inShort(second.output).approvals, [["m/o", "inner", { task: "Wipe." }]])
      assert.deepStrictEqual(ran, [])
      const third = yield* resumed(agent, second, { approvals: { "m/o": true } })
      assert.strictEqual(third.output, "Done.")
      assert.deepStrictEqual(ran, [["wipe", 1]])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("middle", { task: "Go on." }, "m")]), text("Done.")],
          middle: [calls([call("inner", { task: "Wipe." }, "o")]), text("done.")],
          inner: [wiping, text("done.")]
        })
      )
    )
  )
})

describe("a run that waits inside of a call that a wrapper makes several times", () => {
  const both = (parallel: boolean) =>
    Toolset.wrapper((call, next) =>
      Effect.map(
        Effect.all([next(call), next(call)], { concurrency: parallel ? 2 : 1 }),
        ([result]) => result
      )
    )
  for (const parallel of [false, true]) {
    it.effect(`hears what was said once: ${parallel ? "at the same time" : "one after the other"}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const agent = asking(worker("inner", wipe(ran)).pipe(both(parallel)))
        const first = yield* Agent.run(agent, { prompt })
        yield* resumed(agent, first, { approveAll: true })
        assert.deepStrictEqual(ran, [["wipe", 1]])
      }).pipe(
        Effect.provide(
          ScriptedModel.layer(({ prompt, tools }) => {
            const [name] = tools.map((tool) => tool.name)
            if (prompt.content.some((message) => message.role === "tool")) return text("done.")
            return calls([
              call(name!, name === "inner" ? { task: "Wipe." } : { n: 1 }, name === "inner" ? "o" : "w")
            ])
          })
        )
      )
    )
  }

  it.effect("and that asks by itself when it is through asks for the call", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const agent = asking(
        worker("inner", wipe(ran)).pipe(
          Toolset.wrapper((call, next) =>
            Effect.gen(function* () {
              const result = yield* next(call)
              return (yield* ToolCall).approved ? result : yield* new ApprovalRequired({})
            })
          )
        )
      )
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(inShort(requestsIn(second)).approvals, [["o", "inner", { task: "Wipe." }]])
      // It begins anew, and asks anew for what it does.
      const third = yield* resumed(agent, second, { approveAll: true })
      assert.deepStrictEqual(inShort(requestsIn(third)).approvals, [["o/w", "wipe", { n: 1 }]])
      assert.lengthOf(ran, 1)
    }).pipe(Effect.provide(casting({ ...once, inner: [wiping, text("done."), wiping, text("done.")] })))
  )
})
