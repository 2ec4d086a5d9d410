/** Calls that ask somebody: only valid ones, and by whose word. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { Agent, ApprovalRequired, ToolCall, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, resultsIn } from "./answers.ts"
import { asking, inShort, requestsIn, resumed, x } from "./deferring.ts"
import { callingT, doubling } from "./doubling.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

describe("a call that asks", () => {
  it.effect("is sent back to the model where its arguments do not decode, and asks when they do (P110)", () =>
    Effect.gen(function* () {
      const agent = asking(Toolset.approvalRequired(doubling([])))
      const first = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [["2", "t", { x: 2 }]])
      assert.lengthOf(answersIn(first.messages), 1)
      const second = yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(resultsIn(second.messages)[1], ["t", 4])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls([{ name: "t", args: { x: "one" }, id: "1" }]),
          calls([{ name: "t", args: { x: 2 }, id: "2" }]),
          text("Done.")
        ])
      )
    )
  )

  it.effect("spends the retries of its tool, if there are none it ends the run (P111)", () =>
    Effect.gen(function* () {
      const agent = asking(Toolset.approvalRequired(doubling([], { maxRetries: 0 })))
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepInclude(error, { _tag: "ToolRetriesExceeded", toolName: "t", maxRetries: 0 })
    }).pipe(Effect.provide(callingT({ x: "one" })))
  )

  const why = Effect.fail(new ApprovalRequired({ metadata: { why: "It is the first." } }))
  const gates = {
    approvalRequired: Toolset.approvalRequired(doubling([]), () => why),
    requiresApproval: Toolset.tool("t", {
      parameters: x,
      requiresApproval: () => why,
      handler: ({ x }) => Effect.succeed(x * 2)
    })
  }
  for (const [name, gate] of Object.entries(gates)) {
    it.effect(`says why, where the predicate of ${name} asks with metadata, and runs when approved`, () =>
      Effect.gen(function* () {
        const agent = asking(gate)
        const first = yield* Agent.run(agent, { prompt })
        assert.deepStrictEqual(requestsIn(first).approvals[0]?.metadata, { why: "It is the first." })
        const second = yield* resumed(agent, first, { approveAll: true })
        assert.deepStrictEqual(resultsIn(second.messages)[0], ["t", 4])
      }).pipe(Effect.provide(callingT({ x: 2 })))
    )
  }

  it.effect("may be one whose validator asks; it validates again when approved (P112)", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const tool = Toolset.tool("t", {
        parameters: x,
        maxRetries: 0,
        validateArgs: Effect.fnUntraced(function* () {
          const { approved } = yield* ToolCall
          seen.push(`validates, ${approved ? "approved" : "not approved"}`)
          if (!approved) return yield* new ApprovalRequired({ metadata: { reason: "new" } })
        }),
        handler: ({ x }) => Effect.sync(() => (seen.push("runs"), x))
      })
      const first = yield* Agent.run(asking(tool), { prompt })
      assert.deepStrictEqual(requestsIn(first).approvals[0]?.metadata, { reason: "new" })
      assert.deepStrictEqual(seen, ["validates, not approved"])
      const { messages } = yield* resumed(asking(tool), first, { approveAll: true })
      assert.deepStrictEqual(seen, ["validates, not approved", "validates, approved", "runs"])
      assert.deepStrictEqual(resultsIn(messages), [["t", 1]])
    }).pipe(Effect.provide(callingT({ x: 1 })))
  )

  it.effect("may be decided by whoever knows: a service, a value, the arguments", () =>
    Effect.gen(function* () {
      class Policy extends Context.Service<Policy, { readonly limit: number }>()("test/Policy") {}
      const agent = asking(
        doubling([]).pipe(
          Toolset.approvalRequired((_, args) => Effect.map(Policy, ({ limit }) => Number(args.x) > limit))
        )
      )
      const first = yield* Agent.run(agent, { prompt }).pipe(Effect.provideService(Policy, { limit: 1 }))
      assert.deepStrictEqual(inShort(requestsIn(first)).approvals, [["2", "t", { x: 2 }]])
      assert.deepStrictEqual(resultsIn(first.messages), [["t", 2]])
    }).pipe(Effect.provide(callingT({ x: 1 }, { x: 2 })))
  )
})
