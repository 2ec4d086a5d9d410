/** Approved calls that wait again. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  ApprovalRequired,
  CallDeferred,
  DeferredToolResults,
  ModelRetry,
  ToolCall,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, callsIn, resultsIn } from "./answers.ts"
import { asking, calling, inShort, plain, requestsIn, resumed, x } from "./deferring.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

const roles = (prompt: Prompt.Prompt) => prompt.content.map((message) => message.role)
const ids = (prompt: Prompt.Prompt) => answersIn(prompt).map((part) => part.id)

describe("an approved call", () => {
  /** Asks until it was approved so often. */
  const askingTwice = (seen: Array<unknown>) =>
    Toolset.tool("t", {
      parameters: x,
      handler: Effect.fnUntraced(function* ({ x }) {
        const { approved, metadata } = yield* ToolCall
        seen.push([x, approved, metadata])
        if (!approved) return yield* new ApprovalRequired({ metadata: { level: 1 } })
        if (metadata.level !== 2) return yield* new ApprovalRequired({ metadata: { level: 2 } })
        return `ran with ${x}`
      })
    })

  it.effect("may wait again, with what was changed, and is answered once", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const agent = asking(askingTwice(seen), plain("p"))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approvals: { t: { approve: { x: 100 } } } })
      const [request] = requestsIn(second).approvals
      assert.deepInclude(request, {
        args: { x: 100 },
        rawArgs: { x: 1 },
        changedArgs: { x: 100 },
        metadata: { level: 2 }
      })
      assert.deepStrictEqual(ids(second.messages), ["p"])
      const third = yield* resumed(agent, second, { approveAll: true, metadata: { t: { level: 2 } } })
      assert.strictEqual(third.output, "Done.")
      assert.deepStrictEqual(resultsIn(third.messages), [
        ["t", "ran with 100"],
        ["p", "p ran"]
      ])
      assert.deepStrictEqual(seen, [
        [1, false, {}],
        [100, true, {}],
        [100, true, { level: 2 }]
      ])
      assert.deepStrictEqual(
        callsIn(third.messages).map((call) => call.params),
        [{ x: 1 }, {}]
      )
    }).pipe(Effect.provide(calling({ t: { x: 1 }, p: {} })))
  )

  it.effect("may be changed again, or back", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const agent = asking(askingTwice(seen))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* resumed(agent, first, { approvals: { t: { approve: { x: 100 } } } })
      const third = yield* resumed(agent, second, { approvals: { t: { approve: { x: 1 } } } })
      assert.deepInclude(requestsIn(third).approvals[0], { args: { x: 1 }, rawArgs: { x: 1 } })
      yield* resumed(agent, third, { approveAll: true, metadata: { t: { level: 2 } } })
      assert.deepStrictEqual(seen, [
        [1, false, {}],
        [100, true, {}],
        [1, true, {}],
        [1, true, { level: 2 }]
      ])
    }).pipe(Effect.provide(calling({ t: { x: 1 } })))
  )

  it.effect("may come to wait for a result", () =>
    Effect.gen(function* () {
      const tool = Toolset.approvalRequired(
        Toolset.tool("t", { parameters: x, handler: () => Effect.fail(new CallDeferred({})) })
      )
      const first = yield* Agent.run(asking(tool), { prompt })
      const second = yield* resumed(asking(tool), first, { approveAll: true })
      assert.deepStrictEqual(inShort(requestsIn(second)), { calls: [["t", "t", { x: 1 }]], approvals: [] })
      const third = yield* resumed(asking(tool), second, { calls: { t: "done elsewhere" } })
      assert.deepStrictEqual(resultsIn(third.messages), [["t", "done elsewhere"]])
    }).pipe(Effect.provide(calling({ t: { x: 1 } })))
  )

  it.effect("that waits again keeps the prompt that came with the results", () =>
    Effect.gen(function* () {
      const agent = asking(askingTwice([]), plain("p"))
      const first = yield* Agent.run(agent, { prompt })
      const second = yield* Agent.run(agent, {
        history: first.messages,
        deferredResults: DeferredToolResults.from(requestsIn(first), { approveAll: true }),
        prompt: "Be quick."
      })
      requestsIn(second)
      assert.deepStrictEqual(roles(second.messages), ["user", "assistant", "tool", "user"])
      const third = yield* resumed(agent, second, { approveAll: true, metadata: { t: { level: 2 } } })
      assert.deepStrictEqual(roles(third.messages), ["user", "assistant", "tool", "user", "assistant"])
      assert.deepStrictEqual(ids(third.messages), ["t", "p"])
    }).pipe(Effect.provide(calling({ t: { x: 1 }, p: {} })))
  )

  it.effect("counts as the first attempt of its tool, at step 0", () =>
    Effect.gen(function* () {
      const seen: Array<number> = []
      const tool = Toolset.tool("t", {
        parameters: x,
        requiresApproval: true,
        maxRetries: 3,
        handler: () =>
          Effect.andThen(
            Effect.map(ToolCall, ({ attempt }) => seen.push(attempt)),
            Effect.fail(new ModelRetry({ message: "Again." }))
          )
      })
      const first = yield* Agent.run(asking(tool), { prompt })
      const second = yield* resumed(asking(tool), first, { approveAll: true })
      const third = yield* resumed(asking(tool), second, { approveAll: true })
      assert.strictEqual(third.output, "Done.")
      assert.deepStrictEqual(seen, [0, 0])
    }).pipe(
      Effect.provide(calling({ t: { x: 1 } }, calls([{ name: "t", args: { x: 2 }, id: "2" }]), text("Done.")))
    )
  )
})
