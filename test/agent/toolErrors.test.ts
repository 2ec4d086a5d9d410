/** What becomes of a run whose tool fails: by itself it ends, by the policy of the tool the model hears of it. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Schema } from "effect"
import { Agent, ModelRetry, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answersIn, retry } from "./answers.ts"

const { calls, layer, output, parts, text } = ScriptedModel
const prompt = "Go."

/** Fails the first time it is called. */
const flaky = (onError: "recover" | "retry" | "fail") => {
  let calls = 0
  return Toolset.tool("fetch", {
    onError,
    handler: () =>
      Effect.suspend(() =>
        ++calls === 1 ? Effect.fail(new Error("network down")) : Effect.succeed("the page")
      )
  })
}

describe("a tool that fails once", () => {
  const model = layer([calls({ fetch: {} }), calls({ fetch: {} }), text("Done.")])

  for (const [mode, said] of [
    ["recover", "network down"],
    ["retry", retry("network down")]
  ] as const) {
    it.effect(`is called again by a model that was told so: ${mode} (B8)`, () =>
      Effect.gen(function* () {
        const { messages, output } = yield* Agent.run(Agent.make({ toolsets: [flaky(mode)] }), { prompt })
        assert.strictEqual(output, "Done.")
        assert.deepStrictEqual(
          answersIn(messages).map(({ isFailure, result }) => [result, isFailure]),
          [
            [said, true],
            ["the page", false]
          ]
        )
      }).pipe(Effect.provide(model))
    )
  }

  it.effect("ends the run at once with that very error: fail, as by itself (B9)", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [flaky("fail")] }), { prompt }))
      assert.strictEqual(error.message, "network down")
      assert.strictEqual((yield* ScriptedModel.requests).length, 1)
    }).pipe(Effect.provide(model))
  )
})

describe("a tool that always fails", () => {
  for (const retries of [0, 2]) {
    it.effect(`does not go on for ever: ${retries} retries (B29)`, () =>
      Effect.gen(function* () {
        const dead = Toolset.tool("dead", {
          onError: "retry",
          handler: () => Effect.fail("no line" as const)
        })
        const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [dead], retries }), { prompt }))
        assert.deepInclude(error, { _tag: "ToolRetriesExceeded", maxRetries: retries, last: "no line" })
        assert.strictEqual((yield* ScriptedModel.requests).length, retries + 1)
      }).pipe(Effect.provide(layer(() => calls({ dead: {} }))))
    )
  }
})

describe("a failure that ends the run, beside a valid output", () => {
  const fatal = { type: "tool-call", id: "1", name: "fatal", params: {} } as const
  const answer = { type: "tool-call", id: "2", name: "final_result", params: { n: 1 } } as const

  for (const endStrategy of ["graceful", "exhaustive"] as const) {
    for (const [order, response] of [
      ["before it", [fatal, answer]],
      ["after it", [answer, fatal]]
    ] as const) {
      it.effect(`ends it, ${order}: ${endStrategy} (B23)`, () =>
        Effect.gen(function* () {
          const agent = Agent.make({
            toolsets: [Toolset.tool("fatal", { handler: () => Effect.fail("lost" as const) })],
            output: Schema.Struct({ n: Schema.Int }),
            endStrategy
          })
          assert.strictEqual(yield* Effect.flip(Agent.run(agent, { prompt })), "lost")
        }).pipe(Effect.provide(layer([parts(response), output({ n: 2 })])))
      )
    }
  }
})

describe("what no policy swallows", () => {
  it.effect("is interruption: the run is interrupted, and the model hears nothing (B30)", () =>
    Effect.gen(function* () {
      for (const mode of ["recover", "retry"] as const) {
        const quits = Toolset.tool("quits", { onError: mode, handler: () => Effect.interrupt }).pipe(
          Toolset.onError(mode)
        )
        const exit = yield* Effect.exit(Agent.run(Agent.make({ toolsets: [quits] }), { prompt }))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      }
      assert.strictEqual((yield* ScriptedModel.requests).length, 2)
    }).pipe(Effect.provide(layer(() => calls({ quits: {} }))))
  )
})

describe("the tools of the agent itself", () => {
  it.effect("are not its toolsets': what is done to all of these is not done to its output", () =>
    Effect.gen(function* () {
      const agent = Agent.make({
        toolsets: [Toolset.tool("a", { handler: () => Effect.fail(new ModelRetry({ message: "No." })) })],
        output: Schema.Struct({ n: Schema.Int }),
        transform: (all) =>
          all.pipe(
            Toolset.withMetadata({ team: "x" }),
            Toolset.prefixed("p"),
            Toolset.approvalRequired(),
            Toolset.filtered(() => false)
          )
      })
      const result = yield* Agent.run(agent, { prompt })
      assert.deepStrictEqual(result.output, { n: 1 })
      const [request] = yield* ScriptedModel.requests
      assert.deepStrictEqual(request!.tools, [])
      assert.deepStrictEqual(
        request!.outputTools.map((tool) => tool.name),
        ["final_result"]
      )
    }).pipe(Effect.provide(layer([output({ n: 1 })])))
  )
})
