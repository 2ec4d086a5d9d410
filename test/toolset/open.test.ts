import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Latch, Layer, Schema, Scope } from "effect"
import {
  ApprovalRequired,
  ModelRetry,
  RunContext,
  ToolCall,
  ToolNotFound,
  Toolset,
  ToolsetDefinitionError
} from "effect-toolset"
import { inStep, logged, namesOf, textsOf } from "./resources.ts"

class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}

describe("open", () => {
  it.effect("is open for many calls over one connection, until its scope closes", () =>
    Effect.gen(function* () {
      const log = logged()
      const scope = yield* Scope.make()
      const session = yield* Scope.provide(Toolset.open(log.leaf("a")), scope)
      for (const _ of [1, 2]) assert.strictEqual(yield* session.call("a", {}), "a")
      assert.deepStrictEqual(yield* namesOf(session).pipe(inStep(1)), ["a"])
      assert.deepStrictEqual(yield* log.recent, ["open a", "use a", "use a", "use a", "use a"])
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(log.events, ["close a"])
    })
  )

  it.effect("serves calls at the same time", () =>
    Effect.gen(function* () {
      const log = logged()
      const [first, second] = [yield* Latch.make(), yield* Latch.make()]
      const meeting = (name: string, mine: Latch.Latch, other: Latch.Latch) =>
        Toolset.tool(name, { handler: () => Effect.as(Effect.andThen(mine.open, other.await), name) })
      const session = yield* Toolset.open(
        Toolset.combined(log.leaf("c"), meeting("a", first, second), meeting("b", second, first))
      )
      const calls = Effect.all([session.call("a", {}), session.call("b", {})], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* calls, ["a", "b"])
      assert.deepStrictEqual(log.events, ["open c"])
    })
  )

  it.effect("stays open when a call fails, dies or is interrupted", () =>
    Effect.gen(function* () {
      const log = logged()
      let how: Effect.Effect<void, Broken> = Effect.void
      const session = yield* Toolset.open(log.leaf("a", { during: Effect.suspend(() => how) }))
      for (how of [Effect.fail(new Broken()), Effect.die("broken")]) {
        assert.deepStrictEqual(yield* Effect.exit(session.call("a", {})), yield* Effect.exit(how))
      }
      how = Effect.never
      const calling = yield* Effect.forkChild(session.call("a", {}), { startImmediately: true })
      yield* Fiber.interrupt(calling)
      how = Effect.void
      assert.strictEqual(yield* session.call("a", {}), "a")
      assert.notInclude(log.events, "close a")
    })
  )

  it.effect("its calls are those of an agent, once: signals and unknown names are failures", () =>
    Effect.gen(function* () {
      const tools = Toolset.combined(
        Toolset.tool("strict", {
          parameters: Schema.Struct({ n: Schema.Int }),
          handler: ({ n }) => Effect.succeed(n)
        }),
        Toolset.tool("gated", {
          requiresApproval: true,
          handler: () => Effect.map(ToolCall, ({ attempt }) => attempt)
        })
      )
      const session = yield* Toolset.open(tools)
      assert.instanceOf(yield* Effect.flip(session.call("strict", { n: "one" })), ModelRetry)
      assert.instanceOf(yield* Effect.flip(session.call("gated", {})), ApprovalRequired)
      const unknown = yield* Effect.flip(session.call("other", {}))
      assert.deepStrictEqual(
        unknown,
        new ToolNotFound({ toolName: "other", availableTools: ["strict", "gated"] })
      )
      const spoken = {
        id: "1",
        name: "gated",
        exposedName: "gated",
        attempt: 3,
        maxRetries: 5,
        lastAttempt: false
      }
      const approved = { ...spoken, metadata: {}, approved: true, progress: () => Effect.void }
      assert.strictEqual(yield* session.call("gated", {}).pipe(Effect.provideService(ToolCall, approved)), 3)
    })
  )

  it.effect("a call without a run is one at step 1; in a run it is one of that step", () =>
    Effect.gen(function* () {
      const step = Toolset.tool("step", { handler: () => Effect.map(RunContext, ({ step }) => step) })
      const session = yield* Toolset.open(step.pipe(Toolset.filtered((_, { step }) => step < 8)))
      assert.strictEqual(yield* session.call("step", {}), 1)
      assert.strictEqual(yield* session.call("step", {}).pipe(inStep(7)), 7)
      assert.instanceOf(yield* Effect.flip(session.call("step", {}).pipe(inStep(8))), ToolNotFound)
    })
  )

  const uses: Record<string, <E>(session: Toolset.Session<E>) => Effect.Effect<unknown, unknown>> = {
    "its tools are listed": (session) => namesOf(session).pipe(inStep(2)),
    "its instructions are asked": (session) => textsOf(session).pipe(inStep(2)),
    "one of its tools is called": (session) => session.call("a", {})
  }
  for (const [what, use] of Object.entries(uses)) {
    it.effect(`after its scope has closed it is an error that says so when ${what}`, () =>
      Effect.gen(function* () {
        const log = logged()
        const a = Toolset.unwrap(
          Effect.map(log.resource("a"), (resource) =>
            Toolset.tool("a", { handler: () => log.use(resource) }).pipe(
              Toolset.filtered(() => Effect.as(log.use(resource), true)),
              Toolset.withInstructions(log.use(resource))
            )
          )
        )
        const session = yield* Effect.scoped(Toolset.open(a))
        const exit = yield* Effect.exit(use(session))
        assert.deepStrictEqual(log.flaws, [])
        const error = yield* Effect.flip(exit)
        assert.instanceOf(error, ToolsetDefinitionError)
        assert.include(String(error), "The scope that it was opened in has closed.")
      })
    )
  }

  it.effect("two sessions of one value are two", () =>
    Effect.gen(function* () {
      let opened = 0
      const counting = Toolset.unwrap(
        Effect.sync(() => {
          const number = ++opened
          return Toolset.tool("number", { handler: () => Effect.succeed(number) })
        })
      )
      const [first, second] = [yield* Toolset.open(counting), yield* Toolset.open(counting)]
      const numbers = [
        yield* first.call("number", {}),
        yield* second.call("number", {}),
        yield* first.call("number", {})
      ]
      assert.deepStrictEqual(numbers, [1, 2, 1])
    })
  )

  it.effect("a handler's Scope closes with the call also where it fails or is interrupted", () =>
    Effect.gen(function* () {
      const log = logged()
      for (const how of [Effect.fail("no"), Effect.die("no"), Effect.interrupt]) {
        const tool = Toolset.tool("a", { handler: () => Effect.andThen(log.resource("a"), how) })
        const session = yield* Toolset.open(tool)
        yield* Effect.exit(session.call("a", {}))
        assert.deepStrictEqual(yield* log.recent, ["open a", "close a"])
      }
    })
  )

  it.effect(
    "a captured Scope stays closed to calls: what a handler acquires is not left to the one around it",
    () =>
      Effect.gen(function* () {
        const log = logged()
        const tool = Toolset.tool("a", { handler: () => Effect.asVoid(log.resource("a")) })
        const around = yield* Scope.make()
        const context = Context.make(Scope.Scope, around)
        for (const self of [
          tool.pipe(Toolset.provide(context)),
          tool.pipe(Toolset.provide(Layer.succeedContext(context)))
        ]) {
          yield* Toolset.call(self, "a", {})
          assert.deepStrictEqual(yield* log.recent, ["open a", "close a"])
        }
        const session = yield* Scope.provide(Toolset.open(tool), around)
        yield* session.call("a", {})
        assert.deepStrictEqual(log.events, ["open a", "close a"])
      })
  )
})

describe("Toolset.call and Toolset.list", () => {
  for (const [what, how] of Object.entries({
    succeeds: Effect.void,
    fails: Effect.fail("no"),
    dies: Effect.die("no"),
    "is interrupted": Effect.interrupt
  })) {
    it.effect(`open, and close when the call ${what}`, () =>
      Effect.gen(function* () {
        const log = logged()
        const tools = Toolset.combined(log.leaf("a"), log.leaf("b", { during: how }))
        yield* Effect.exit(Toolset.call(tools, "b", {}))
        assert.deepStrictEqual(
          log.events.filter((event) => !event.startsWith("use")),
          ["open a", "open b", "close b", "close a"]
        )
      })
    )
  }

  it.effect("close also where there is no such tool, or two have one name", () =>
    Effect.gen(function* () {
      const log = logged()
      const a = log.leaf("a")
      yield* Effect.flip(Toolset.call(a, "b", {}))
      yield* Effect.flip(Toolset.list(Toolset.combined(a, a)))
      assert.deepStrictEqual(log.events, ["open a", "close a", "open a", "close a"])
    })
  )

  it.effect("close what a choice opened too, in reverse", () =>
    Effect.gen(function* () {
      const log = logged()
      const choosing = Toolset.dynamic(Effect.as(log.resource("choice"), log.leaf("a")))
      yield* Toolset.call(Toolset.combined(choosing, log.leaf("b")), "a", {})
      const closed = ["close a", "close choice", "close b"]
      assert.deepStrictEqual(log.events, ["open b", "open choice", "open a", "use a", "use a", ...closed])
    })
  )
})
