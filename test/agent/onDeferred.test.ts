/** Answering without ending the run: all, some or none, by one or several. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  type DeferredToolRequests,
  DeferralNotAllowed,
  DeferredResultsMismatch,
  DeferredToolResults,
  ModelRetry,
  ToolCall,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, resultsIn, retry } from "./answers.ts"
import { asking, inShort, plain, requestsIn } from "./deferring.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

const calling = (...names: ReadonlyArray<string>) =>
  ScriptedModel.layer([calls(names.map((name) => ({ name, args: {}, id: name }))), text("Done.")])

const gated = (name: string) => Toolset.approvalRequired(plain(name))
const external = (...names: ReadonlyArray<string>) => Toolset.external(names.map((name) => ({ name })))

/** Text only: nothing may be left. */
const textual = <E>(...toolsets: ReadonlyArray<Toolset.Toolset<E>>) => Agent.make({ toolsets })

const approveAll = (requests: DeferredToolRequests) =>
  Effect.succeed(DeferredToolResults.from(requests, { approveAll: true }))
/** Answers these calls, and notes what it was asked. */
const answering =
  (asked: Array<unknown>, ...names: ReadonlyArray<string>) =>
  (requests: DeferredToolRequests) =>
    Effect.sync(() => {
      asked.push(inShort(requests))
      const mine = (all: DeferredToolRequests["calls"]) =>
        all.map((call) => call.toolCallId).filter((id) => names.includes(id))
      return DeferredToolResults.from(requests, {
        approvals: Object.fromEntries(mine(requests.approvals).map((id) => [id, true])),
        calls: Object.fromEntries(mine(requests.calls).map((id) => [id, `result of ${id}`]))
      })
    })

describe("onDeferred", () => {
  it.effect("may resolve everything, so that no output needs to say so (P131)", () =>
    Effect.gen(function* () {
      const seen: Array<boolean> = []
      const looking = Toolset.tool("g", {
        requiresApproval: true,
        handler: () => Effect.map(ToolCall, ({ approved }) => void seen.push(approved))
      })
      const { messages, output, usage } = yield* Agent.run(textual(looking), {
        prompt,
        onDeferred: approveAll
      })
      assert.deepStrictEqual([output, seen, usage.requests], ["Done.", [true], 2])
      assert.deepStrictEqual(resultsIn(messages), [["g", null]])
    }).pipe(Effect.provide(calling("g")))
  )

  it.effect("may resolve some; the others surface, and what was answered is recorded (P132)", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const agent = asking(gated("g"), external("e", "f"), plain("p"))
      const first = yield* Agent.run(agent, { prompt, onDeferred: answering(asked, "e") })
      assert.deepStrictEqual(inShort(requestsIn(first)), {
        calls: [["f", "f", {}]],
        approvals: [["g", "g", {}]]
      })
      assert.deepStrictEqual(resultsIn(first.messages), [
        ["e", "result of e"],
        ["p", "p ran"]
      ])
      const second = yield* Agent.run(agent, {
        history: first.messages,
        deferredResults: DeferredToolResults.from(requestsIn(first), { approveAll: true, calls: { f: 1 } })
      })
      assert.deepStrictEqual(
        answersIn(second.messages).map((part) => part.id),
        ["g", "e", "p", "f"]
      )
    }).pipe(Effect.provide(calling("g", "e", "p", "f")))
  )

  it.effect("may resolve none, by saying nothing or by answering nothing", () =>
    Effect.gen(function* () {
      const silent = () => Effect.undefined
      const empty = (requests: DeferredToolRequests) => Effect.succeed(DeferredToolResults.from(requests, {}))
      const plainly = yield* Agent.run(asking(gated("g")), { prompt }).pipe(Effect.provide(calling("g")))
      for (const onDeferred of [silent, empty, [], [silent, empty]]) {
        const run = Agent.run(asking(gated("g")), { prompt, onDeferred })
        const { output } = yield* run.pipe(Effect.provide(calling("g")))
        assert.deepStrictEqual(output, plainly.output)
        const error = yield* Agent.run(textual(gated("g")), { prompt, onDeferred }).pipe(
          Effect.flip,
          Effect.provide(calling("g"))
        )
        assert(error instanceof DeferralNotAllowed)
        assert.deepStrictEqual(error.toolNames, ["g"])
      }
    })
  )

  it.effect("may be several: each sees what those before it left, in the order of the calls (P133)", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const agent = asking(gated("a"), gated("b"), external("c", "d"))
      const first = yield* Agent.run(agent, {
        prompt,
        onDeferred: [answering(asked, "b"), answering(asked, "c", "d"), answering(asked)]
      })
      const [a, b] = [
        ["a", "a", {}],
        ["b", "b", {}]
      ]
      assert.deepStrictEqual(asked, [
        {
          calls: [
            ["d", "d", {}],
            ["c", "c", {}]
          ],
          approvals: [b, a]
        },
        {
          calls: [
            ["d", "d", {}],
            ["c", "c", {}]
          ],
          approvals: [a]
        },
        { calls: [], approvals: [a] }
      ])
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [a])
    }).pipe(Effect.provide(calling("d", "b", "c", "a")))
  )

  it.effect("is not asked where nothing is left, nor where nothing waits", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      yield* Agent.run(textual(gated("g"), plain("p")), {
        prompt,
        onDeferred: [approveAll, answering(asked)]
      })
      assert.deepStrictEqual(asked, [])
    }).pipe(Effect.provide(calling("g", "p")))
  )

  it.effect("sees a call that waits again in its place, with the next handler", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const twice = Toolset.tool("t", {
        parameters: Schema.Struct({ x: Schema.optionalKey(Schema.Int) }),
        handler: Effect.fnUntraced(function* ({ x }) {
          const { approved } = yield* ToolCall
          if (!approved) return yield* new ApprovalRequired({})
          return yield* new CallDeferred({ metadata: { x: x ?? null } })
        })
      })
      const change = (requests: DeferredToolRequests) =>
        Effect.succeed(DeferredToolResults.from(requests, { approvals: { t: { approve: { x: 5 } } } }))
      const agent = textual(twice, external("e"))
      const { messages } = yield* Agent.run(agent, {
        prompt,
        onDeferred: [change, answering(asked, "t", "e")]
      })
      assert.deepStrictEqual(asked, [
        {
          calls: [
            ["t", "t", { x: 5 }],
            ["e", "e", {}]
          ],
          approvals: []
        }
      ])
      assert.deepStrictEqual(resultsIn(messages), [
        ["t", "result of t"],
        ["e", "result of e"]
      ])
    }).pipe(Effect.provide(calling("t", "e")))
  )

  it.effect("is asked at every step, and when a resumed call waits again", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const twice = Toolset.tool("t", {
        handler: Effect.fnUntraced(function* () {
          const { approved } = yield* ToolCall
          return yield* approved ? new CallDeferred({}) : new ApprovalRequired({})
        })
      })
      const agent = asking(twice, external("e"))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* Agent.run(agent, {
        history: first.messages,
        deferredResults: DeferredToolResults.from(requestsIn(first), { approveAll: true }),
        onDeferred: answering(asked, "t", "e")
      })
      assert.strictEqual(second.output, "Done.")
      assert.deepStrictEqual(asked, [
        { calls: [["t", "t", {}]], approvals: [] },
        { calls: [["e", "e", {}]], approvals: [] }
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls([{ name: "t", args: {}, id: "t" }]),
          calls([{ name: "e", args: {}, id: "e" }]),
          text("Done.")
        ])
      )
    )
  )

  it.effect("may fail, and use services: both are the run's", () =>
    Effect.gen(function* () {
      class Desk extends Context.Service<Desk, string>()("test/Desk") {}
      const run = Agent.run(textual(gated("g")), {
        prompt,
        onDeferred: () => Effect.flatMap(Desk, (name) => Effect.fail(`${name} is closed` as const))
      })
      assert.strictEqual(
        yield* Effect.flip(Effect.provideService(run, Desk, "The desk")),
        "The desk is closed"
      )
    }).pipe(Effect.provide(calling("g")))
  )

  it.effect("that gives what does not fit ends the run, before any of it runs", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const noting = (name: string) =>
        Toolset.tool(name, { requiresApproval: true, handler: () => Effect.sync(() => ran.push(name)) })
      const agent = textual(noting("a"), external("e"), plain("p"))
      const wrong: ReadonlyArray<readonly [Parameters<typeof DeferredToolResults.from>[1], string]> = [
        [{ approvals: { a: true, nobody: true } }, "There is no call of this id that waits"],
        [{ approvals: { a: true, e: true } }, "The call waits for a result, and was given an approval"],
        [
          { approvals: { a: true }, calls: { p: 1 } },
          "A call that has its answer already cannot be answered again"
        ]
      ]
      for (const [answers, problem] of wrong) {
        const error = yield* Agent.run(agent, {
          prompt,
          onDeferred: (requests) => Effect.succeed(DeferredToolResults.from(requests, answers))
        }).pipe(Effect.flip, Effect.provide(calling("a", "e", "p")))
        assert(error instanceof DeferredResultsMismatch)
        assert.strictEqual(error.problem, problem)
      }
      assert.deepStrictEqual(ran, [])
    })
  )

  it.effect("leaves the counting of retries to the step: once, however often a call was tried in it", () =>
    Effect.gen(function* () {
      const attempts: Array<number> = []
      const failing = Toolset.tool("g", {
        requiresApproval: true,
        maxRetries: 1,
        handler: Effect.fnUntraced(function* () {
          attempts.push((yield* ToolCall).attempt)
          return yield* new ModelRetry({ message: "Again." })
        })
      })
      const error = yield* Effect.flip(Agent.run(textual(failing), { prompt, onDeferred: approveAll }))
      assert.deepInclude(error, { _tag: "ToolRetriesExceeded", toolName: "g", maxRetries: 1 })
      assert.deepStrictEqual(attempts, [0, 1])
      const [, second] = yield* ScriptedModel.requests
      assert.deepStrictEqual(resultsIn(second!.prompt), [["g", retry("Again.")]])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ g: {} }), calls({ g: {} }), text("Done.")])))
  )
})
