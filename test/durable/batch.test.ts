/** Calls of one response, in a durable run: each has the place in which it was claimed. */
import { assert } from "@effect/vitest"
import { Deferred, Effect, Exit, Schema } from "effect"
import { Agent, ToolCall, Toolset } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "../agent/answers.ts"
import { doing, killed } from "./attempts.ts"
import { run, withModelAnd } from "./models.ts"
import { onEveryKindOfStore } from "./stores.ts"

const { calls, text } = ScriptedModel
const durable = { runId: "run-1" }
const newGate = Deferred.make<void>()

onEveryKindOfStore("a batch of calls, in a durable run", ({ it, layer }) => {
  const withModel = withModelAnd(layer)

  it.effect("calls of one response are told apart by their order, whichever ends first", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const secondIsDone = yield* Deferred.make<void>()
      const twoAreRecorded = yield* Deferred.make<void>()
      let isFirstAttempt = true
      const pay = Toolset.tool("pay", {
        parameters: Schema.Struct({ n: Schema.Int }),
        handler: Effect.fnUntraced(function* () {
          const { id, idempotencyKey } = yield* ToolCall
          if (id === "1") yield* Deferred.await(secondIsDone)
          yield* does(`${id} ${idempotencyKey}`, 1)
          if (id === "2") yield* Deferred.succeed(secondIsDone, undefined)
          return id === "3" && isFirstAttempt ? yield* Effect.never : id
        })
      })
      const kill = Effect.suspend(() =>
        isFirstAttempt ? Effect.andThen(Deferred.await(twoAreRecorded), killed) : Effect.void
      )
      const agent = Agent.make({
        toolsets: [
          Toolset.withId(pay, "bank"),
          Toolset.withId(Toolset.tool("kill", { handler: () => kill }), "tools")
        ]
      })
      let recorded = 0
      const counting = Effect.updateService(Durable.Durable, (store) => ({
        ...store,
        memo: (place, live) =>
          Effect.tap(store.memo(place, live), () =>
            place.name === "call bank/pay" && ++recorded === 2
              ? Deferred.succeed(twoAreRecorded, undefined)
              : Effect.void
          )
      }))
      const attempt = counting(run(agent, { prompt: "Go.", durable }))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(attempt)))
      isFirstAttempt = false
      const { messages } = yield* attempt
      assert.deepStrictEqual(done.map((line) => line.slice(0, 1)).toSorted(), ["1", "2", "3", "3"])
      const keyOf = (id: string) => done.filter((line) => line.startsWith(id)).map((line) => line.slice(2))
      assert.strictEqual(keyOf("3")[0], keyOf("3")[1])
      assert.lengthOf(new Set(["1", "2", "3"].flatMap(keyOf)), 3)
      assert.match(keyOf("1")[0]!, /^[0-9a-f]{32}$/)
      assert.deepStrictEqual(resultsIn(messages).slice(0, 3), [
        ["pay", "1"],
        ["pay", "2"],
        ["pay", "3"]
      ])
    }).pipe(
      withModel([
        calls([
          { name: "pay", args: { n: 1 }, id: "1" },
          { name: "pay", args: { n: 1 }, id: "2" },
          { name: "pay", args: { n: 1 }, id: "3" },
          { name: "kill", args: {}, id: "4" }
        ]),
        text("Done.")
      ])
    )
  )

  it.effect("the places of a batch are claimed in the order of its calls, before any gate is asked", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const gates = { "1": yield* newGate, "2": yield* newGate, "3": yield* newGate }
      const keys: Array<string | undefined> = []
      let asks = 0
      let isDying = true
      const pay = Toolset.tool("pay", {
        parameters: Schema.Struct({ n: Schema.Literals(["1", "2", "3"]) }),
        // All are asked, and then the last call goes first.
        requiresApproval: ({ n }) =>
          Effect.gen(function* () {
            if (++asks === 3) yield* Deferred.succeed(gates["3"], undefined)
            yield* Deferred.await(gates[n])
            return false
          }),
        handler: Effect.fnUntraced(function* ({ n }) {
          keys.push((yield* ToolCall).idempotencyKey)
          yield* does(n, n)
          return n === "1" && isDying ? yield* killed : n
        })
      })
      const places = new Set<string>()
      let recorded = 0
      const watching = Effect.updateService(Durable.Durable, (store) => ({
        ...store,
        memo: (place, live) => {
          if (place.name !== "call bank/pay") return store.memo(place, live)
          places.add(`${place.path} ${place.key}`)
          return Effect.tap(store.memo(place, live), () =>
            Deferred.succeed(gates[++recorded === 1 ? "2" : "1"], undefined)
          )
        }
      }))
      const agent = Agent.make({ toolsets: [Toolset.withId(pay, "bank")] })
      const attempt = watching(run(agent, { prompt: "Go.", durable }))
      yield* Effect.exit(attempt)
      isDying = false
      const { messages } = yield* attempt
      assert.deepStrictEqual(done, ["3", "2", "1", "1"])
      const inOrder = Array.from(places)
        .toSorted()
        .map((place) => place.slice(-32))
      assert.deepStrictEqual(keys, [inOrder[2], inOrder[1], inOrder[0], inOrder[0]])
      assert.deepStrictEqual(resultsIn(messages), [
        ["pay", "1"],
        ["pay", "2"],
        ["pay", "3"]
      ])
    }).pipe(
      withModel([calls(["1", "2", "3"].map((n) => ({ name: "pay", args: { n }, id: n }))), text("Done.")])
    )
  )
})
