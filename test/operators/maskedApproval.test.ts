/** Somebody is asked about a call that a wrapper gave a secret: it is not shown, and a yes is a yes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { Agent, DeferredToolRequests, DeferredToolResults, Secrets, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const secret = "pw-91c3"

/** Pays with a token that the model does not know. `to`: to whom, at each attempt. */
const paying = (
  ran: Array<unknown>,
  to: (attempt: number) => string,
  gate: (tool: Toolset.Toolset) => Toolset.Toolset
) => {
  let attempt = 0
  const pay = Toolset.tool("pay", {
    parameters: Schema.Struct({ to: Schema.String, token: Schema.optionalKey(Schema.String) }),
    handler: (args) => Effect.sync(() => (ran.push(args), "paid"))
  })
  return gate(pay).pipe(
    Toolset.wrapper((call, next) => next({ ...call, args: { to: to(attempt++), token: secret } }))
  )
}

/** What is shown when somebody is asked, and again after a yes; what has run. */
const asked = (
  to: (attempt: number) => string,
  gate: (tool: Toolset.Toolset) => Toolset.Toolset,
  cover: (tool: Toolset.Toolset) => Toolset.Toolset<never, Secrets>
) =>
  Effect.gen(function* () {
    const ran: Array<unknown> = []
    const agent = Agent.make({
      toolsets: [cover(paying(ran, to, gate))],
      output: [Schema.String, DeferredToolRequests]
    })
    const shown = (output: string | DeferredToolRequests) =>
      typeof output === "string" ? output : output.approvals.map(({ args }) => args)
    const first = yield* Agent.run(agent, { prompt: "Pay." })
    assert.instanceOf(first.output, DeferredToolRequests)
    const second = yield* Agent.run(agent, {
      history: first.messages,
      deferredResults: DeferredToolResults.from(first.output, { approveAll: true })
    })
    return { shown: [shown(first.output), shown(second.output)], ran }
  }).pipe(
    Effect.provide(Secrets.layer(Redacted.make(secret))),
    Effect.provide(
      ScriptedModel.layer([ScriptedModel.calls({ pay: { to: "Ada" } }), ScriptedModel.text("Done.")])
    )
  )

const gates = {
  approvalRequired: Toolset.approvalRequired(),
  guard: Toolset.guard(() => "ask" as const)
}
const covers = {
  once: (tool: Toolset.Toolset) => Toolset.masked(tool),
  twice: (tool: Toolset.Toolset) => tool.pipe(Toolset.masked, Toolset.prefixed(""), Toolset.masked)
}

describe("masked, where a wrapper gives a call a secret", () => {
  for (const [gate, gated] of Object.entries(gates)) {
    for (const [times, cover] of Object.entries(covers)) {
      it.effect(`shows it hidden, and a yes lets the real call run: ${gate}, masked ${times}`, () =>
        Effect.gen(function* () {
          const { ran, shown } = yield* asked(() => "Ada", gated, cover)
          assert.deepStrictEqual(shown, [[{ to: "Ada", token: "***" }], "Done."])
          assert.deepStrictEqual(ran, [{ to: "Ada", token: secret }])
        })
      )
    }

    it.effect(`is asked again where anything else is another: ${gate}`, () =>
      Effect.gen(function* () {
        const { ran, shown } = yield* asked((attempt) => (attempt === 0 ? "Ada" : "Eve"), gated, covers.once)
        assert.deepStrictEqual(shown, [[{ to: "Ada", token: "***" }], [{ to: "Eve", token: "***" }]])
        assert.deepStrictEqual(ran, [])
      })
    )
  }
})
