import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Option, Schema } from "effect"
import type { LanguageModel } from "effect/ai"
import {
  Agent,
  ApprovalRequired,
  DeferralNotAllowed,
  RunContext,
  ToolCall,
  ToolNameConflict,
  Toolset,
  ToolsetDefinitionError
} from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"

class Who extends Context.Service<Who, string>()("test/Who") {}
class Broken extends Schema.TaggedError<Broken>()("Broken", { who: Schema.String }) {}

const broken = new Broken({ who: "override" })
const tool = (name: string) => Toolset.tool(name, { handler: () => Effect.succeed(`from ${name}`) })
const failing = (who = "override") => Toolset.tool("bad", { handler: () => Effect.fail(new Broken({ who })) })

const agent = Agent.make({ toolsets: [tool("agent_tool")] })
const go = Agent.run(agent, { prompt: "Go.", toolsets: [tool("run_tool")] })
const withModel = Effect.provide(TestModel.layer())
/** What is offered to a run. */
const offered = <E, R>(run: Effect.Effect<unknown, E, R>) => Effect.andThen(run, TestModel.lastToolNames)

describe("Agent.override", () => {
  it.effect("replaces the toolsets of the agent and of the run, and no longer than its effect lasts", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offered(go), ["agent_tool", "run_tool"])
      const overridden = go.pipe(Agent.override({ toolsets: [tool("override_tool")] }))
      assert.deepStrictEqual(yield* offered(overridden), ["override_tool"])
      assert.deepStrictEqual(yield* offered(Agent.override(go, { toolsets: [] })), [])
      yield* Effect.exit(Effect.andThen(go, Effect.fail("no")).pipe(Agent.override({ toolsets: [] })))
      assert.deepStrictEqual(yield* offered(go), ["agent_tool", "run_tool"])
    }).pipe(withModel)
  )

  it.effect("the innermost wins, and the outer one is back after it", () =>
    Effect.gen(function* () {
      const inner = offered(go).pipe(Agent.override({ toolsets: [tool("inner")] }))
      const all = Effect.all([offered(go), inner, offered(go)])
      const seen = yield* all.pipe(Agent.override({ toolsets: [tool("outer")] }))
      assert.deepStrictEqual(seen, [["outer"], ["inner"], ["outer"]])
    }).pipe(withModel)
  )

  it.effect("holds in fibers that are forked inside, and not in those beside it", () =>
    Effect.gen(function* () {
      const inside = Effect.flatMap(Effect.forkChild(offered(go).pipe(withModel)), Fiber.join)
      const both = [inside.pipe(Agent.override({ toolsets: [tool("inside")] })), offered(go).pipe(withModel)]
      const seen = yield* Effect.all(both, { concurrency: "unbounded" })
      assert.deepStrictEqual(seen, [["inside"], ["agent_tool", "run_tool"]])
    })
  )

  it.effect("an agent's transform stays over it", () =>
    Effect.gen(function* () {
      const transform = (all: Toolset.Leaf) => all.pipe(Toolset.prefixed("x"), Toolset.onError("recover"))
      const run = Agent.run(Agent.make({ toolsets: [tool("a")], transform }), { prompt: "Go." })
      assert.deepStrictEqual(yield* offered(run.pipe(Agent.override({ toolsets: [tool("b")] }))), ["x_b"])
      // It recovers from what the agent's own toolsets fail with, not from what it does not know.
      const exit = yield* Effect.exit(run.pipe(Agent.override({ toolsets: [failing()] })))
      assert.deepStrictEqual(exit, Exit.fail(broken))
    }).pipe(withModel)
  )

  it.effect("its failures arrive typed, past all handlers inside", () =>
    Effect.gen(function* () {
      const handled: ReadonlyArray<Effect.Effect<unknown, unknown, LanguageModel.LanguageModel>> = [
        Effect.catch(go, () => Effect.succeed("caught")),
        Effect.orDie(go),
        Effect.catchTag(go, "AiError", () => Effect.succeed("caught")),
        Effect.ignore(go),
        Effect.option(go),
        Effect.retry(go, { times: 3 }),
        Effect.orElseSucceed(go, () => "caught")
      ]
      for (const inside of handled) {
        const exit = yield* Effect.exit(inside.pipe(Agent.override({ toolsets: [failing()] })))
        assert.deepStrictEqual(exit, Exit.fail(broken))
      }
      assert.strictEqual((yield* TestModel.requests).length, handled.length)
    }).pipe(withModel)
  )

  const places: Record<string, Toolset.Toolset<Broken>> = {
    "a handler": failing(),
    "a validator": Toolset.tool("bad", {
      validateArgs: () => Effect.fail(broken),
      handler: () => Effect.void
    }),
    "an opening": Toolset.unwrap(Effect.fail(broken)),
    "a list": tool("a").pipe(Toolset.filtered(() => Effect.fail(broken))),
    instructions: tool("a").pipe(Toolset.withInstructions(Effect.fail(broken))),
    "a choice": Toolset.dynamic(Effect.fail(broken)),
    "what is chosen": Toolset.dynamic(Effect.succeed(failing())),
    "a wrapper": tool("a").pipe(Toolset.wrapper(() => Effect.fail(broken))),
    "an approval predicate": tool("a").pipe(Toolset.approvalRequired(() => Effect.fail(broken)))
  }
  for (const [place, toolset] of Object.entries(places)) {
    it.effect(`a failure of ${place} arrives typed`, () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(Effect.orDie(go).pipe(Agent.override({ toolsets: [toolset] })))
        assert.deepStrictEqual(exit, Exit.fail(broken))
      }).pipe(withModel)
    )
  }

  it.effect("each failure arrives at the override that it belongs to", () =>
    Effect.gen(function* () {
      const inner = go.pipe(Agent.override({ toolsets: [failing("inner")] }))
      const outer = Effect.gen(function* () {
        assert.deepStrictEqual(yield* Effect.flip(inner), new Broken({ who: "inner" }))
        return yield* go.pipe(Effect.catch(() => Effect.succeed("caught inside")))
      }).pipe(Agent.override({ toolsets: [failing("outer")] }))
      assert.deepStrictEqual(yield* Effect.flip(outer), new Broken({ who: "outer" }))
      // Also where it passes by another one on its way.
      const passing = Effect.flatMap(Effect.forkChild(go), (fiber) =>
        Fiber.join(fiber).pipe(Agent.override({ toolsets: [failing("inner")] }), Effect.ignore)
      ).pipe(Agent.override({ toolsets: [failing("outer")] }))
      assert.deepStrictEqual(yield* Effect.flip(passing), new Broken({ who: "outer" }))
    }).pipe(withModel)
  )

  it.effect("its signals, ToolsetErrors, interruption and defects are what they always are", () =>
    Effect.gen(function* () {
      const inside = <E>(toolset: Toolset.Toolset<E>) =>
        Effect.exit(go).pipe(Agent.override({ toolsets: [toolset] }))
      const failure = <E>(toolset: Toolset.Toolset<E>) => Effect.flip(Effect.flatten(inside(toolset)))
      const handling = (how: Effect.Effect<never, ApprovalRequired>) =>
        Toolset.tool("a", { handler: () => how })
      assert.instanceOf(yield* failure(Toolset.combined(tool("a"), tool("a"))), ToolNameConflict)
      assert.instanceOf(yield* failure(tool("a").pipe(Toolset.renamed({ x: "b" }))), ToolsetDefinitionError)
      assert.instanceOf(yield* failure(handling(Effect.fail(new ApprovalRequired({})))), DeferralNotAllowed)
      assert.deepStrictEqual(yield* inside(handling(Effect.die("broken"))), Exit.die("broken"))
      const interrupted = yield* inside(handling(Effect.interrupt))
      assert.isTrue(Exit.isFailure(interrupted) && Cause.hasInterruptsOnly(interrupted.cause))
    }).pipe(withModel)
  )

  it.effect("its services are those of where it stands; the run and the call are the run's", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const look = Effect.gen(function* () {
        const call = Option.getOrUndefined(yield* Effect.serviceOption(ToolCall))
        seen.push(`${yield* Who} ${(yield* RunContext).runId === "outer"} ${call?.id} ${call?.approved}`)
      })
      const opening = Effect.map(Who, (who) => void seen.push(who))
      const predicate = Effect.as(look, false)
      const tool = { validateArgs: () => look, requiresApproval: () => predicate, handler: () => look }
      const looking = Toolset.unwrap(Effect.as(opening, Toolset.tool("a", tool)))
      const inner = go.pipe(
        Effect.provideService(Who, "inside"),
        Agent.override({ toolsets: [looking] }),
        Effect.provideService(Who, "here")
      )
      const outer = Toolset.tool("outer", { handler: () => Effect.asVoid(inner) })
      const call = { id: "outer", name: "", exposedName: "", attempt: 0, maxRetries: 1, lastAttempt: false }
      const approved = { ...call, metadata: {}, approved: true, progress: () => Effect.void }
      yield* Toolset.call(outer, "outer", {}).pipe(Effect.provideService(ToolCall, approved))
      const inCall = Array.from({ length: 3 }, () => "here false call_a_1 false")
      assert.deepStrictEqual(seen, ["here", ...inCall])
    }).pipe(withModel)
  )
})

describe("Agent.override and nested agents", () => {
  const nestedRun = Agent.run(agent, { prompt: "Nested." })
  const asking = <E, R>(run: Effect.Effect<unknown, E, R>) =>
    Toolset.tool("ask", { handler: () => Effect.asVoid(run) })
  const running = <E, R>(toolset: Toolset.Toolset<E, R>) =>
    Agent.run(Agent.make({ toolsets: [toolset] }), { prompt: "Go." })
  /** The outer run asks, the nested one answers, the outer one too. */
  const model = ScriptedModel.layer([
    ScriptedModel.calls({ ask: {} }),
    ScriptedModel.text("Nested."),
    ScriptedModel.text("Done.")
  ])
  /** What is offered, request by request. */
  const offers = <E, R>(run: Effect.Effect<unknown, E, R>) =>
    Effect.andThen(run, ScriptedModel.requests).pipe(
      Effect.map((requests) => requests.map(({ tools }) => tools.map(({ name }) => name).join())),
      Effect.provide(model)
    )

  it.effect("a handler may override what the run in it has, and only that", () =>
    Effect.gen(function* () {
      const overriding = nestedRun.pipe(Agent.override({ toolsets: [tool("inner")] }))
      assert.deepStrictEqual(yield* offers(running(asking(nestedRun))), ["ask", "agent_tool", "ask"])
      assert.deepStrictEqual(yield* offers(running(asking(overriding))), ["ask", "inner", "ask"])
    })
  )

  it.effect(
    "what the override of a nested run fails with is a failure of the handler that it stands in",
    () =>
      Effect.gen(function* () {
        const overriding = asking(nestedRun.pipe(Agent.override({ toolsets: [failing("inner")] })))
        assert.deepStrictEqual(yield* Effect.flip(running(overriding)), new Broken({ who: "inner" }))
        // And so it is where the outer run is overridden itself.
        const both = Effect.orDie(go).pipe(Agent.override({ toolsets: [overriding] }))
        assert.deepStrictEqual(yield* Effect.flip(both), new Broken({ who: "inner" }))
      }).pipe(withModel)
  )

  it.effect(
    "a run in a handler of an override has what is there where that stands, or the override itself",
    () =>
      Effect.gen(function* () {
        const overridden = go.pipe(Agent.override({ toolsets: [asking(nestedRun)] }))
        const alone = yield* offers(overridden)
        const within = yield* offers(overridden.pipe(Agent.override({ toolsets: [tool("outer_tool")] })))
        // One or the other, but not now this, now that.
        assert.oneOf(`${alone[1]}, ${within[1]}`, ["agent_tool, outer_tool", "ask, ask"])
      })
  )
})
