/** A run that stopped, and what must not run where results do not fit. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Prompt } from "effect/ai"
import { Agent, type Answers, DeferredResultsMismatch, DeferredToolResults, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { asking, requestsIn } from "./deferring.ts"

const { calls, text } = ScriptedModel
export const prompt = "Go."

export const Amount = Schema.Struct({ amount: Schema.Int })

/** A tool that needs a yes, and remembers what it was run with. */
export const paying = (ran: Array<unknown>, parameters: Schema.Codec<unknown, object> = Amount) =>
  Toolset.tool("pay", {
    parameters,
    requiresApproval: true,
    handler: (args) => Effect.sync(() => ran.push(args))
  })
export const sending = (ran: Array<unknown>) =>
  Toolset.tool("send", { requiresApproval: true, handler: () => Effect.sync(() => ran.push("send")) })
export const clock = Toolset.external([{ name: "clock" }])

/** A run that stopped before `pay` and `send`, waits for `clock`, and has run `now`. */
export const stopped = Effect.fnUntraced(
  function* () {
    const now = Toolset.tool("now", { handler: () => Effect.succeed("noon") })
    const first = yield* Agent.run(asking(paying([]), sending([]), clock, now), { prompt })
    return { history: first.messages, requests: requestsIn(first) }
  },
  Effect.provide(
    ScriptedModel.layer([
      calls([
        { name: "pay", args: { amount: 20 }, id: "pay" },
        { name: "send", args: {}, id: "send" },
        { name: "clock", args: {}, id: "clock" },
        { name: "now", args: {}, id: "now" }
      ])
    ])
  )
)

export const all = { approvals: { pay: true, send: true }, calls: { clock: "21:30" } } satisfies Answers

/** Goes on with these toolsets, expects that it does not, and gives the error; nothing may have run. */
export const refused = Effect.fnUntraced(function* (
  history: Prompt.Prompt,
  deferredResults: DeferredToolResults,
  toolset: (ran: Array<unknown>) => Toolset.Toolset = (ran) =>
    Toolset.combined(paying(ran), sending(ran), clock)
) {
  const ran: Array<unknown> = []
  const handler = Effect.sync(() => (ran.push("onDeferred"), undefined))
  const error = yield* Agent.run(asking(toolset(ran)), {
    history,
    deferredResults,
    onDeferred: () => handler
  }).pipe(Effect.flip, Effect.provide(ScriptedModel.layer([text("Done.")])))
  assert(error instanceof DeferredResultsMismatch, `It is ${error._tag}.`)
  assert.deepStrictEqual(ran, [])
  return error
})
