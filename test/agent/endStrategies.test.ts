/** What becomes of the other calls of a response in which an output is valid. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, ModelRetry, ToolFailed } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { retry } from "./answers.ts"
import {
  callOf,
  ending,
  making,
  notExecuted,
  notUsed,
  processed,
  processedUnused,
  withdrawn
} from "./mixed.ts"

const { layer, parts, text } = ScriptedModel
const prompt = "Go."

const invalid = retry('Invalid arguments: Expected number\n  at ["n"]')
const again = new ModelRetry({ message: "Again." })
const gone = new ToolFailed({ message: "Gone." })

describe("graceful", () => {
  it.effect("is the default: in order, the first valid output, and all functions (P199)", () =>
    Effect.gen(function* () {
      const ids = ["f1", "o1", "f2", "o2"]
      for (const options of [{}, { endStrategy: "graceful" }] as const) {
        assert.deepStrictEqual(yield* ending(options, ids), {
          ran: "f1 o1 f2",
          output: { n: 1 },
          requests: 1,
          recorded: [
            ["f1", "f1 ran"],
            ["o1", processed],
            ["f2", "f2 ran"],
            ["o2", notUsed]
          ]
        })
      }
    })
  )

  it.effect("tries outputs until one is valid", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ending({}, ["x1", "f1", "o-2", "o3", "x4", "o5"]), {
        ran: "f1 o-2 o3",
        output: { n: 3 },
        requests: 1,
        recorded: [
          ["x1", invalid],
          ["f1", "f1 ran"],
          ["o-2", retry("-2 is too little.")],
          ["o3", processed],
          ["x4", notUsed],
          ["o5", notUsed]
        ]
      })
    })
  )

  it.effect("withdraws the output when a function asks for a retry", () =>
    Effect.gen(function* () {
      for (const ids of [
        ["f1", "o1"],
        ["o1", "f1"]
      ]) {
        const { output, recorded, requests } = yield* ending({ ends: { f1: again } }, ids)
        assert.deepStrictEqual([output, requests], [{ n: 99 }, 2])
        assert.deepStrictEqual(Object.fromEntries(recorded), { f1: retry("Again."), o1: withdrawn })
      }
    })
  )

  it.effect("keeps it when a name is unknown, which gets its retry prompt (P204)", () =>
    Effect.gen(function* () {
      const { output, recorded } = yield* ending({}, ["u1", "o1"])
      assert.deepStrictEqual(output, { n: 1 })
      assert.deepStrictEqual(recorded, [
        ["u1", retry("Unknown tool name: 'nobody'. Available tools: 'f1', 'f2', 'f3', 'final_result'")],
        ["o1", processed]
      ])
    })
  )

  it.effect("keeps it when a function fails for good (P205)", () =>
    Effect.gen(function* () {
      const { output, recorded } = yield* ending({ ends: { f1: gone } }, ["f1", "o1"])
      assert.deepStrictEqual(output, { n: 1 })
      assert.deepStrictEqual(recorded, [
        ["f1", "Gone."],
        ["o1", processed]
      ])
    })
  )
})

describe("early", () => {
  const endStrategy = "early"

  it.effect("skips the functions, also those before the output (P200)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ending({ endStrategy }, ["f1", "x1", "u1", "o1", "f2", "o2"]), {
        ran: "o1",
        output: { n: 1 },
        requests: 1,
        recorded: [
          ["f1", notExecuted],
          ["x1", invalid],
          ["u1", notExecuted],
          ["o1", processed],
          ["f2", notExecuted],
          ["o2", notUsed]
        ]
      })
    })
  )

  it.effect("runs them when all outputs have failed, and asks again (P201)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ending({ endStrategy }, ["f1", "x1", "o-1", "f2"]), {
        ran: "o-1 f1 f2 o99",
        output: { n: 99 },
        requests: 2,
        recorded: [
          ["f1", "f1 ran"],
          ["x1", invalid],
          ["o-1", retry("-1 is too little.")],
          ["f2", "f2 ran"]
        ]
      })
    })
  )

  it.effect("runs functions beside text, which is no output (P197)", () =>
    Effect.gen(function* () {
      const { agent, log } = making({ endStrategy })
      const result = yield* Agent.run(agent, { prompt, output: Schema.String })
      assert.deepStrictEqual([result.output, log], ["Done.", ["f1"]])
    }).pipe(Effect.provide(layer([parts([{ type: "text", text: "It is 1." }, callOf("f1")]), text("Done.")])))
  )
})

describe("exhaustive", () => {
  const endStrategy = "exhaustive"

  it.effect("runs everything; the first valid output in order counts (P202)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ending({ endStrategy }, ["x1", "o2", "o-5", "o3", "f1"]), {
        ran: "o2 o-5 o3 f1",
        output: { n: 2 },
        requests: 1,
        recorded: [
          ["x1", invalid],
          ["o2", processed],
          ["o-5", retry("-5 is too little.")],
          ["o3", processedUnused],
          ["f1", "f1 ran"]
        ]
      })
    })
  )

  it.effect("withdraws the output when a function asks for a retry, too", () =>
    Effect.gen(function* () {
      const { output, recorded } = yield* ending({ endStrategy, ends: { f1: again } }, ["o1", "o2", "f1"])
      assert.deepStrictEqual(output, { n: 99 })
      assert.deepStrictEqual(recorded, [
        ["o1", withdrawn],
        ["o2", processedUnused],
        ["f1", retry("Again.")]
      ])
    })
  )
})
