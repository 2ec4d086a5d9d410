/** Records without secrets: nothing that is registered is in one, in no form, and a replay gives the same. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import {
  Agent,
  DeferredToolRequests,
  DeferredToolResults,
  Secrets,
  ToolFailed,
  Toolset
} from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"
import { leaks } from "../secrets/leaking.ts"
import { JsonPlan, secretOf, SecretText, valueOf } from "../secrets/plans.ts"
import { attempts, killed, killing, step } from "./attempts.ts"
import { scripted } from "./models.ts"

const { calls, text } = ScriptedModel

const recording = (...secrets: ReadonlyArray<string>) =>
  Effect.provide(
    Layer.fresh(
      Layer.merge(
        Durable.layer.pipe(Layer.provideMerge(KeyValueStore.layerMemory)),
        Secrets.layer(...secrets.map((secret) => Redacted.make(secret)))
      )
    )
  )

/** Their texts, and what these say. */
const records = Effect.gen(function* () {
  const kv = yield* KeyValueStore.KeyValueStore
  const texts = yield* Effect.forEach(yield* kv.keys, (key) => kv.get(key))
  return texts.map((text) => [text, JSON.parse(text!)])
})

describe("a record", () => {
  it.effect.prop(
    "shows no secret, in whatever form, and a replay gives what the first attempt was given",
    { one: SecretText, other: SecretText, plan: JsonPlan },
    ({ one, other, plan }) => {
      const secrets = [secretOf(one), secretOf(other)] as const
      const value = valueOf(secrets, plan)
      const program = (end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          const failing = Effect.fail(new ToolFailed({ message: secrets[0], details: value as Schema.Json }))
          const given = [
            yield* step(secrets[1], Effect.succeed(value), { id: secrets[0] }),
            yield* Effect.flip(step("fails", failing)),
            yield* step("outer", step("inner", Effect.succeed([value])))
          ]
          yield* end
          return given
        })
      return Effect.gen(function* () {
        yield* attempts([program(killed)])
        assert.lengthOf(yield* records, 4)
        assert.deepStrictEqual(leaks(yield* records, secrets), [])
        const run = Durable.run(program(Effect.void), { runId: "r", schema: Schema.Any })
        const first = yield* run
        assert.deepStrictEqual(leaks(yield* records, secrets), [])
        const again = yield* run
        assert.deepStrictEqual(again, JSON.parse(JSON.stringify(first)))
      }).pipe(recording(...secrets))
    },
    { arbitrary: { runs: 150, seed: process.env.LAWS_SEED ?? "records" }, timeout: 60_000 }
  )

  it.effect(
    "of a run of an agent shows none, and the run is given what was recorded, the first time too",
    () =>
      Effect.gen(function* () {
        const tool = Toolset.tool("look", { handler: () => Effect.succeed({ token: "hunter22", ok: true }) })
        const end = Toolset.tool("end", { handler: () => ends })
        const ends = killing(1)
        const agent = Agent.make({
          instructions: "Use hunter22.",
          toolsets: [Toolset.withId(Toolset.combined(tool, end), "tools")]
        })
        const attempt = Agent.runExit(agent, { prompt: "With hunter22.", durable: { runId: "r" } })
        assert.isTrue(Exit.isFailure((yield* attempt).exit))
        assert.deepStrictEqual(leaks(yield* records, ["hunter22"]), [])
        const first = yield* attempt
        assert.deepStrictEqual(first.exit, Exit.succeed("It is ***."))
        assert.deepStrictEqual(resultsIn(first.messages)[0], ["look", { token: "***", ok: true }])
        assert.deepStrictEqual([first.usage.requests, first.replayed.requests], [3, 2])
        assert.deepStrictEqual(leaks(yield* records, ["hunter22"]), [])
        const again = yield* attempt
        assert.deepStrictEqual(again.exit, first.exit)
        assert.deepStrictEqual(again.messages, first.messages)
        assert.deepStrictEqual(again.newMessages, first.newMessages)
      }).pipe(
        Effect.provide(scripted([calls({ look: {} }), calls({ end: {} }), text("It is hunter22.")])),
        recording("hunter22")
      )
  )

  it.effect("of an approval hides the secret that a wrapper gave its call, which then runs with it", () =>
    Effect.gen(function* () {
      const ran: Array<unknown> = []
      const pay = Toolset.tool("pay", {
        parameters: Schema.Struct({ token: Schema.optionalKey(Schema.String) }),
        handler: (args) => Effect.sync(() => (ran.push(args), "paid"))
      }).pipe(
        Toolset.approvalRequired(),
        Toolset.wrapper((call, next) => next({ ...call, args: { token: "hunter22" } })),
        Toolset.withId("bank")
      )
      const agent = Agent.make({ toolsets: [pay], output: [Schema.String, DeferredToolRequests] })
      const options = { prompt: "Pay.", durable: { runId: "r" } }
      const { output } = yield* Agent.run(agent, options)
      assert.instanceOf(output, DeferredToolRequests)
      assert.deepStrictEqual(output.approvals[0]?.args, { token: "***" })
      const deferredResults = DeferredToolResults.from(output, { approveAll: true })
      assert.strictEqual((yield* Agent.run(agent, { ...options, deferredResults })).output, "Paid.")
      assert.deepStrictEqual(ran, [{ token: "hunter22" }])
      assert.deepStrictEqual(leaks(yield* records, ["hunter22"]), [])
    }).pipe(Effect.provide(scripted([calls({ pay: {} }), text("Paid.")])), recording("hunter22"))
  )

  it.effect("that cannot be read back without its secret is an error that says so", () =>
    Effect.gen(function* () {
      const [exit] = yield* attempts([step("pin", Effect.succeed(123_456), { schema: Schema.Int })])
      const error = yield* Effect.flip(exit!)
      assert.strictEqual(error.reason, "NotEncodable")
      assert.include(error.message, "where a secret in it is hidden")
    }).pipe(recording("123456"))
  )
})
