import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { RunContext, Toolset } from "effect-toolset"
import { answering, conflict, flaw, inRunOf, names, tools } from "./asking.ts"
import { logged } from "./resources.ts"

/** A tool named after the step in which it is listed. */
const stepping = answering("t").pipe(
  Toolset.prepared((all, { runId, step }) =>
    all.map((tool) => ({ ...tool, description: `${runId}, ${step}` }))
  )
)

describe("list", () => {
  it.effect("says what a toolset offers, in order (P1)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* names(tools("b", "a", "c")), ["b", "a", "c"])
      assert.deepStrictEqual(yield* Toolset.list(Toolset.empty), [])
    })
  )

  it.effect("opens, lists and closes, and so again each time", () =>
    Effect.gen(function* () {
      const { events, leaf } = logged()
      const both = Toolset.combined(leaf("a"), leaf("b"))
      assert.deepStrictEqual(yield* names(both), ["a", "b"])
      yield* names(both)
      const once = ["open a", "open b", "close b", "close a"]
      assert.deepStrictEqual(events, [...once, ...once])
    })
  )

  it.effect("closes also where the listing fails", () =>
    Effect.gen(function* () {
      const { events, leaf } = logged()
      yield* Effect.exit(Toolset.list(leaf("a").pipe(Toolset.filtered(() => Effect.fail("no")))))
      yield* conflict(Toolset.list(Toolset.combined(leaf("b"), answering("b"))))
      assert.deepStrictEqual(events, ["open a", "close a", "open b", "close b"])
    })
  )

  it.effect("is at step 1 of a run of its own, or at the step that is there", () =>
    Effect.gen(function* () {
      const description = Effect.map(Toolset.list(stepping), ([tool]) => tool?.description)
      assert.strictEqual(yield* description, "direct, 1")
      assert.strictEqual(yield* description.pipe(inRunOf({ runId: "r", step: 3 })), "r, 3")
    })
  )

  it.effect("has a run without history, without usage, without retries, where none is there", () =>
    Effect.gen(function* () {
      const runs: Array<Toolset.Run> = []
      yield* Toolset.list(answering("t").pipe(Toolset.filtered((_, run) => runs.push(run) > 0)))
      const { messages, retries, usage } = runs[0]!
      assert.deepStrictEqual(messages.content, [])
      assert.deepStrictEqual(usage, { requests: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 })
      assert.strictEqual(retries.size, 0)
    })
  )

  it.effect("needs what the toolset needs, and nothing more", () =>
    Effect.gen(function* () {
      class Role extends Context.Service<Role, string>()("test/Role") {}
      const forAdmins = answering("t").pipe(
        Toolset.filtered(() =>
          Effect.zipWith(Role, RunContext, (role, { step }) => role === "admin" && step === 1)
        )
      )
      const listed: Effect.Effect<ReadonlyArray<string>, unknown, Role> = names(forAdmins)
      assert.deepStrictEqual(yield* listed.pipe(Effect.provide(Layer.succeed(Role, "admin"))), ["t"])
      assert.deepStrictEqual(yield* listed.pipe(Effect.provide(Layer.succeed(Role, "user"))), [])
    })
  )

  it.effect("fails where a toolset cannot be opened, with what it fails with", () =>
    Effect.gen(function* () {
      const closed: Toolset.Toolset<"closed"> = Toolset.unwrap(
        Effect.as(Effect.fail("closed" as const), answering("t"))
      )
      assert.strictEqual(yield* Effect.flip(Toolset.list(closed)), "closed")
      yield* flaw(Toolset.list(answering("t").pipe(Toolset.withMaxRetries(-1))))
    })
  )
})
