import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Toolset } from "effect-toolset"
import { isReplayable } from "../../src/toolset/replayable.ts"

const tool = Toolset.tool("a", { handler: () => Effect.succeed(1) })
const isReplayed = (toolset: Toolset.Toolset) =>
  Effect.map(Toolset.list(toolset), ([definition]) => isReplayable({ definition: definition! }))

describe("replayable", () => {
  it.effect("says whether a durable run gives again what the tools gave; they do by themselves", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isReplayed(tool))
      assert.isFalse(yield* isReplayed(Toolset.replayable(tool, false)))
      assert.isTrue(yield* isReplayed(tool.pipe(Toolset.replayable(true))))
    })
  )

  it.effect("of two, the last one added holds", () =>
    Effect.gen(function* () {
      const [no, yes] = [Toolset.replayable(false), Toolset.replayable(true)]
      assert.isTrue(yield* isReplayed(tool.pipe(no, yes)))
      assert.isFalse(yield* isReplayed(tool.pipe(yes, no)))
    })
  )

  it.effect("survives what is put around it, and changes nothing else", () =>
    Effect.gen(function* () {
      const around = tool.pipe(
        Toolset.replayable(false),
        Toolset.prefixed("x"),
        Toolset.withId("id"),
        Toolset.prepared((tools) => Effect.succeed(tools.map((tool) => ({ ...tool, description: "A." })))),
        Toolset.renamed({ b: "x_a" }),
        Toolset.wrapper((call, next) => next(call))
      )
      assert.isFalse(yield* isReplayed(around))
      assert.strictEqual(yield* Toolset.call(around, "b", {}), 1)
      const [plain] = yield* Toolset.list(tool)
      const [marked] = yield* Toolset.list(Toolset.replayable(tool, false))
      assert.deepStrictEqual({ ...marked, annotations: undefined }, { ...plain, annotations: undefined })
    })
  )
})
