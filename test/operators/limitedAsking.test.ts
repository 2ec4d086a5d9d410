/** Calls at the same time, of which some only ask: they take nothing from those that run. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { ApprovalRequired, ToolFailed, Toolset } from "effect-toolset"
import { answering, inRunOf, runOf } from "./asking.ts"

/** Asks for a yes for what is odd, in its own time. */
const gates: Record<string, (self: Toolset.Toolset) => Toolset.Toolset> = {
  "an effectful predicate": (self) =>
    self.pipe(Toolset.approvalRequired((_, { n }) => Effect.as(Effect.yieldNow, Number(n) % 2 === 1))),
  "a guard": (self) =>
    self.pipe(Toolset.guard((_, { n }) => Effect.as(Effect.yieldNow, Number(n) % 2 === 1 ? "ask" : "allow"))),
  "a wrapper": (self) =>
    self.pipe(
      Toolset.wrapper((call, next) =>
        Effect.gen(function* () {
          yield* Effect.yieldNow
          return Number(call.args.n) % 2 === 1 ? yield* new ApprovalRequired({}) : yield* next(call)
        })
      )
    )
}

const numbered = (ran: Array<number>) =>
  Toolset.tool("a", {
    parameters: Schema.Struct({ n: Schema.Int }),
    handler: ({ n }) => Effect.as(Effect.yieldNow, ran.push(n))
  })

describe("limited", () => {
  for (const [what, gate] of Object.entries(gates)) {
    for (const limit of [{ perRun: 2 }, { perStep: 2 }]) {
      it.effect(`does not count who only asks against a sibling: ${what}, ${Object.keys(limit).join()}`, () =>
        Effect.gen(function* () {
          const ran: Array<number> = []
          const session = yield* Toolset.open(gate(numbered(ran)).pipe(Toolset.limited(limit)))
          const ends = yield* Effect.forEach(
            [1, 3, 2, 5, 4, 6, 7],
            (n) => Effect.flip(session.call("a", { n })).pipe(Effect.orElseSucceed(() => undefined)),
            {
              concurrency: "unbounded"
            }
          ).pipe(inRunOf(runOf()))
          assert.deepStrictEqual(ran, [2, 4])
          assert.deepStrictEqual(
            ends.map((end) => end?._tag),
            [
              "ApprovalRequired",
              "ApprovalRequired",
              undefined,
              "ApprovalRequired",
              undefined,
              "ToolFailed",
              "ToolFailed"
            ]
          )
        })
      )
    }
  }

  it.effect("waits for nobody where it is sure", () =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const waiting = Toolset.tool("a", { handler: () => Deferred.await(end) })
      const session = yield* Toolset.open(
        Toolset.combined(waiting, answering("b")).pipe(Toolset.limited({ perRun: 2 }))
      )
      yield* Effect.gen(function* () {
        yield* session.call("b", {})
        yield* session.call("b", {})
        assert.instanceOf(yield* Effect.flip(session.call("b", {})), ToolFailed)
      }).pipe(inRunOf(runOf()))
    })
  )

  it.effect("lets the next one in when one that was under way is interrupted or has ended, and no more", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const forever = Toolset.tool("a", {
        handler: () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never)
      })
      const session = yield* Toolset.open(
        Toolset.combined(forever, answering("b")).pipe(Toolset.limited({ perRun: 1 }))
      )
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(session.call("a", {}))
        yield* Deferred.await(started)
        const second = yield* Effect.forkChild(Effect.flip(session.call("b", {})))
        yield* Effect.yieldNow
        yield* Fiber.interrupt(first)
        // It was called, and counts.
        assert.instanceOf(yield* Fiber.join(second), ToolFailed)
      }).pipe(inRunOf(runOf()))
    })
  )

  it.effect("does not wait for itself: a call from inside of a call is refused", () =>
    Effect.gen(function* () {
      let session: Toolset.Session<unknown> | undefined
      const a = Toolset.tool("a", {
        handler: () =>
          Effect.map(Effect.flip(session!.call("b", {})), (error) => (error as { _tag: string })._tag)
      })
      session = yield* Toolset.open(Toolset.combined(a, answering("b")).pipe(Toolset.limited({ perRun: 1 })))
      assert.strictEqual(yield* session.call("a", {}).pipe(inRunOf(runOf())), "ToolFailed")
    })
  )
})
