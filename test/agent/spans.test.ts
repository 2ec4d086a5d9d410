import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema, Tracer } from "effect"
import { Agent, ApprovalRequired, CallDeferred, ModelRetry, ToolFailed, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"

const { calls, text } = ScriptedModel
const prompt = "Go."

/** Runs an effect with a tracer, and gives the spans that it opened, as it opened them. */
const traced = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const exit = yield* Effect.exit(Effect.provideService(effect, Tracer.Tracer, tracer))
    return { exit, spans }
  })

/** The names of a span and of those around it, innermost first. */
const path = (span: Tracer.AnySpan): ReadonlyArray<string> =>
  span._tag === "ExternalSpan"
    ? ["outside"]
    : [span.name, ...Option.match(span.parent, { onNone: () => [], onSome: path })]
const named = (spans: ReadonlyArray<Tracer.Span>, prefix: string) =>
  spans.filter((span) => span.name.startsWith(prefix))
const attributes = (span: Tracer.Span | undefined) => Object.fromEntries(span?.attributes ?? [])

const secret = "a secret that nobody else should read"
const echo = Toolset.tool("echo", {
  parameters: Schema.Struct({ x: Schema.String }),
  handler: ({ x }) => Effect.withSpan(Effect.succeed(`${x}, said twice`), "inside of echo")
})
const script = [
  calls([
    { name: "echo", args: { x: secret }, id: "1" },
    { name: "echo", args: { x: secret }, id: "2" }
  ]),
  text("Done.")
]

describe("the spans of a run", () => {
  it.effect("are one of the run, one of each step, one of each call, one inside of the other", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [echo], name: "parrot" })
      const { spans } = yield* traced(Effect.withSpan(Agent.run(agent, { prompt }), "program"))
      const ours = spans.filter((span) => !span.name.startsWith("LanguageModel."))
      const run = ["invoke_agent parrot", "program"]
      const step = ["step 1", ...run]
      const call = ["execute_tool echo", ...step]
      assert.deepStrictEqual(ours.map(path), [
        ["program"],
        run,
        step,
        call,
        ["inside of echo", ...call],
        call,
        ["inside of echo", ...call],
        ["step 2", ...run]
      ])
      assert.deepStrictEqual(
        named(spans, "LanguageModel.").map((span) => path(span).slice(1)),
        [step, ["step 2", ...run]]
      )
      for (const span of spans) assert.strictEqual(span.status._tag, "Ended")
    }).pipe(Effect.provide(ScriptedModel.layer(script)))
  )

  class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}
  const ending: Readonly<
    Record<string, readonly [tool: Toolset.Toolset<unknown>, outcome: string | undefined]>
  > = {
    "that has no retry left for its arguments": [Toolset.withMaxRetries(echo, 0), "ModelRetry"],
    "that has no retry left for what its validator says": [
      Toolset.tool("echo", {
        validateArgs: () => Effect.fail(new ModelRetry({ message: "No." })),
        handler: () => Effect.void,
        maxRetries: 0
      }),
      "ModelRetry"
    ],
    "whose validator fails": [
      Toolset.tool("echo", {
        validateArgs: () => Effect.andThen(Effect.yieldNow, Effect.fail(new Broken())),
        handler: () => Effect.void
      }),
      undefined
    ],
    "whose handler fails": [Toolset.tool("echo", { handler: () => Effect.fail(new Broken()) }), undefined]
  }
  for (const [what, [tool, outcome]] of Object.entries(ending)) {
    it.effect(`are there for a call that ends the run, too: one ${what}`, () =>
      Effect.gen(function* () {
        const { exit, spans } = yield* traced(Agent.run(Agent.make({ toolsets: [tool] }), { prompt }))
        assert.strictEqual(exit._tag, "Failure")
        const [call, ...others] = named(spans, "execute_tool")
        assert.deepStrictEqual(others, [])
        assert(call !== undefined && call.status._tag === "Ended")
        assert.deepStrictEqual(path(call), ["execute_tool echo", "step 1", "invoke_agent agent"])
        assert.strictEqual(attributes(call)["effect_toolset.outcome"], outcome)
        assert.strictEqual(call.status.exit._tag, outcome === undefined ? "Failure" : "Success")
      }).pipe(Effect.provide(ScriptedModel.layer([calls({ echo: outcome === undefined ? {} : { x: 1 } })])))
    )
  }

  it.effect("are there for all calls that were refused when the run ends, also for outputs", () =>
    Effect.gen(function* () {
      const output = Schema.Struct({ n: Schema.Int })
      const agent = Agent.make({ toolsets: [Toolset.withMaxRetries(echo, 3)], output, retries: 0 })
      const { exit, spans } = yield* traced(Agent.run(agent, { prompt }))
      assert.strictEqual(exit._tag, "Failure")
      assert.deepStrictEqual(
        named(spans, "execute_tool").map((span) => [span.name, attributes(span)["effect_toolset.outcome"]]),
        [
          ["execute_tool echo", "ModelRetry"],
          ["execute_tool final_result", "ModelRetry"]
        ]
      )
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([
          calls([
            { name: "echo", args: { x: 1 }, id: "1" },
            { name: "final_result", args: { n: "no" }, id: "2" }
          ])
        ])
      )
    )
  )

  it.effect("have the names of OpenTelemetry's conventions for models", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [Toolset.prefixed(echo, "p")], name: "parrot" })
      const { exit, spans } = yield* traced(Agent.run(agent, { prompt }))
      assert(exit._tag === "Success")
      assert.deepStrictEqual(attributes(named(spans, "invoke_agent")[0]), {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "parrot",
        "effect_toolset.run.id": exit.value.runId
      })
      const [call] = named(spans, "execute_tool")
      assert.strictEqual(call?.name, "execute_tool p_echo")
      assert.deepStrictEqual(attributes(call), {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "p_echo",
        "gen_ai.tool.call.id": "17",
        "effect_toolset.outcome": "Returned"
      })
    }).pipe(
      Effect.provide(
        ScriptedModel.layer([calls([{ name: "p_echo", args: { x: "hi" }, id: "17" }]), text("Done.")])
      )
    )
  )

  it.effect("call an agent without a name agent", () =>
    Effect.gen(function* () {
      const { spans } = yield* traced(Agent.run(Agent.make({}), { prompt }))
      const [run] = named(spans, "invoke_agent")
      assert.strictEqual(run?.name, "invoke_agent agent")
      assert.strictEqual(run?.attributes.get("gen_ai.agent.name"), "agent")
    }).pipe(Effect.provide(ScriptedModel.layer([text("Done.")])))
  )

  it.effect("have no values of arguments and results", () =>
    Effect.gen(function* () {
      const wrong = { name: "echo", args: { x: 1, y: secret } }
      const more = ScriptedModel.layer([...script.slice(0, 1), calls([wrong]), text("Done.")])
      const { spans } = yield* traced(
        Effect.provide(Agent.run(Agent.make({ toolsets: [echo] }), { prompt }), more)
      )
      const ours = spans.filter((span) => !span.name.startsWith("LanguageModel."))
      assert.strictEqual(named(ours, "execute_tool").length, 3)
      for (const span of ours) {
        assert.notInclude(JSON.stringify([span.name, attributes(span), span.events]), secret)
      }
    })
  )

  it.effect("have them where the agent says so", () =>
    Effect.gen(function* () {
      const agent = Agent.make({ toolsets: [echo], traceValues: true })
      const { spans } = yield* traced(Agent.run(agent, { prompt }))
      const [call] = named(spans, "execute_tool")
      assert.deepInclude(attributes(call), {
        "gen_ai.tool.call.arguments": { x: secret },
        "gen_ai.tool.call.result": `${secret}, said twice`
      })
    }).pipe(Effect.provide(ScriptedModel.layer(script)))
  )
})

describe("the span of a call", () => {
  const failing = (name: string, error: ModelRetry | ToolFailed | ApprovalRequired | CallDeferred) =>
    Toolset.tool(name, { handler: () => Effect.fail(error) })
  const all = [
    Toolset.tool("returns", { handler: () => Effect.void }),
    Toolset.tool("typed", { parameters: Schema.Struct({ x: Schema.Int }), handler: () => Effect.void }),
    failing("retries", new ModelRetry({ message: "Again." })),
    failing("fails", new ToolFailed({ message: "No." })),
    failing("asks", new ApprovalRequired({})),
    failing("defers", new CallDeferred({}))
  ]
  const outcomes: ReadonlyArray<[name: string, outcome: string]> = [
    ["returns", "Returned"],
    ["typed", "ModelRetry"],
    ["retries", "ModelRetry"],
    ["fails", "ToolFailed"],
    ["asks", "ApprovalRequired"],
    ["defers", "CallDeferred"],
    ["nobody", "ModelRetry"]
  ]
  for (const [name, outcome] of outcomes) {
    it.effect(`says how it ended: a call of '${name}'`, () =>
      Effect.gen(function* () {
        const { spans } = yield* traced(Agent.run(Agent.make({ toolsets: all }), { prompt }))
        const [call] = named(spans, `execute_tool ${name}`)
        assert.strictEqual(call?.attributes.get("effect_toolset.outcome"), outcome)
        // A signal is an answer, not a failure of the program.
        assert(call?.status._tag === "Ended")
        assert.strictEqual(call.status.exit._tag, "Success")
      }).pipe(Effect.provide(ScriptedModel.layer([calls([{ name, args: {} }]), text("Done.")])))
    )
  }

  it.effect("ends with the failure that ends the run", () =>
    Effect.gen(function* () {
      const broken = Toolset.tool("broken", { handler: () => Effect.fail("boom" as const) })
      const { spans } = yield* traced(Agent.run(Agent.make({ toolsets: [broken] }), { prompt }))
      for (const prefix of ["execute_tool broken", "step 1", "invoke_agent"]) {
        const [span] = named(spans, prefix)
        assert(span?.status._tag === "Ended")
        assert.strictEqual(span.status.exit._tag, "Failure")
      }
      assert.isFalse(named(spans, "execute_tool")[0]?.attributes.has("effect_toolset.outcome"))
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ broken: {} })])))
  )

  it.effect("is the current one in the handler, in wrappers and in what is asked before", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const note = (what: string) =>
        Effect.map(Effect.currentSpan, (span) => void seen.push(`${what} in ${span.name}`))
      const tool = Toolset.tool("t", {
        requiresApproval: () => Effect.as(note("gate"), false),
        handler: () => note("handler")
      }).pipe(Toolset.wrapper((call, next) => Effect.andThen(note("wrapper"), next(call))))
      yield* traced(Agent.run(Agent.make({ toolsets: [Toolset.prefixed(tool, "p")] }), { prompt })).pipe(
        Effect.map(({ exit }) => assert.strictEqual(exit._tag, "Success"))
      )
      assert.deepStrictEqual(seen, [
        "wrapper in execute_tool p_t",
        "gate in execute_tool p_t",
        "handler in execute_tool p_t"
      ])
    }).pipe(Effect.provide(ScriptedModel.layer([calls({ p_t: {} }), text("Done.")])))
  )
})
