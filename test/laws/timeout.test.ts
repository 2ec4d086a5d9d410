import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { ModelRetry, Toolset } from "effect-toolset"
import { TestClock } from "effect/testing"
import { sources, trees } from "./description.ts"
import { equal, on } from "./equal.ts"
import { often } from "./often.ts"

const Seconds = Schema.Literals([10, 20, 30, 40, 50])

describe("timeout", () => {
  it.effect.prop(
    "that nobody needs is the identity",
    { sources, tree: trees(undefined, 3) },
    ({ sources, tree }) => equal(sources, on(tree, { _tag: "timeout", limit: "1 hour" }), tree),
    often()
  )

  it.effect.prop(
    "s then t is timeout of the shorter one, as is the option of the tool, and asks for a retry",
    { takes: Schema.Literals([5, 15, 25, 35, 45, 55]), own: Seconds, s: Seconds, t: Seconds },
    Effect.fnUntraced(function* ({ own, s, t, takes }) {
      const ended: Array<string> = []
      const tool = Toolset.tool("slow", {
        timeout: `${own} seconds`,
        handler: () =>
          Effect.sleep(`${takes} seconds`).pipe(
            Effect.onInterrupt(() => Effect.sync(() => void ended.push("interrupted"))),
            Effect.as("done")
          )
      })
      const limited = tool.pipe(Toolset.timeout(`${s} seconds`), Toolset.timeout(`${t} seconds`))
      const fiber = yield* Effect.forkChild(Effect.result(Toolset.call(limited, "slow", {})))
      yield* TestClock.adjust("60 seconds")
      const result = yield* Fiber.join(fiber)
      const limit = Math.min(own, s, t)
      if (takes < limit) return assert.deepInclude(result, { _tag: "Success", success: "done" })
      assert.deepStrictEqual(ended, ["interrupted"])
      assert.deepInclude(result, {
        _tag: "Failure",
        failure: new ModelRetry({ message: `Timed out after ${limit} seconds.`, reason: "timeout" })
      })
    }),
    often(60)
  )
})
