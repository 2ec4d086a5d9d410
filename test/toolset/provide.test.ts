import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, flow, Layer, Schema } from "effect"
import { Agent, RunContext, Toolset } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { ending, inStep, logged, namesOf, others, textsOf } from "./resources.ts"

class Who extends Context.Service<Who, string>()("test/Who") {}
class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}

const is = (who: string) => Layer.succeed(Who, who)

/** A layer that is a resource. */
const resourceful = (log: ReturnType<typeof logged>, name: string) =>
  Layer.effect(Who, Effect.as(log.resource(name), name))

/** A tool that tells who is provided; its toolset is opened, and says with whom. */
const telling = (log: ReturnType<typeof logged>, name = "who") =>
  Toolset.unwrap(
    Effect.gen(function* () {
      const who = yield* Who
      yield* Effect.acquireRelease(log.say(`open for ${who}`), () => log.say(`close for ${who}`))
      return Toolset.tool(name, { handler: () => Effect.map(Who, (who) => who) })
    })
  )

describe("provide", () => {
  it.effect("one toolset under two provides is two sessions, each with its services", () =>
    Effect.gen(function* () {
      const log = logged()
      const who = telling(log)
      const tree = Toolset.combined(
        who.pipe(Toolset.provide(is("Ada")), Toolset.prefixed("x")),
        who.pipe(Toolset.provide(is("Bob")), Toolset.prefixed("y")),
        who.pipe(Toolset.prefixed("z"))
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* Toolset.open(tree)
          const told = yield* Effect.forEach(["x_who", "y_who", "z_who"], (name) => session.call(name, {}))
          assert.deepStrictEqual(told, ["Ada", "Bob", "Eve"])
        })
      )
      const opened = ["open for Ada", "open for Bob", "open for Eve"]
      assert.deepStrictEqual(log.events, [...opened, "close for Eve", "close for Bob", "close for Ada"])
    }).pipe(Effect.provideService(Who, "Eve"))
  )

  it.effect("one toolset under one provide is one session, wherever that occurs", () =>
    Effect.gen(function* () {
      const log = logged()
      const who = telling(log)
      const provided = Toolset.combined(who, who.pipe(Toolset.prefixed("again"))).pipe(
        Toolset.provide(is("Ada"))
      )
      const tree = Toolset.combined(
        provided.pipe(Toolset.prefixed("x")),
        provided.pipe(Toolset.prefixed("y")),
        Toolset.dynamic(Effect.succeed(provided))
      )
      const session = yield* Toolset.open(tree)
      const names = yield* namesOf(session).pipe(inStep(1))
      assert.deepStrictEqual(names, ["x_who", "x_again_who", "y_who", "y_again_who", "who", "again_who"])
      assert.deepStrictEqual(log.events, ["open for Ada"])
    })
  )

  it.effect("builds a layer once per run, wherever it is provided, and releases it after what uses it", () =>
    Effect.gen(function* () {
      const log = logged()
      const layer = resourceful(log, "Ada")
      const toolsets = [
        telling(log, "a").pipe(Toolset.provide(layer)),
        log.leaf("b"),
        Toolset.dynamic(Effect.succeed(telling(log, "c").pipe(Toolset.provide(layer))))
      ]
      const agent = Agent.make({ toolsets })
      for (const _ of [1, 2]) {
        const { output } = yield* Agent.run(agent, { prompt: "Go." })
        assert.strictEqual(output, `{"a":"Ada","b":"b","c":"Ada"}`)
        assert.deepStrictEqual(
          (yield* log.recent).filter((event) => !event.startsWith("use")),
          [
            "open Ada",
            "open for Ada",
            "open b",
            "open for Ada",
            "close for Ada",
            "close b",
            "close for Ada",
            "close Ada"
          ]
        )
      }
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("builds a layer once more below another provide, with what the innermost one gives", () =>
    Effect.gen(function* () {
      const log = logged()
      class Greeting extends Context.Service<Greeting, string>()("test/Greeting") {}
      const greeting = Layer.effect(
        Greeting,
        Effect.flatMap(Who, (who) => Effect.as(log.resource(`greeting for ${who}`), `Hello, ${who}`))
      )
      const tool = (name: string) =>
        Toolset.tool(name, { handler: () => Effect.map(Greeting, (text) => text) })
      const [a, b, c] = [tool("a"), tool("b"), tool("c")].map(Toolset.provide(greeting))
      const innermost = flow(Toolset.provide(is("Ada")), Toolset.provide(Context.make(Who, "nobody")))
      const tree = Toolset.combined(Toolset.combined(a!, b!).pipe(innermost), c!)
      const session = yield* Toolset.open(tree)
      const told = yield* Effect.forEach(["a", "b", "c"], (name) => session.call(name, {}))
      assert.deepStrictEqual(told, ["Hello, Ada", "Hello, Ada", "Hello, Eve"])
      assert.deepStrictEqual(log.events, ["open greeting for Ada", "open greeting for Eve"])
    }).pipe(Effect.provideService(Who, "Eve"))
  )

  it.effect("is lexical: over the caller's services everywhere below it, and nowhere above", () =>
    Effect.gen(function* () {
      const seen: Record<string, string> = {}
      const look = (place: string) => Effect.map(Who, (who) => void (seen[place] = who))
      const inside = (place: string) =>
        Toolset.unwrap(
          Effect.as(
            look(`${place}: opening`),
            Toolset.tool("a", {
              validateArgs: () => look(`${place}: validator`),
              requiresApproval: () => Effect.as(look(`${place}: predicate`), false),
              handler: () => look(`${place}: handler`)
            })
          )
        ).pipe(around(place))
      const around =
        (place: string) =>
        <E, R>(self: Toolset.Toolset<E, R>) =>
          self.pipe(
            Toolset.filtered(() => Effect.as(look(`${place}: filter`), true)),
            Toolset.prepared((tools) => Effect.as(look(`${place}: preparer`), tools)),
            Toolset.withInstructions(Effect.as(look(`${place}: instructions`), "")),
            Toolset.approvalRequired(() => Effect.as(look(`${place}: gate`), false)),
            Toolset.wrapper((call, next) => Effect.andThen(look(`${place}: wrapper`), next(call)))
          )
      const tree = Toolset.combined(
        inside("static"),
        Toolset.dynamic(Effect.as(look("dynamic: choice"), inside("dynamic").pipe(Toolset.prefixed("d"))))
      ).pipe(Toolset.provide(is("provided")), around("outside"))
      const session = yield* Toolset.open(tree).pipe(Effect.provideService(Who, "opening"))
      yield* Effect.gen(function* () {
        yield* Effect.andThen(session.call("a", {}), session.call("d_a", {}))
        yield* textsOf(session)
      }).pipe(inStep(1), Effect.provideService(Who, "caller"))
      assert.strictEqual(Object.keys(seen).length, 9 * 2 + 1 + 5)
      for (const [place, who] of Object.entries(seen)) {
        assert.strictEqual(who, place.startsWith("outside") ? "caller" : "provided", place)
      }
    })
  )

  it.effect(
    "a layer that cannot be built fails the opening with its error, is tried once and leaves nothing open",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const bad = Layer.effect(
          Who,
          Effect.andThen(log.resource("half"), Effect.andThen(Effect.yieldNow, Effect.fail(new Broken())))
        )
        const provided = telling(log).pipe(Toolset.provide(bad))
        const failing = Toolset.combined(log.leaf("a"), provided)
        assert.instanceOf(yield* Effect.flip(Toolset.open(failing)), Broken)
        assert.deepStrictEqual(yield* log.recent, ["open a", "open half", "close half", "close a"])
        const calm = Toolset.combined(provided.pipe(Toolset.prefixed("x")), provided).pipe(
          Toolset.onError("recover")
        )
        assert.deepStrictEqual(yield* Toolset.list(calm), [])
        assert.deepStrictEqual(log.events, ["open half", "close half"])
      })
  )

  it.effect(
    "a layer in a choice is built when that is chosen and released with the last choice that uses it",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const layer = resourceful(log, "Ada")
        const tool = (name: string) => Toolset.tool(name, { handler: () => Effect.map(Who, (who) => who) })
        const choices = [tool("a"), tool("b"), tool("c")].map(Toolset.provide(layer))
        const session = yield* Toolset.open(
          Toolset.dynamic(Effect.map(RunContext, ({ step }) => choices[step - 1]))
        )
        assert.deepStrictEqual(log.events, [])
        for (const step of [1, 2, 3]) {
          yield* namesOf(session).pipe(inStep(step))
          assert.deepStrictEqual(log.events, ["open Ada"])
        }
        yield* namesOf(session).pipe(inStep(4))
        assert.deepStrictEqual(log.events, ["open Ada", "close Ada"])
      })
  )

  it.effect("a layer that the program around has built is not built again", () =>
    Effect.gen(function* () {
      const log = logged()
      const layer = Layer.effect(Who, Effect.as(log.resource("Ada"), "Ada"))
      const tools = telling(log).pipe(Toolset.provide(layer))
      const program = Effect.andThen(
        Toolset.list(tools),
        Effect.andThen(Toolset.list(tools), log.say("done"))
      )
      yield* program.pipe(Effect.provide(layer))
      assert.deepStrictEqual(
        log.events.filter((event) => event.includes("Ada") && !event.includes("for")),
        ["open Ada", "close Ada"]
      )
      assert.strictEqual(log.events.at(-1), "close Ada")
    })
  )

  it.effect("a layer whose building was interrupted is built for the next who asks", () =>
    Effect.gen(function* () {
      const log = logged()
      const gate = yield* Deferred.make<void>()
      const layer = Layer.effect(
        Who,
        Effect.as(Effect.andThen(log.resource("Ada"), Deferred.await(gate)), "Ada")
      )
      const session = yield* Toolset.open(
        Toolset.dynamic(Effect.succeed(telling(log).pipe(Toolset.provide(layer))))
      )
      const first = yield* namesOf(session).pipe(inStep(1), (list) =>
        Effect.forkChild(list, { startImmediately: true })
      )
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* namesOf(session).pipe(inStep(2)), ["who"])
      assert.deepStrictEqual(log.events, ["open Ada", "close Ada", "open Ada", "open for Ada"])
    })
  )

  it.effect("who joined the building of a layer gets it also when the one who began it is interrupted", () =>
    Effect.gen(function* () {
      const log = logged()
      const gate = yield* Deferred.make<void>()
      const layer = Layer.effect(
        Who,
        Effect.as(Effect.andThen(log.resource("Ada"), Deferred.await(gate)), "Ada")
      )
      const [a, b] = [
        telling(log, "a").pipe(Toolset.provide(layer)),
        telling(log, "b").pipe(Toolset.provide(layer))
      ]
      // Step 1 chooses `a`, step 2 `b`: two toolsets, one layer.
      const choosing = (toolset: Toolset.Toolset, step: number) =>
        Toolset.dynamic(Effect.map(RunContext, (run) => (run.step === step ? toolset : undefined)))
      const session = yield* Toolset.open(Toolset.combined(choosing(a, 1), choosing(b, 2)))
      const first = yield* Effect.forkChild(namesOf(session).pipe(inStep(1)))
      yield* others
      const second = yield* Effect.forkChild(namesOf(session).pipe(inStep(2)))
      yield* others
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* ending(second), Exit.succeed(["b"]))
    })
  )
})
