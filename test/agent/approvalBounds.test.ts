/** What an approval is for: one call, with the arguments that somebody saw, and nothing else. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, ApprovalRequired, ModelRetry, ToolCall, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn } from "./answers.ts"
import { asking, requestsIn, resumed } from "./deferring.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

const paying = (paid: Array<number>) =>
  Toolset.tool("pay", {
    parameters: Schema.Struct({ n: Schema.Finite }),
    requiresApproval: true,
    handler: ({ n }) => Effect.sync(() => paid.push(n))
  })

const inside = (name: string, ...toolsets: ReadonlyArray<Toolset.Toolset>) =>
  Agent.asTool(Agent.make({ toolsets }), {
    name,
    parameters: Schema.Struct({ q: Schema.String }),
    prompt: ({ q }) => q
  })

describe("an approval", () => {
  for (const approve of [undefined, null]) {
    it.effect(`with arguments that are ${approve} is not one of the model's own`, () =>
      Effect.gen(function* () {
        const paid: Array<number> = []
        const agent = asking(paying(paid))
        const first = yield* Agent.run(agent, { prompt })
        const { messages } = yield* resumed(agent, first, { approvals: { c1: { approve } } })
        assert.deepStrictEqual(paid, [])
        assert.isTrue(answersIn(messages)[0]?.isFailure)
      }).pipe(
        Effect.provide(
          ScriptedModel.layer([calls([{ name: "pay", args: { n: 1000 }, id: "c1" }]), text("Done.")])
        )
      )
    )
  }

  it.effect("does not come with the answer to what waits inside of a call", () =>
    Effect.gen(function* () {
      const seen: Array<boolean> = []
      const looking = inside("sub", Toolset.external([{ name: "clock" }])).pipe(
        Toolset.wrapper((call, next) =>
          Effect.gen(function* () {
            const result = yield* next(call)
            const { approved } = yield* ToolCall
            seen.push(approved)
            return approved ? result : yield* new ApprovalRequired({})
          })
        )
      )
      const agent = asking(looking)
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { calls: { "s/c": "noon" } })
      assert.deepStrictEqual(seen, [false])
      assert.deepStrictEqual(
        requestsIn(second).approvals.map((one) => one.toolCallId),
        ["s"]
      )
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls([{ name: "sub", args: { q: "time" }, id: "s" }]),
          calls([{ name: "clock", args: {}, id: "c" }]),
          text("It is noon.")
        ])
      )
    )
  )

  it.effect("of a call in which a run waits is still there when that goes on, with its metadata", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const gated = inside("sub", Toolset.external([{ name: "clock" }])).pipe(
        Toolset.wrapper((call, next) =>
          Effect.gen(function* () {
            const { approved, metadata } = yield* ToolCall
            seen.push([approved, metadata])
            return yield* next(call)
          })
        ),
        Toolset.approvalRequired()
      )
      const agent = asking(gated)
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, {
        approvals: { s: true },
        metadata: { s: { by: "Ada" } }
      })
      yield* resumed(agent, second, { calls: { "s/c": "noon" } })
      assert.deepStrictEqual(seen, [
        [true, { by: "Ada" }],
        [true, { by: "Ada" }]
      ])
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls([{ name: "sub", args: { q: "time" }, id: "s" }]),
          calls([{ name: "clock", args: {}, id: "c" }]),
          text("It is noon."),
          text("Noon.")
        ])
      )
    )
  )

  it.effect("that a gate stops on its way goes to no later call of the same id", () =>
    Effect.gen(function* () {
      const paid: Array<number> = []
      let isFrozen = false
      const treasurer = inside("treasurer", paying(paid)).pipe(
        Toolset.guard(() => (isFrozen ? { deny: "frozen" } : "allow"))
      )
      const agent = asking(treasurer, inside("poet", paying(paid)))
      const first = yield* Agent.run(agent, { prompt })
      isFrozen = true
      const { output } = yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(paid, [])
      assert.strictEqual(output, "The end.")
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls([{ name: "treasurer", args: { q: "pay" }, id: "0" }]),
          calls([{ name: "pay", args: { n: 5 }, id: "0" }]),
          calls([{ name: "poet", args: { q: "rain" }, id: "0" }]),
          text("Rain."),
          text("The end.")
        ])
      )
    )
  )

  it.effect("does not hold for calls made inside, whatever was done to the ToolCall", () =>
    Effect.gen(function* () {
      const wipe = Toolset.tool("wipe", { requiresApproval: true, handler: () => Effect.succeed("wiped") })
      const clean = Toolset.tool("clean", {
        requiresApproval: true,
        handler: () => Effect.map(Effect.flip(Toolset.call(wipe, "wipe", {})), ({ _tag }) => _tag)
      }).pipe(
        Toolset.wrapper((call, next) =>
          Effect.updateService(next(call), ToolCall, (own) => ({ ...own, progress: () => Effect.void }))
        )
      )
      const agent = asking(clean)
      const first = yield* Agent.run(agent, { prompt })
      const { messages } = yield* resumed(agent, first, { approveAll: true })
      assert.deepStrictEqual(
        answersIn(messages).map(({ result }) => result),
        ["ApprovalRequired"]
      )
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ clean: {} }), text("Done.")])))
  )
})

describe("arguments", () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })

  for (const [what, toolset] of [
    ["an external tool", Toolset.external([{ name: "t", parameters: { type: "object" } }])],
    [
      "a gated tool",
      Toolset.tool("t", {
        parameters: Schema.Struct({ a: Schema.Json }),
        requiresApproval: true,
        handler: () => Effect.void
      })
    ]
  ] as const) {
    it.effect(`that are nested without end are the model's to mend: ${what}`, () =>
      Effect.gen(function* () {
        for (const args of [deep(2000), `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`]) {
          const error = yield* Effect.flip(Toolset.call(toolset, "t", args))
          assert.instanceOf(error, ModelRetry)
          assert.include(error.message, "nested more than 500 levels deep")
        }
      })
    )
  }
})
