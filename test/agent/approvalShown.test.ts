/** Whoever is asked sees what will run, and what was shown is what runs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, ApprovalRequired, CallDeferred, DeferredToolResults, ToolCall, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "./answers.ts"
import { asking, requestsIn, resumed, x } from "./deferring.ts"
import { call, casting, prompt, stored, worker } from "./nestedAgents.ts"

const { calls, layer, text } = ScriptedModel
const ten = [calls([call("t", { x: 10 }, "1")]), text("Done.")]

/** Changes what is called. */
const changing = (change: (x: number) => number) =>
  Toolset.wrapper((call, next) => next({ ...call, args: { x: change(Number(call.args.x)) } }))
const doubled = changing((x) => x * 2)

const running = (ran: Array<unknown>) =>
  Toolset.tool("t", { parameters: x, handler: ({ x }) => Effect.sync(() => (ran.push(x), `ran ${x}`)) })

describe("somebody who is asked for a yes", () => {
  const gates: Record<string, (ran: Array<unknown>) => Toolset.Toolset> = {
    approvalRequired: (ran) => running(ran).pipe(Toolset.approvalRequired()),
    "approvalRequired, by a predicate": (ran) =>
      running(ran).pipe(Toolset.approvalRequired((_, { x }) => Number(x) > 5)),
    guard: (ran) => running(ran).pipe(Toolset.guard(() => "ask")),
    requiresApproval: (ran) =>
      Toolset.tool("t", {
        parameters: x,
        requiresApproval: true,
        handler: ({ x }) => Effect.sync(() => (ran.push(x), `ran ${x}`))
      }),
    "requiresApproval, by a predicate": (ran) =>
      Toolset.tool("t", {
        parameters: x,
        requiresApproval: ({ x }) => x > 5,
        handler: ({ x }) => Effect.sync(() => (ran.push(x), `ran ${x}`))
      }),
    "the handler": (ran) =>
      Toolset.tool("t", {
        parameters: x,
        handler: Effect.fnUntraced(function* ({ x }) {
          if (!(yield* ToolCall).approved) return yield* new ApprovalRequired({ metadata: { why: "big" } })
          ran.push(x)
          return `ran ${x}`
        })
      })
  }

  for (const [gate, toolset] of Object.entries(gates)) {
    it.effect(`sees the arguments that a wrapper made, and they run: ${gate}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const agent = asking(toolset(ran).pipe(doubled))
        const first = yield* stored(yield* Agent.run(agent, { prompt }))
        const [request] = first.output.approvals
        assert.deepInclude(request, { args: { x: 20 }, decodedArgs: { x: 10 }, rawArgs: { x: 10 } })
        const { messages } = yield* resumed(agent, first, { approveAll: true })
        assert.deepStrictEqual([ran, resultsIn(messages)], [[20], [["t", "ran 20"]]])
      }).pipe(Effect.provide(layer(ten)))
    )

    it.effect(`is asked again where a wrapper makes others of them meanwhile: ${gate}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        let factor = 2
        const agent = asking(toolset(ran).pipe(changing((x) => x * factor)))
        const first = yield* Agent.run(agent, { prompt })
        factor = 1000
        const second = yield* resumed(agent, first, { approveAll: true })
        assert.deepStrictEqual(requestsIn(second).approvals[0]?.args, { x: 10_000 })
        assert.deepStrictEqual(ran, [])
        factor = 2
        const third = yield* resumed(agent, second, { approveAll: true })
        assert.deepStrictEqual(requestsIn(third).approvals[0]?.args, { x: 20 })
        assert.deepStrictEqual(ran, [])
        yield* resumed(agent, third, { approveAll: true })
        assert.deepStrictEqual(ran, [20])
      }).pipe(Effect.provide(layer(ten)))
    )

    it.effect(`may give others, of which the wrapper makes what it makes: ${gate}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const agent = asking(toolset(ran).pipe(doubled))
        const first = yield* Agent.run(agent, { prompt })
        yield* resumed(agent, first, { approvals: { 1: { approve: { x: 50 } } } })
        assert.deepStrictEqual(ran, [100])
      }).pipe(Effect.provide(layer(ten)))
    )

    it.effect(`sees what the innermost wrapper made: ${gate}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const agent = asking(
          toolset(ran).pipe(
            changing((x) => x + 1),
            doubled
          )
        )
        const first = yield* Agent.run(agent, { prompt })
        assert.deepStrictEqual(requestsIn(first).approvals[0]?.args, { x: 21 })
        yield* resumed(agent, first, { approveAll: true })
        assert.deepStrictEqual(ran, [21])
      }).pipe(Effect.provide(layer(ten)))
    )

    it.effect(`outside of a wrapper sees what is asked for, and once is enough: ${gate}`, () =>
      Effect.gen(function* () {
        const ran: Array<unknown> = []
        const agent = asking(running(ran).pipe(doubled, Toolset.approvalRequired()))
        const first = yield* Agent.run(agent, { prompt })
        const [request] = requestsIn(first).approvals
        assert.deepStrictEqual(request?.args, { x: 10 })
        assert.notProperty(request, "decodedArgs")
        yield* resumed(agent, first, { approveAll: true })
        assert.deepStrictEqual(ran, [20])
      }).pipe(Effect.provide(layer(ten)))
    )
  }

  it.effect("on both sides of a wrapper is asked on both, each time for what runs there", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const gate = Toolset.approvalRequired()
      const agent = asking(running(ran).pipe(gate, doubled, gate))
      const first = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(requestsIn(first).approvals[0]?.args, { x: 10 })
      const second = yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(requestsIn(second).approvals[0]?.args, { x: 20 })
      assert.deepStrictEqual(ran, [])
      yield* resumed(agent, second, { approveAll: true })
      assert.deepStrictEqual(ran, [20])
    }).pipe(Effect.provide(layer(ten)))
  )

  it.effect("sees values as their schema writes them, and what is no JSON as what is wrong with it", () =>
    Effect.gen(function* () {
      const at = Toolset.tool("t", {
        parameters: Schema.Struct({ at: Schema.DateFromString, more: Schema.optionalKey(Schema.Unknown) }),
        requiresApproval: true,
        handler: () => Effect.void
      })
      const shown = (args: (at: Date) => Record<string, unknown>) =>
        Effect.gen(function* () {
          const wrapped = at.pipe(
            Toolset.wrapper((call, next) => next({ ...call, args: args(call.args.at as Date) }))
          )
          const first = yield* Agent.run(asking(wrapped), { prompt })
          return requestsIn(first).approvals[0]?.args
        }).pipe(Effect.provide(layer([calls([call("t", { at: "2020-01-01T00:00:00.000Z" }, "1")])])))
      assert.deepStrictEqual(yield* shown(() => ({ at: new Date(0) })), { at: "1970-01-01T00:00:00.000Z" })
      assert.include(String(yield* shown((at) => ({ at, more: new Map() }))), "A Map is not JSON")
    })
  )
})

describe("somebody who is asked for a result", () => {
  const waiting: Record<string, Toolset.Toolset> = {
    external: Toolset.external([
      { name: "t", parameters: { type: "object", properties: { x: { type: "integer" } } } }
    ]),
    "the handler": Toolset.tool("t", { parameters: x, handler: () => Effect.fail(new CallDeferred({})) })
  }
  for (const [what, toolset] of Object.entries(waiting)) {
    it.effect(`sees the arguments that a wrapper made: ${what}`, () =>
      Effect.gen(function* () {
        const agent = asking(toolset.pipe(doubled))
        const first = yield* stored(yield* Agent.run(agent, { prompt }))
        assert.deepInclude(first.output.calls[0], { args: { x: 20 }, decodedArgs: { x: 10 } })
        const { messages } = yield* resumed(agent, first, { calls: { 1: "there" } })
        assert.deepStrictEqual(resultsIn(messages), [["t", "there"]])
      }).pipe(Effect.provide(layer(ten)))
    )
  }
})

describe("a default that is another one each time", () => {
  const paying = (ran: Array<unknown>) => {
    let n = 0
    return Toolset.tool("pay", {
      parameters: Schema.Struct({
        to: Schema.String,
        key: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.sync(() => `key ${n++}`)))
      }),
      requiresApproval: true,
      handler: (args) => Effect.sync(() => (ran.push(args), "paid"))
    })
  }
  const pay = calls([call("pay", { to: "Ada" }, "1")])

  it.effect("is shown with a value, and runs with that", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const agent = asking(paying(ran))
      const first = yield* stored(yield* Agent.run(agent, { prompt }))
      const shown = first.output.approvals[0]?.args
      yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(ran, [shown])
    }).pipe(Effect.provide(layer([pay, text("Done.")])))
  )

  it.effect("does not stand in the way of other arguments", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const agent = asking(paying(ran))
      const first = yield* Agent.run(agent, { prompt })
      yield* resumed(agent, first, { approvals: { 1: { approve: { to: "Bob", key: "mine" } } } })
      assert.deepStrictEqual(ran, [{ to: "Bob", key: "mine" }])
    }).pipe(Effect.provide(layer([pay, text("Done.")])))
  )

  it.effect("of a call that waits again, or in which a run waits, is the one that was shown", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const inner = worker("inner", paying(ran))
      const agent = asking(inner)
      const first = yield* stored(yield* Agent.run(agent, { prompt }))
      const shown = first.output.approvals[0]?.args
      yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(ran, [shown])
    }).pipe(
      Effect.provide(
        casting({
          outer: [calls([call("inner", { task: "Pay." }, "o")]), text("Done.")],
          inner: [pay, text("done.")]
        })
      )
    )
  )

  it.effect("is no way around what was shown: other arguments do not run", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const agent = asking(paying(ran))
      const first = yield* Agent.run(agent, { prompt })
      const results = DeferredToolResults.from(requestsIn(first), { approveAll: true })
      const forged = new DeferredToolResults({
        ...results,
        answers: results.answers.map((answer) => ({
          ...answer,
          request: answer.request && { ...answer.request, args: { to: "Eve", key: "hers" } }
        })) as typeof results.answers
      })
      const error = yield* Effect.flip(Agent.run(agent, { history: first.messages, deferredResults: forged }))
      assert.include(error.message, "would run with other arguments")
      assert.deepStrictEqual(ran, [])
    }).pipe(Effect.provide(layer([pay, text("Done.")])))
  )
})
