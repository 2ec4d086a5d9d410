import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Agent, Secrets, ToolFailed, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { leaks } from "../secrets/leaking.ts"

const secret = "pw-91c3"

/** A store, and the texts that were put into it. */
const watched = Effect.gen(function* () {
  const store = yield* Durable.Durable
  const records: Array<unknown> = []
  const own: Durable.Durable["Service"] = {
    ...store,
    memo: (place, live) =>
      store.memo(
        place,
        Effect.tap(live, (json) => Effect.sync(() => records.push(json)))
      )
  }
  return { own, records }
}).pipe(Effect.provide(Durable.layerMemory))

describe("a record", () => {
  it.effect("says no secret, whether or not the tools are masked; what is given is what was recorded", () =>
    Effect.gen(function* () {
      const { own, records } = yield* watched
      const tools = Toolset.tool("a", {
        handler: () => Effect.succeed({ [secret]: `is ${secret}`, n: 123456 })
      })
      const failing = Toolset.tool("b", { handler: () => Effect.fail(new ToolFailed({ message: secret })) })
      const agent = Agent.make({ toolsets: [Toolset.combined(tools, failing).pipe(Toolset.withId("tools"))] })
      const model = ScriptedModel.layer([
        ScriptedModel.calls({ a: {}, b: {} }),
        ScriptedModel.text(`It is ${secret}.`)
      ])
      const { requests, result } = yield* Effect.gen(function* () {
        const result = yield* Agent.run(agent, { prompt: "go", durable: { runId: "r-1" } })
        return { result, requests: yield* ScriptedModel.requests }
      }).pipe(
        Effect.provide([model, Secrets.layer(Redacted.make(secret), Redacted.make("123456"))]),
        Effect.provideService(Durable.Durable, own)
      )
      assert.isNotEmpty(records)
      assert.deepStrictEqual(leaks([records, requests, result], [secret]), [])
      assert.include(JSON.stringify(records), '"***":"is ***","n":123456')
    })
  )
})
