/** Leaving a stream ends its run: what is under way is interrupted, and everything is closed by then. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { Agent, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const { calls, layer, text } = ScriptedModel
const prompt = "Go."

/** Something that takes a while to clean up after itself. */
const cleaningUp = (log: Array<string>, name: string) =>
  Effect.addFinalizer((exit) =>
    Effect.gen(function* () {
      for (let i = 0; i < 10; i++) yield* Effect.yieldNow
      log.push(`${name} closed (${exit._tag})`)
    })
  )

/** Tools that never end, in a toolset that is open as long as the run. */
const held = (log: Array<string>, ...names: ReadonlyArray<string>) =>
  Toolset.unwrap(
    Effect.gen(function* () {
      yield* cleaningUp(log, "toolset")
      return Toolset.combined(
        ...names.map((name) =>
          Toolset.tool(name, {
            handler: () =>
              Effect.andThen(cleaningUp(log, name), name === "quick" ? Effect.succeed(1) : Effect.never)
          })
        )
      )
    })
  )

const agentWith = (log: Array<string>) => Agent.make({ toolsets: [held(log, "quick", "slow", "other")] })
const model = layer([calls({ quick: {}, slow: {}, other: {} }), text("Done.")])

describe("whoever leaves a stream early", () => {
  it.effect("has interrupted its calls and closed its toolsets, the calls first", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const events = yield* Stream.runCollect(
        Stream.takeUntil(Agent.stream(agentWith(log), { prompt }), (event) => event._tag === "ToolResult")
      )
      assert.strictEqual(events.length, 4)
      assert.deepStrictEqual(log.slice(0, 1), ["quick closed (Success)"])
      assert.deepStrictEqual(log.slice(1, 3).toSorted(), ["other closed (Failure)", "slow closed (Failure)"])
      assert.deepStrictEqual(log.slice(3), ["toolset closed (Failure)"])
    }).pipe(Effect.provide(model))
  )

  it.effect("has opened and asked nothing more", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      yield* Stream.runHead(Agent.stream(agentWith(log), { prompt }))
      assert.strictEqual((yield* ScriptedModel.requests).length, 1)
      assert.strictEqual(log.at(-1), "toolset closed (Failure)")
    }).pipe(Effect.provide(model))
  )

  it.effect("may be interrupted", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const seen = yield* Deferred.make<void>()
      const watching = Stream.runForEach(Agent.stream(agentWith(log), { prompt }), (event) =>
        event._tag === "ToolResult" ? Deferred.succeed(seen, undefined) : Effect.void
      )
      const fiber = yield* Effect.forkChild(watching)
      yield* Deferred.await(seen)
      assert.deepStrictEqual(log, ["quick closed (Success)"])
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(log.length, 4)
      assert.strictEqual(log.at(-1), "toolset closed (Failure)")
    }).pipe(Effect.provide(model))
  )

  it.effect("may leave while the model thinks", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const asked = yield* Deferred.make<void>()
      const thinking = layer(() => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
      const fiber = yield* Agent.stream(agentWith(log), { prompt }).pipe(
        Stream.runDrain,
        Effect.provide(thinking),
        Effect.forkChild
      )
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["toolset closed (Failure)"])
    })
  )

  it.effect("may fail at an event, which is its failure", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const watching = Stream.runForEach(Agent.stream(agentWith(log), { prompt }), (event) =>
        event._tag === "ToolResult" ? Effect.fail("enough" as const) : Effect.void
      )
      assert.strictEqual(yield* Effect.flip(watching), "enough")
      assert.strictEqual(log.at(-1), "toolset closed (Failure)")
    }).pipe(Effect.provide(model))
  )
})

describe("a stream that comes to its end", () => {
  it.effect("has closed its toolsets before it says so", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const agent = Agent.make({ toolsets: [held(log, "quick")] })
      yield* Stream.runForEach(Agent.stream(agent, { prompt }), (event) =>
        Effect.sync(() => log.push(event._tag))
      )
      assert.deepStrictEqual(log, [
        "ToolCall",
        "quick closed (Success)",
        "ToolResult",
        "Text",
        "toolset closed (Success)",
        "Done"
      ])
    }).pipe(Effect.provide(layer([calls({ quick: {} }), text("Done.")])))
  )

  it.effect("begins anew each time that it is run", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const stream = Agent.stream(Agent.make({ toolsets: [held(log, "quick")] }), { prompt })
      const ends = yield* Effect.all([Stream.runLast(stream), Stream.runLast(stream)])
      assert.deepStrictEqual(
        ends.map((end) => end._tag === "Some" && end.value._tag === "Done" && end.value.result.output),
        ["1", "2"]
      )
      assert.strictEqual(log.filter((line) => line.startsWith("toolset")).length, 2)
    }).pipe(Effect.provide(layer([text("1"), text("2")])))
  )
})
