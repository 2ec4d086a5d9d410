import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Logger, References, Schema, Tracer } from "effect"
import {
  Agent,
  DeferredToolRequests,
  DeferredToolResults,
  RunContext,
  ToolCall,
  Toolset
} from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answering, approved, Broken, failed, inRunOf, logging, sources, tag } from "./asking.ts"

const pay = Toolset.tool("pay", {
  parameters: Schema.Struct({ amount: Schema.FiniteFromString }),
  handler: ({ amount }) => Effect.succeed(amount)
})
const byAmount = (_: unknown, { amount }: Toolset.Args): Toolset.Decision =>
  Number(amount) < 10 ? "allow" : Number(amount) < 100 ? "ask" : { deny: "too much" }

const atDebug = Effect.provideService(References.MinimumLogLevel, "Debug")

describe("guard", () => {
  it.effect("allows, asks or denies, by the decoded arguments", () =>
    Effect.gen(function* () {
      const guarded = Toolset.guard(pay, byAmount)
      assert.strictEqual(yield* Toolset.call(guarded, "pay", { amount: "5" }), 5)
      assert.strictEqual(yield* tag(Toolset.call(guarded, "pay", { amount: "50" })), "ApprovalRequired")
      assert.strictEqual(yield* failed(Toolset.call(guarded, "pay", { amount: "500" })), "too much")
    })
  )

  it.effect("is not asked about arguments that do not decode", () =>
    Effect.gen(function* () {
      const guarded = Toolset.guard(pay, () => Effect.die("asked"))
      assert.strictEqual(yield* tag(Toolset.call(guarded, "pay", {})), "ModelRetry")
    })
  )

  it.effect("takes an approval for an answer to ask, and to nothing else", () =>
    Effect.gen(function* () {
      const guarded = Toolset.guard(pay, byAmount)
      assert.strictEqual(yield* approved(Toolset.call(guarded, "pay", { amount: "50" })), 50)
      assert.strictEqual(yield* failed(approved(Toolset.call(guarded, "pay", { amount: "500" }))), "too much")
    })
  )

  it.effect("decides from the tool, the run, and services; its failures are the toolset's", () =>
    Effect.gen(function* () {
      class Role extends Context.Service<Role, string>()("test/guard/Role") {}
      const guarded = Toolset.combined(answering("read"), answering("write")).pipe(
        Toolset.guard((tool, _, run) =>
          Effect.gen(function* () {
            const role = yield* Role
            const { exposedName } = yield* ToolCall
            const { step } = yield* RunContext
            assert.strictEqual(step, run.step)
            assert.strictEqual(exposedName, tool.name)
            if (role === "nobody") return yield* new Broken({ who: "guard" })
            return tool.name === "read" || role === "admin" || run.step > 1
              ? "allow"
              : { deny: `not ${role}` }
          })
        )
      )
      const as = (role: string) => Effect.provideService(Role, role)
      assert.strictEqual(yield* as("user")(Toolset.call(guarded, "read", {})), "read")
      assert.strictEqual(yield* as("user")(failed(Toolset.call(guarded, "write", {}))), "not user")
      assert.strictEqual(yield* as("admin")(Toolset.call(guarded, "write", {})), "write")
      assert.strictEqual(yield* as("user")(inRunOf({ step: 2 })(Toolset.call(guarded, "write", {}))), "write")
      assert.strictEqual(yield* as("nobody")(tag(Toolset.call(guarded, "read", {}))), "Broken")
    })
  )

  it.effect("decides about the tools of any source", () =>
    Effect.gen(function* () {
      for (const source of Object.values(sources)) {
        const guarded = source(answering("a")).pipe(Toolset.guard(() => ({ deny: "no" })))
        assert.strictEqual(yield* failed(Toolset.call(guarded, "a", {})), "no")
      }
      const external = Toolset.external([{ name: "a" }]).pipe(Toolset.guard(() => ({ deny: "no" })))
      assert.strictEqual(yield* failed(Toolset.call(external, "a", {})), "no")
    })
  )

  it.effect("is heard from outside in: of two, the outer one decides first", () =>
    Effect.gen(function* () {
      const decided: Array<string> = []
      const guard = (who: string, decision: Toolset.Decision) =>
        Toolset.guard(() => Effect.sync(() => (decided.push(who), decision)))
      const tools = answering("a").pipe(guard("inner", { deny: "inner" }), guard("outer", "ask"))
      assert.strictEqual(yield* tag(Toolset.call(tools, "a", {})), "ApprovalRequired")
      assert.strictEqual(yield* failed(approved(Toolset.call(tools, "a", {}))), "inner")
      assert.deepStrictEqual(decided, ["outer", "outer", "inner"])
    })
  )

  it.effect("leaves an event on the span of the call, and a line in the log", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const { layer, lines } = logging()
      const guarded = Toolset.guard(pay, byAmount)
      yield* Effect.forEach(["5", "50", "500"], (amount) =>
        Effect.ignore(Toolset.call(guarded, "pay", { amount }))
      ).pipe(Effect.withTracer(tracer), Effect.provide(layer), atDebug)
      const events = spans.flatMap((span) => span.events.filter(([name]) => name === "guard"))
      assert.deepStrictEqual(
        events.map(([, , attributes]) => attributes),
        [
          { tool: "pay", decision: "allow" },
          { tool: "pay", decision: "ask" },
          { tool: "pay", decision: "deny", reason: "too much" }
        ]
      )
      assert.deepStrictEqual(lines, ["Debug: guard", "Debug: guard", "Debug: guard"])
    })
  )

  it.effect("says in the log what it decided", () =>
    Effect.gen(function* () {
      const annotations: Array<unknown> = []
      const logger = Logger.make(({ fiber }) => {
        annotations.push({ ...fiber.getRef(References.CurrentLogAnnotations) })
      })
      const denied = Toolset.guard(answering("a"), () => ({ deny: "no" }))
      yield* Effect.ignore(Toolset.call(denied, "a", {})).pipe(
        Effect.provide(Logger.layer([logger])),
        atDebug
      )
      assert.deepStrictEqual(annotations, [{ tool: "a", decision: "deny", reason: "no" }])
    })
  )

  it.effect("may deny on resume what it asked about before", () =>
    Effect.gen(function* () {
      let isOpen = true
      const guarded = answering("a").pipe(Toolset.guard(() => (isOpen ? "ask" : { deny: "closed by now" })))
      const agent = Agent.make({ toolsets: [guarded], output: [Schema.String, DeferredToolRequests] })
      const model = ScriptedModel.layer([ScriptedModel.calls({ a: {} }), ScriptedModel.text("done")])
      yield* Effect.gen(function* () {
        const first = yield* Agent.run(agent, { prompt: "go" })
        assert.instanceOf(first.output, DeferredToolRequests)
        isOpen = false
        const last = yield* Agent.run(agent, {
          history: first.messages,
          deferredResults: DeferredToolResults.from(first.output, { approveAll: true })
        })
        assert.strictEqual(last.output, "done")
        assert.include(JSON.stringify(last.messages), "closed by now")
      }).pipe(Effect.provide(model))
    })
  )
})
