/** What is replayed and what runs again, on every store. */
import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Schema } from "effect"
import { ApprovalRequired, CallDeferred, ModelRetry, ToolFailed } from "effect-toolset"
import * as Durable from "effect-toolset/Durable"
import { attempts, doing, Down, killed, step } from "./attempts.ts"
import { onEveryStore } from "./stores.ts"

onEveryStore("steps", (test) => {
  test(
    "what was recorded is not run again",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          const model = yield* step("model", does("model", "call f"))
          const tool = yield* step("tool", does("tool", 42))
          yield* end
          return `${model} ${tool}`
        })
      const exits = yield* attempts([program(killed), program(Effect.void)])
      assert.deepStrictEqual(exits[1], Exit.succeed("call f 42"))
      assert.deepStrictEqual(done, ["model", "tool"])
    })
  )

  test(
    "the first difference makes it and everything later run live, and what ran then is found by the next",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (second: string, end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          yield* step("a", does("a", 1))
          yield* step("b", does(`b ${second}`, 1), { id: second })
          yield* step("c", does("c", 1))
          yield* end
        })
      yield* attempts([
        program("x", killed),
        program("y", killed),
        program("y", killed),
        program("x", Effect.void)
      ])
      assert.deepStrictEqual(done, ["a", "b x", "c", "b y", "c"])
    })
  )

  test(
    "another name at the same place is another step",
    Effect.gen(function* () {
      const { does, done } = doing()
      yield* attempts([
        Effect.andThen(step("a", does("a", 1)), killed),
        Effect.andThen(step("b", does("b", 1)), killed)
      ])
      assert.deepStrictEqual(done, ["a", "b"])
    })
  )

  test(
    "equal steps at the same time are told apart by the order in which they are claimed",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (order: ReadonlyArray<number>, end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          const gates = yield* Effect.forEach([0, 1, 2], () => Deferred.make<void>())
          const slots = yield* Effect.forEach([0, 1, 2], () =>
            Durable.slot({ name: "same", id: "same", schema: Schema.Int })
          )
          // One after the other, in any order.
          const open = (i: number) => Deferred.succeed(gates[order[i]!]!, undefined)
          yield* open(0)
          const results = yield* Effect.forEach(
            slots,
            (slot, i) =>
              slot
                .run(Effect.andThen(Deferred.await(gates[i]!), does(String(i), i)))
                .pipe(Effect.tap(() => (order.indexOf(i) < 2 ? open(order.indexOf(i) + 1) : Effect.void))),
            { concurrency: "unbounded" }
          )
          yield* end
          return results
        })
      const exits = yield* attempts([program([2, 1, 0], killed), program([0, 1, 2], Effect.void)])
      assert.deepStrictEqual(done, ["2", "1", "0"])
      assert.deepStrictEqual(exits[1], Exit.succeed([0, 1, 2]))
    })
  )

  test(
    "a step that is not replayable runs on every attempt, with what is inside it, and keeps its place",
    Effect.gen(function* () {
      const { does, done } = doing()
      const program = (end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          yield* step("a", does("a", 1))
          yield* step("now", step("inside", does("now", 1)), { replayable: false })
          yield* step("c", does("c", 1))
          yield* end
        })
      yield* attempts([program(killed), program(Effect.void)])
      assert.deepStrictEqual(done, ["a", "now", "c", "now"])
    })
  )

  test(
    "the four signals are replayed as such",
    Effect.gen(function* () {
      const { does, done } = doing()
      const signals = [
        new ModelRetry({ message: "m", reason: "timeout" }),
        new ToolFailed({ message: "t", details: { x: 1 } }),
        new ApprovalRequired({ metadata: { why: "money" } }),
        new CallDeferred({})
      ] as const
      const program = (end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          const out = yield* Effect.forEach(signals, (signal) =>
            Effect.flip(step(signal._tag, Effect.andThen(does(signal._tag, 1), Effect.fail(signal))))
          )
          yield* end
          return out
        })
      const exits = yield* attempts([program(killed), program(Effect.void)])
      assert.lengthOf(done, 4)
      assert.deepStrictEqual(exits[1], Exit.succeed([...signals]))
      const replayed = Exit.isSuccess(exits[1]!) ? exits[1].value : []
      assert.deepStrictEqual(
        replayed.map((signal) => signal.constructor),
        [ModelRetry, ToolFailed, ApprovalRequired, CallDeferred]
      )
    })
  )

  test(
    "other failures are not recorded, whether the run went on or not",
    Effect.gen(function* () {
      const { does, done } = doing()
      let down = true
      const flaky = step(
        "flaky",
        Effect.flatMap(does("flaky", "up"), (up) => (down ? Effect.fail(new Down()) : Effect.succeed(up)))
      )
      const program = (end: Effect.Effect<void>) =>
        Effect.gen(function* () {
          const found = yield* Effect.catchTag(flaky, "Down", () => Effect.succeed("caught"))
          yield* step("later", does("later", 1))
          yield* end
          return found
        })
      const again = Effect.suspend(() => {
        down = false
        return program(Effect.void)
      })
      const exits = yield* attempts([program(killed), again])
      assert.deepStrictEqual(done, ["flaky", "later", "flaky"])
      assert.deepStrictEqual(exits[1], Exit.succeed("up"))
    })
  )

  test(
    "a signal that is not all that went wrong is not recorded",
    Effect.gen(function* () {
      const { does, done } = doing()
      const failing = Effect.andThen(does("both", 1), Effect.fail(new ToolFailed({ message: "t" })))
      const both = Cause.combine(Cause.fail(new ToolFailed({ message: "t" })), Cause.die("and this"))
      const program = step("both", Effect.ensuring(failing, Effect.die("and this")))
      const parallel = step("parallel", Effect.andThen(does("parallel", 1), Effect.failCause(both)))
      yield* attempts([program, program, parallel, parallel])
      assert.deepStrictEqual(done, ["both", "both", "parallel", "parallel"])
    })
  )

  test(
    "where one of several ends the run, those that have finished stay, and those that were interrupted run again",
    Effect.gen(function* () {
      const { does, done } = doing()
      let down = true
      const program = Effect.gen(function* () {
        const finished = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
        const bodies = {
          before: does("before", 1),
          fails: Effect.gen(function* () {
            yield* Effect.all(finished.map((gate) => Deferred.await(gate)))
            yield* does("fails", 1)
            return down ? yield* new Down() : 1
          }),
          after: does("after", 1),
          slow: Effect.suspend(() => (down ? Effect.never : does("slow", 1)))
        }
        return yield* Effect.forEach(
          Object.entries(bodies),
          ([name, body]) =>
            Effect.tap(step(name, body), () =>
              name === "before"
                ? Deferred.succeed(finished[0], undefined)
                : name === "after"
                  ? Deferred.succeed(finished[1], undefined)
                  : Effect.void
            ),
          { concurrency: "unbounded" }
        )
      })
      const again = Effect.suspend(() => {
        down = false
        return program
      })
      const exits = yield* attempts([program, again])
      assert.deepStrictEqual(yield* Effect.flip(exits[0]!), new Down())
      assert.deepStrictEqual(done.toSorted(), ["after", "before", "fails", "fails", "slow"])
      assert.deepStrictEqual(exits[1], Exit.succeed([1, 1, 1, 1]))
    })
  )
})

layer(NodeServices.layer)("without a run", (it) => {
  it.effect("a step is no more than its effect", () =>
    Effect.gen(function* () {
      const { does, done } = doing()
      const once = step("a", does("a", 1), { id: 1n })
      assert.deepStrictEqual([yield* once, yield* once], [1, 1])
      assert.deepStrictEqual(done, ["a", "a"])
    })
  )
})
