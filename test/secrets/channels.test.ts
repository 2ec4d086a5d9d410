/** Every way in which a value leaves, with the tools masked, and of our own spans, metrics and logs also without. */
import { assert, describe, it } from "@effect/vitest"
import * as OtelTracer from "@effect/opentelemetry/OtelTracer"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { Cause, Context, Effect, ErrorReporter, Layer, Logger, Metric, Redacted, References } from "effect"
import { Agent, Secrets, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { answering, Broken } from "../operators/asking.ts"
import { watching } from "../operators/watching.ts"
import { leaks } from "./leaking.ts"

const secret = "pw-91c3"
const secrets = Secrets.layer(Redacted.make(secret))

/** What is in the registry after an effect. */
const metrics = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const registry: Metric.MetricRegistry = new Map()
    const own = Context.make(Metric.MetricRegistry, registry)
    yield* Effect.exit(effect).pipe(Effect.provideContext(own))
    return { keys: Array.from(registry.keys()), all: yield* Effect.provideContext(Metric.snapshot, own) }
  })

describe("masked tools say no secret", () => {
  it.effect("in metrics: names, descriptions, attributes, and words that are counted", () =>
    Effect.gen(function* () {
      const tools = Toolset.tool("a", {
        handler: () =>
          Effect.gen(function* () {
            const words = Metric.frequency(`words of ${secret}`, { description: secret })
            yield* Metric.update(words, secret)
            yield* Metric.update(words, secret)
            yield* Metric.update(words, "other")
            const calls = Metric.withAttributes(Metric.counter("calls"), { [secret]: secret })
            yield* Metric.update(calls, 2)
            yield* Metric.update(calls, 3)
            return yield* Metric.value(calls)
          })
      }).pipe(Toolset.masked)
      const seen = yield* metrics(Toolset.call(tools, "a", {}).pipe(Effect.provide(secrets)))
      assert.deepStrictEqual(leaks(seen, [secret]), [])
      const found = (id: string) => seen.all.find((metric) => metric.id === id)
      assert.deepStrictEqual(
        (found("words of ***")!.state as Metric.FrequencyState).occurrences,
        new Map([
          ["***", 2],
          ["other", 1]
        ])
      )
      assert.deepStrictEqual(found("calls")?.attributes, { "***": "***" })
      assert.strictEqual((found("calls")!.state as Metric.CounterState<number>).count, 5)
    })
  )

  it.effect("to error reporters, and to loggers that look at the services themselves", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const reporter = ErrorReporter.make(
        ({ attributes, cause, error }) => void seen.push(attributes, cause, error)
      )
      const logger = Logger.make(
        ({ fiber }) =>
          void seen.push(
            Context.get(fiber.context, References.CurrentLogAnnotations),
            Context.get(fiber.context, References.CurrentLogSpans)
          )
      )
      const work = Effect.log("x").pipe(Effect.annotateLogs({ token: secret }), Effect.withLogSpan(secret))
      const tools = Toolset.tool("a", {
        handler: () => Effect.andThen(work, ErrorReporter.report(Cause.fail(new Broken({ who: secret }))))
      }).pipe(Toolset.masked)
      yield* Toolset.call(tools, "a", {}).pipe(
        Effect.provide([secrets, ErrorReporter.layer([reporter]), Logger.layer([logger])])
      )
      assert.strictEqual(seen.length, 5)
      assert.deepStrictEqual(leaks(seen, [secret]), [])
    })
  )

  it.effect("in definitions: descriptions, parameters, results, metadata, and where errors come from", () =>
    Effect.gen(function* () {
      const schema = { type: "object", description: secret, properties: { [secret]: { enum: [secret, 1] } } }
      const tools = Toolset.external([
        {
          name: "a",
          description: `of ${secret}`,
          parameters: schema,
          returns: schema,
          metadata: { [secret]: secret }
        },
        { name: "b" }
      ])
      const [before] = [yield* Toolset.list(tools)]
      const session = yield* Toolset.open(tools.pipe(Toolset.withInstructions(secret), Toolset.masked))
      const agent = Agent.make({ toolsets: [tools.pipe(Toolset.masked)] })
      const model = ScriptedModel.layer([ScriptedModel.text("done")])
      const requests = yield* Effect.andThen(Agent.run(agent, { prompt: "go" }), ScriptedModel.requests).pipe(
        Effect.provide(model)
      )
      const after = yield* Toolset.list(tools.pipe(Toolset.masked))
      assert.deepStrictEqual(leaks([after, requests, session], [secret]), [])
      assert.strictEqual(after[0]!.description, "of ***")
      assert.deepStrictEqual(after[0]!.parameters, {
        type: "object",
        description: "***",
        properties: { "***": { enum: ["***", 1] } }
      })
      assert.strictEqual(after[1], before[1])
      const named = answering(secret).pipe(Toolset.masked)
      assert.deepStrictEqual(leaks(yield* Effect.flip(Toolset.list(named)), [secret]), [])
    }).pipe(Effect.provide(secrets))
  )
})

describe("our own spans say no secret of the surroundings, whether or not the tools are masked", () => {
  const failing = Toolset.tool("a", { handler: () => Effect.fail(new Broken({ who: secret })) })
  const dying = Toolset.tool("a", { handler: () => Effect.die(new Error(secret)) })
  const saying = Toolset.tool("a", {
    handler: () => Effect.as(Effect.annotateCurrentSpan({ [secret]: secret }), { is: secret })
  })
  const ways = { failing, dying, saying }
  for (const [name, tools] of Object.entries(ways) as ReadonlyArray<[string, Toolset.Toolset<Broken>]>) {
    it.effect(`where a tool is ${name}: of a call, of traced, of an agent`, () =>
      Effect.gen(function* () {
        const { layer, seen, spans } = watching()
        const traced = tools.pipe(Toolset.withId(`at ${secret}`), Toolset.traced({ values: true }))
        yield* Effect.exit(Toolset.call(traced, "a", {})).pipe(Effect.provide(layer))
        const agent = Agent.make({ name: secret, toolsets: [traced], traceValues: true })
        const model = ScriptedModel.layer([ScriptedModel.calls({ a: {} }), ScriptedModel.text("done")])
        yield* Effect.exit(Agent.run(agent, { prompt: "go" })).pipe(Effect.provide([model, layer]))
        const own = seen().spans.filter((span) => !span.name.startsWith("LanguageModel"))
        assert.isAbove(own.length, 4)
        assert.deepStrictEqual(leaks(own, [secret]), [])
        assert.isTrue(spans.some((span) => span.name === "invoke_agent ***"))
      }).pipe(Effect.provide(secrets))
    )
  }

  it.effect("and stay those that spans inside of them know", () =>
    Effect.gen(function* () {
      const exporter = new InMemorySpanExporter()
      const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
      const telemetry = OtelTracer.layer.pipe(
        Layer.provide(Layer.succeed(OtelTracer.OtelTracerProvider, provider))
      )
      const tools = Toolset.tool("a", {
        handler: () => Effect.fail(new Broken({ who: secret })).pipe(Effect.ignore, Effect.withSpan("inner"))
      }).pipe(Toolset.traced())
      yield* Toolset.call(tools, "a", {}).pipe(Effect.provide([secrets, telemetry]))
      const spans = exporter.getFinishedSpans()
      const parents = spans.map((span) => span.parentSpanContext?.spanId)
      assert.deepStrictEqual(
        spans.map((span) => span.name),
        ["inner", "toolset tool(a)", "execute_tool a"]
      )
      assert.deepStrictEqual(parents, [
        spans[1]!.spanContext().spanId,
        spans[2]!.spanContext().spanId,
        undefined
      ])
    })
  )

  it.effect("nor do the decisions of guards, what is counted, and warnings", () =>
    Effect.gen(function* () {
      const { layer, seen } = watching()
      const guarded = answering("a").pipe(
        Toolset.withId(secret),
        Toolset.metered,
        Toolset.guard(() => ({ deny: `not with ${secret}` }))
      )
      const inside = Toolset.wrapper(guarded, (call, next) =>
        next(call).pipe(Effect.withSpan("of somebody else"))
      )
      const counted = answering("a").pipe(Toolset.withId(secret), Toolset.metered)
      const down = Toolset.unwrap(Effect.as(Effect.fail(new Broken({ who: secret })), Toolset.empty))
      const all = Effect.all([
        Effect.exit(Toolset.call(guarded, "a", {})),
        Toolset.call(counted, "a", {}),
        Toolset.list(down.pipe(Toolset.orElse(Toolset.empty))),
        Toolset.list(down.pipe(Toolset.onError("recover")))
      ])
      const found = yield* metrics(all).pipe(
        Effect.provide(layer),
        Effect.provideService(References.MinimumLogLevel, "Debug")
      )
      assert.deepStrictEqual(leaks([seen(), found], [secret]), [])
      assert.include(JSON.stringify(seen().logs), "not with ***")
      assert.include(JSON.stringify(seen().logs), "*** is broken")
      assert.isNotEmpty(found.all)
      const ours = watching()
      yield* Effect.exit(Toolset.call(inside, "a", {})).pipe(Effect.provide(ours.layer))
      const events = ours.seen().spans.map((span) => span.events)
      assert.deepStrictEqual(leaks(events, [secret]), [])
      assert.include(JSON.stringify(events.map((all) => all.map(([, , what]) => what))), "not with ***")
    }).pipe(Effect.provide(secrets))
  )
})
