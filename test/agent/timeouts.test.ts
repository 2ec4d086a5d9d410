import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Fiber, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import {
  Agent,
  AgentDefinitionError,
  ModelRetry,
  ToolRetriesExceeded,
  Toolset,
  ToolsetDefinitionError
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { resultsIn, retry } from "./answers.ts"

const { calls, text } = ScriptedModel
const prompt = "Go."

/** A tool that needs a time. */
const slow = (name: string, needs: Duration.Input, timeout?: Duration.Input) =>
  Toolset.tool(name, { timeout, handler: () => Effect.as(Effect.sleep(needs), `${name} is done`) })

/** Runs an agent to its end while the time passes. */
const run = <E>(
  toolset: Toolset.Toolset<E>,
  options: {
    readonly toolTimeout?: Duration.Input
    readonly retries?: number
    readonly passes: Duration.Input
  }
) =>
  Effect.gen(function* () {
    const agent = Agent.make({
      toolsets: [toolset],
      toolTimeout: options.toolTimeout,
      retries: options.retries
    })
    const fiber = yield* Effect.forkChild(Agent.run(agent, { prompt }))
    yield* TestClock.adjust(options.passes)
    return yield* Fiber.join(fiber)
  })

const callingAll = (...names: ReadonlyArray<string>) =>
  ScriptedModel.layer([calls(names.map((name) => ({ name, args: {} }))), text("Done.")])

const tenSeconds = retry("Timed out after 10 seconds.")

describe("the tool timeout of an agent", () => {
  it.effect("asks the model to retry what takes longer", () =>
    Effect.gen(function* () {
      const { messages, usage } = yield* run(slow("t", "1 minute"), {
        toolTimeout: "10 seconds",
        passes: "10 seconds"
      })
      assert.deepStrictEqual(resultsIn(messages), [["t", tenSeconds]])
      assert.strictEqual(usage.toolCalls, 0)
    }).pipe(Effect.provide(callingAll("t")))
  )

  it.effect("leaves what ends in time alone (P83)", () =>
    Effect.gen(function* () {
      const { messages } = yield* run(slow("t", "9 seconds"), {
        toolTimeout: "10 seconds",
        passes: "9 seconds"
      })
      assert.deepStrictEqual(resultsIn(messages), [["t", "t is done"]])
    }).pipe(Effect.provide(callingAll("t")))
  )

  it.effect("is none by itself (P84)", () =>
    Effect.gen(function* () {
      const { messages } = yield* run(slow("t", "1 day"), { passes: "1 day" })
      assert.deepStrictEqual(resultsIn(messages), [["t", "t is done"]])
    }).pipe(Effect.provide(callingAll("t")))
  )

  it.effect("is for tools without one of their own (P82, P85)", () =>
    Effect.gen(function* () {
      const { messages } = yield* run(
        Toolset.combined(
          slow("shorter", "5 seconds", "0.1 seconds"),
          slow("longer", "30 seconds", "1 minute"),
          slow("none", "30 seconds"),
          slow("around", "30 seconds").pipe(Toolset.timeout("1 minute"), Toolset.prefixed("p"))
        ),
        { toolTimeout: "10 seconds", passes: "1 minute" }
      )
      assert.deepStrictEqual(resultsIn(messages), [
        ["shorter", retry("Timed out after 0.1 seconds.")],
        ["longer", "longer is done"],
        ["none", tenSeconds],
        ["p_around", "around is done"]
      ])
    }).pipe(Effect.provide(callingAll("shorter", "longer", "none", "p_around")))
  )

  it.effect("bounds tools of every source, with all that is around them (P88)", () =>
    Effect.gen(function* () {
      const kit = Toolkit.make(Tool.make("kit_tool", { success: Schema.String }))
      const waiting = Toolset.wrapper((call, next) => Effect.andThen(Effect.sleep("1 minute"), next(call)))
      const { messages } = yield* run(
        Toolset.combined(
          Toolset.fromToolkit(kit).pipe(
            Toolset.provide(kit.toLayer({ kit_tool: () => Effect.as(Effect.sleep("1 minute"), "late") }))
          ),
          Toolset.tool("wrapped", { handler: () => Effect.succeed(1) }).pipe(waiting),
          Toolset.tool("validated", {
            validateArgs: () => Effect.sleep("1 minute"),
            handler: () => Effect.succeed(1)
          }),
          Toolset.tool("gated", {
            requiresApproval: () => Effect.as(Effect.sleep("1 minute"), false),
            handler: () => Effect.succeed(1)
          })
        ),
        { toolTimeout: "10 seconds", passes: "2 minutes" }
      )
      const names = ["kit_tool", "wrapped", "validated", "gated"]
      assert.deepStrictEqual(
        resultsIn(messages),
        names.map((name) => [name, tenSeconds] as const)
      )
    }).pipe(Effect.provide(callingAll("kit_tool", "wrapped", "validated", "gated")))
  )

  it.effect("costs a retry, and ends the run where there is none (P82, P86)", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        run(slow("t", "1 minute"), { toolTimeout: "1 second", retries: 0, passes: "1 second" })
      )
      const last = "Timed out after 1 second."
      assert.deepStrictEqual(error, new ToolRetriesExceeded({ toolName: "t", maxRetries: 0, last }))
    }).pipe(Effect.provide(callingAll("t")))
  )

  it.effect("interrupts the call and awaits its finalizers", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const tool = Toolset.tool("t", {
        handler: () =>
          Effect.addFinalizer(() => Effect.sync(() => log.push("cleaned up"))).pipe(
            Effect.andThen(Effect.never)
          )
      })
      const seen = ScriptedModel.layer((request) => {
        log.push(`request with ${request.prompt.content.length} messages`)
        return request.prompt.content.length === 1 ? calls({ t: {} }) : text("Done.")
      })
      yield* run(tool, { toolTimeout: "1 second", passes: "1 second" }).pipe(Effect.provide(seen))
      assert.deepStrictEqual(log, ["request with 1 messages", "cleaned up", "request with 3 messages"])
    })
  )

  it.effect("is not a timeout that the body has by itself (P89)", () =>
    Effect.gen(function* () {
      const impatient = Toolset.tool("t", {
        handler: () => Effect.timeout(Effect.sleep("1 minute"), "1 second")
      })
      const error = yield* Effect.flip(run(impatient, { toolTimeout: "10 seconds", passes: "1 second" }))
      assert.deepInclude(error, { _tag: "TimeoutError" })
      assert.notInstanceOf(error, ModelRetry)
    }).pipe(Effect.provide(callingAll("t")))
  )
})

describe("a timeout that is not positive", () => {
  const hint = "Give a positive duration, or none for no timeout."
  const cases: ReadonlyArray<[given: Duration.Input, said: string]> = [
    [0, "0"],
    [-1, "-1"],
    ["0 seconds", '"0 seconds"'],
    ["-5 seconds", '"-5 seconds"']
  ]
  for (const [given, said] of cases) {
    it.effect(
      `of an agent is an AgentDefinitionError, of a tool a ToolsetDefinitionError: ${said} (P87)`,
      () =>
        Effect.gen(function* () {
          const agent = Agent.make({ toolTimeout: given, toolsets: [slow("t", 1)] })
          const error = yield* Effect.flip(Agent.run(agent, { prompt }))
          assert.deepStrictEqual(
            error,
            new AgentDefinitionError({ problem: `The timeout is ${said}.`, hint })
          )
          for (const toolset of [slow("t", 1, given), Toolset.timeout(slow("t", 1), given)]) {
            const error = yield* Effect.flip(Agent.run(Agent.make({ toolsets: [toolset] }), { prompt }))
            assert.instanceOf(error, ToolsetDefinitionError)
            assert.deepStrictEqual([error.problem, error.hint], [`The timeout is ${said}.`, hint])
          }
          assert.deepStrictEqual(yield* ScriptedModel.requests, [])
        }).pipe(Effect.provide(callingAll("t")))
    )
  }
})
