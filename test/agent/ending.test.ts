/** How runs end, and what has been cleaned up by then. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { Agent, ModelRetry, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const { calls, text } = ScriptedModel
const prompt = "Go."

const callingAll = (...names: ReadonlyArray<string>) =>
  ScriptedModel.layer([calls(names.map((name) => ({ name, args: {} }))), text("Done.")])

const run = (toolsets: ReadonlyArray<Toolset.Toolset>) => Agent.run(Agent.make({ toolsets }), { prompt })

/** Something that takes a while to clean up after itself. */
const cleaningUp = (log: Array<string>, name: string) =>
  Effect.addFinalizer(() =>
    Effect.gen(function* () {
      for (let i = 0; i < 10; i++) yield* Effect.yieldNow
      log.push(`${name} is cleaned up`)
    })
  )

describe("a call that ends the run", () => {
  const ending = (name: string, end: Effect.Effect<never, "boom">) => {
    const log: Array<string> = []
    const patient = Toolset.tool("patient", {
      handler: () => Effect.andThen(cleaningUp(log, "patient"), Effect.never)
    })
    const toolset = Toolset.tool(name, { handler: () => Effect.andThen(Effect.yieldNow, end) })
    return { log, agent: Agent.make({ toolsets: [patient, toolset] }) }
  }

  it.effect("with a failure of its own interrupts the others, and awaits their finalizers (P73, P94)", () =>
    Effect.gen(function* () {
      const { agent, log } = ending("broken", Effect.fail("boom"))
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.strictEqual(error, "boom")
      assert.deepStrictEqual(log, ["patient is cleaned up"])
    }).pipe(Effect.provide(callingAll("patient", "broken")))
  )

  it.effect("with a defect interrupts the others, and dies", () =>
    Effect.gen(function* () {
      const { agent, log } = ending("buggy", Effect.die("a bug"))
      const exit = yield* Effect.exit(Agent.run(agent, { prompt }))
      assert.isTrue(Exit.hasDies(exit))
      assert.isFalse(Exit.hasFails(exit))
      assert.deepStrictEqual(log, ["patient is cleaned up"])
    }).pipe(Effect.provide(callingAll("patient", "buggy")))
  )

  it.effect("with a spent budget interrupts the others too", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const agent = Agent.make({
        retries: 0,
        toolsets: [
          Toolset.tool("patient", {
            handler: () => Effect.andThen(cleaningUp(log, "patient"), Effect.never)
          }),
          Toolset.tool("stubborn", {
            handler: () => Effect.andThen(Effect.yieldNow, Effect.fail(new ModelRetry({ message: "No." })))
          })
        ]
      })
      const error = yield* Effect.flip(Agent.run(agent, { prompt }))
      assert.deepInclude(error, { _tag: "ToolRetriesExceeded", toolName: "stubborn" })
      assert.deepStrictEqual(log, ["patient is cleaned up"])
    }).pipe(Effect.provide(callingAll("patient", "stubborn")))
  )

  it.effect("dies of what a handler throws", () =>
    Effect.gen(function* () {
      const bug = new TypeError("no such property")
      const thrower = Toolset.tool("thrower", {
        handler: (): Effect.Effect<string> => {
          throw bug
        }
      })
      const exit = yield* Effect.exit(run([thrower]))
      assert.isTrue(Exit.isFailure(exit))
      if (Exit.isFailure(exit)) assert.strictEqual(Cause.squash(exit.cause), bug)
    }).pipe(Effect.provide(callingAll("thrower")))
  )
})

describe("a run that is interrupted", () => {
  it.effect("interrupts its calls, waits for their finalizers, then closes its toolsets (P95)", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const started = yield* Deferred.make<void>()
      const toolset = Toolset.unwrap(
        Effect.gen(function* () {
          yield* cleaningUp(log, "the toolset")
          return Toolset.tool("patient", {
            handler: () =>
              cleaningUp(log, "the call").pipe(
                Effect.andThen(Deferred.succeed(started, undefined)),
                Effect.andThen(Effect.never)
              )
          })
        })
      )
      const fiber = yield* Effect.forkChild(run([toolset]))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["the call is cleaned up", "the toolset is cleaned up"])
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    }).pipe(Effect.provide(callingAll("patient")))
  )
})

describe("the toolsets of a run", () => {
  const held = (log: Array<string>, handler: () => Effect.Effect<string, "boom">) =>
    Toolset.unwrap(
      Effect.gen(function* () {
        log.push("opened")
        yield* cleaningUp(log, "the toolset")
        return Toolset.tool("t", { handler })
      })
    )
  const both = ["opened", "the toolset is cleaned up"]

  it.effect("are open until it ends, and closed before it has", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const toolset = held(log, () => Effect.sync(() => `${log.length}`))
      const { messages } = yield* Agent.run(Agent.make({ toolsets: [toolset] }), { prompt })
      assert.deepStrictEqual(log, both)
      assert.strictEqual(messages.content.length, 4)
    }).pipe(Effect.provide(callingAll("t")))
  )

  it.effect("are closed when it fails", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const agent = Agent.make({ toolsets: [held(log, () => Effect.fail("boom"))] })
      assert.strictEqual(yield* Effect.flip(Agent.run(agent, { prompt })), "boom")
      assert.deepStrictEqual(log, both)
    }).pipe(Effect.provide(callingAll("t")))
  )

  it.effect("are closed when its model fails", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const agent = Agent.make({ toolsets: [held(log, () => Effect.succeed("x"))] })
      assert.deepInclude(yield* Effect.flip(Agent.run(agent, { prompt })), { _tag: "AiError" })
      assert.deepStrictEqual(log, both)
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )

  it.effect("are closed when it is interrupted while the model thinks", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const asked = yield* Deferred.make<void>()
      const thinking = ScriptedModel.layer(() =>
        Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
      )
      const agent = Agent.make({ toolsets: [held(log, () => Effect.succeed("x"))] })
      const fiber = yield* Effect.forkChild(Effect.provide(Agent.run(agent, { prompt }), thinking))
      yield* Deferred.await(asked)
      assert.deepStrictEqual(log, ["opened"])
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, both)
    })
  )

  it.effect("are closed in reverse order, those of the run before the agent's (P137)", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const scoped = (name: string) =>
        Toolset.unwrap(
          Effect.gen(function* () {
            log.push(`${name} is opened`)
            yield* cleaningUp(log, name)
            return Toolset.empty
          })
        )
      const agent = Agent.make({ toolsets: [scoped("a"), scoped("b")] })
      yield* Agent.run(agent, { prompt, toolsets: [scoped("c")] })
      assert.deepStrictEqual(log, [
        "a is opened",
        "b is opened",
        "c is opened",
        "c is cleaned up",
        "b is cleaned up",
        "a is cleaned up"
      ])
    }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
  )

  it.effect("that fail to open end it before the model is asked, and leave nothing open (P136)", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const broken = Toolset.unwrap(Effect.fail("no connection" as const))
      const agent = Agent.make({ toolsets: [held(log, () => Effect.succeed("x")), broken] })
      assert.strictEqual(yield* Effect.flip(Agent.run(agent, { prompt })), "no connection")
      assert.deepStrictEqual(log, both)
      assert.deepStrictEqual(yield* ScriptedModel.requests, [])
    }).pipe(Effect.provide(ScriptedModel.layer([])))
  )
})
