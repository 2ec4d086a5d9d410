/** What holds whatever the end strategy is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, ApprovalRequired, CallDeferred, ModelRetry, ToolFailed } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn } from "./answers.ts"
import {
  ending,
  making,
  notExecuted,
  notUsed,
  processed,
  processedUnused,
  response,
  withdrawn
} from "./mixed.ts"

const { layer } = ScriptedModel
const prompt = "Go."

describe("whatever the strategy", () => {
  for (const endStrategy of ["graceful", "early", "exhaustive"] as const) {
    it.effect(`no retry is needed where an output is valid: ${endStrategy}`, () =>
      Effect.gen(function* () {
        for (const ids of [
          ["x1", "o2"],
          ["o-1", "o2"],
          ["o2", "x1"],
          ["o2", "o-1"]
        ]) {
          const { output } = yield* ending({ endStrategy, retries: { output: 0 } }, ids)
          assert.deepStrictEqual(output, { n: 2 })
        }
      })
    )

    it.effect(`without a retry left, none begins beside outputs that are all refused: ${endStrategy}`, () =>
      Effect.gen(function* () {
        const { agent, log } = making({ endStrategy, retries: { output: 0 } })
        const error = yield* Effect.flip(Agent.run(agent, { prompt }))
        assert.deepInclude(error, { _tag: "OutputRetriesExceeded", maxRetries: 0 })
        assert.deepStrictEqual(log, [])
      }).pipe(Effect.provide(layer([response("f1", "x1", "f2", "x2")])))
    )

    it.effect(`outputs that fail in one step cost one retry: ${endStrategy}`, () =>
      Effect.gen(function* () {
        const { output } = yield* ending({ endStrategy, retries: { output: 1 } }, ["x1", "o-2", "x3"])
        assert.deepStrictEqual(output, { n: 99 })
      })
    )
  }
})

describe("a call that would wait, where an output ends the run", () => {
  const waiting = { f1: new ApprovalRequired({}), f2: new CallDeferred({}) }
  for (const endStrategy of ["graceful", "early", "exhaustive"] as const) {
    it.effect(`does not wait, and is answered: ${endStrategy} (P207)`, () =>
      Effect.gen(function* () {
        const { output, recorded } = yield* ending({ endStrategy, ends: waiting }, ["f1", "o1", "f2"])
        assert.deepStrictEqual(output, { n: 1 })
        assert.deepStrictEqual(recorded, [
          ["f1", notExecuted],
          ["o1", processed],
          ["f2", notExecuted]
        ])
      })
    )
  }

  it.effect("waits where the output is refused, and goes on from there", () =>
    Effect.gen(function* () {
      const { agent } = making({ ends: waiting })
      const { messages, output } = yield* Agent.run(agent, { prompt })
      assert.deepInclude(output, { approvals: [], suspended: [] })
      assert.deepStrictEqual(
        resultsIn(messages).map(([name]) => name),
        ["final_result"]
      )
    }).pipe(Effect.provide(layer([response("f2", "x1")])))
  )
})

const Ids = Schema.Array(Schema.Literals(["f1", "f2", "f3", "o1", "o2", "x1", "o-1", "u1"])).check(
  Schema.isBetweenLength(1, 6),
  Schema.isUnique()
)
const Ends = Schema.Record(
  Schema.Literals(["f1", "f2", "f3"]),
  Schema.Literals(["returns", "retries", "fails"])
)
const Strategies = Schema.Literals(["graceful", "early", "exhaustive"])
const signals = {
  returns: undefined,
  retries: new ModelRetry({ message: "Again." }),
  fails: new ToolFailed({ message: "Gone." })
}

describe("for any response", () => {
  it.effect.prop(
    "the first valid output ends the run, unless a function that ran asks for a retry (P207)",
    [Strategies, Ids, Ends],
    ([endStrategy, ids, ends]) =>
      Effect.gen(function* () {
        const isValid = (id: string) => /^o\d/.test(id)
        const isFunction = (id: string) => id.startsWith("f")
        const first = ids.find(isValid)
        const skips = endStrategy === "early" && first !== undefined
        const asks = !skips && ids.some((id) => isFunction(id) && ends[id as "f1"] === "retries")
        const isFinal = first !== undefined && !asks
        const { output, ran, recorded } = yield* ending(
          {
            endStrategy,
            ends: Object.fromEntries(
              Object.entries(ends).flatMap(([name, how]) =>
                signals[how] === undefined ? [] : [[name, signals[how]]]
              )
            )
          },
          ids
        )
        assert.deepStrictEqual(output, { n: isFinal ? Number(first.slice(1)) : 99 })
        const outputs = ids.filter((id) => id.startsWith("o"))
        const tried =
          endStrategy === "exhaustive" || first === undefined
            ? outputs
            : outputs.slice(0, outputs.indexOf(first) + 1)
        const expected = [...tried, ...(skips ? [] : ids.filter(isFunction)), ...(isFinal ? [] : ["o99"])]
        assert.deepStrictEqual(ran.split(" ").toSorted(), expected.toSorted())
        for (const [id, result] of recorded) {
          if (id === first) assert.strictEqual(result, isFinal ? processed : withdrawn)
          else if (isFunction(id) && skips) assert.strictEqual(result, notExecuted)
          else if (isValid(id))
            assert.strictEqual(result, endStrategy === "exhaustive" ? processedUnused : notUsed)
        }
      })
  )
})
