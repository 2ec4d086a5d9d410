import { assert, describe, it } from "@effect/vitest"
import * as OtelTracer from "@effect/opentelemetry/OtelTracer"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { Effect, Layer, Redacted, Schema } from "effect"
import { Agent, Secrets, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { leaks } from "../secrets/leaking.ts"
import { answering, approved, Broken, sources } from "./asking.ts"
import { watching } from "./watching.ts"

const secret = "pw-91c3"
const echo = Toolset.tool("echo", {
  parameters: Schema.Struct({ s: Schema.String }),
  handler: ({ s }) => Effect.succeed(`said ${s}`)
})

/** The attributes of the spans with that name. */
const spansOf = <A, E, R>(effect: Effect.Effect<A, E, R>, start: string) =>
  Effect.gen(function* () {
    const { layer, spans } = watching()
    yield* Effect.exit(effect).pipe(Effect.provide(layer))
    return spans
      .filter((span) => span.name.startsWith(start))
      .map((span) => ({ name: span.name, ...Object.fromEntries(span.attributes) }))
  })

describe("traced", () => {
  for (const [name, source] of Object.entries(sources)) {
    it.effect(`has a span for each call of a tool of ${name}, in that of the call`, () =>
      Effect.gen(function* () {
        const { layer, spans } = watching()
        const tools = source(answering("a")).pipe(
          Toolset.withId("web"),
          Toolset.traced(),
          Toolset.prefixed("x")
        )
        yield* Toolset.call(tools, "x_a", {}).pipe(Effect.provide(layer))
        const [outer, inner] = spans
        assert.deepStrictEqual([outer!.name, inner!.name], ["execute_tool x_a", "toolset web"])
        assert.strictEqual(inner!.parent._tag === "Some" && inner!.parent.value, outer)
        assert.deepStrictEqual(Object.fromEntries(inner!.attributes), {
          "gen_ai.tool.name": "a",
          "gen_ai.tool.call.id": "direct",
          "effect_toolset.toolset": "web",
          "effect_toolset.outcome": "Returned"
        })
      })
    )
  }

  it.effect("says how each call ended", () =>
    Effect.gen(function* () {
      const ending = (handler: () => Effect.Effect<unknown, Broken>) =>
        Effect.map(
          spansOf(Toolset.call(Toolset.tool("a", { handler }).pipe(Toolset.traced()), "a", {}), "toolset"),
          ([span]) => (span as { readonly "effect_toolset.outcome"?: string })["effect_toolset.outcome"]
        )
      assert.strictEqual(yield* ending(() => Effect.fail(new Broken({ who: "a" }))), "Error")
      assert.strictEqual(yield* ending(() => Effect.die("no")), "Defect")
      assert.strictEqual(yield* ending(() => Effect.interrupt), "Interrupted")
      assert.strictEqual(yield* ending(() => Effect.succeed(new Map())), "ToolResultError")
    })
  )

  it.effect("sees what comes as far as it: gates outside of it are not in its span", () =>
    Effect.gen(function* () {
      const inside = answering("a").pipe(Toolset.approvalRequired(), Toolset.traced())
      const outside = answering("a").pipe(Toolset.traced(), Toolset.approvalRequired())
      assert.strictEqual((yield* spansOf(Toolset.call(inside, "a", {}), "toolset")).length, 1)
      assert.strictEqual((yield* spansOf(Toolset.call(outside, "a", {}), "toolset")).length, 0)
      assert.strictEqual((yield* spansOf(approved(Toolset.call(outside, "a", {})), "toolset")).length, 1)
    })
  )

  it.effect("writes arguments and results only on request, and without secrets", () =>
    Effect.gen(function* () {
      const calling = (options?: { readonly values?: boolean }) =>
        Effect.map(
          spansOf(
            Toolset.call(echo.pipe(Toolset.traced(options)), "echo", { s: secret }).pipe(
              Effect.provide(Secrets.layer(Redacted.make(secret)))
            ),
            "toolset"
          ),
          ([span]) => {
            const attributes: Readonly<Record<string, unknown>> = span!
            return [attributes["gen_ai.tool.call.arguments"], attributes["gen_ai.tool.call.result"]]
          }
        )
      assert.deepStrictEqual(yield* calling(), [undefined, undefined])
      assert.deepStrictEqual(yield* calling({ values: false }), [undefined, undefined])
      assert.deepStrictEqual(yield* calling({ values: true }), [{ s: "***" }, "said ***"])
    })
  )

  it.effect("of an agent: its own spans have no secrets either", () =>
    Effect.gen(function* () {
      const { layer, seen } = watching()
      const model = ScriptedModel.layer([
        ScriptedModel.calls({ echo: { s: secret } }),
        ScriptedModel.text("done")
      ])
      const agent = Agent.make({ toolsets: [echo.pipe(Toolset.traced({ values: true }))], traceValues: true })
      yield* Agent.run(agent, { prompt: "go" }).pipe(
        Effect.provide(model),
        Effect.provide(Secrets.layer(Redacted.make(secret))),
        Effect.provide(layer)
      )
      const attributes = seen().spans.map((span) => span.attributes)
      assert.deepStrictEqual(leaks(attributes, [secret]), [])
      assert.include(JSON.stringify(attributes.map((one) => [...one])), "said ***")
    })
  )

  it.effect("works with OpenTelemetry, masked too", () =>
    Effect.gen(function* () {
      const exporter = new InMemorySpanExporter()
      const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
      const telemetry = OtelTracer.layer.pipe(
        Layer.provide(Layer.succeed(OtelTracer.OtelTracerProvider, provider))
      )
      const tools = Toolset.tool("query", {
        handler: () =>
          Effect.fail(new Broken({ who: secret })).pipe(
            Effect.withSpan(`connect ${secret}`, { attributes: { url: `//me:${secret}@db` } })
          )
      }).pipe(Toolset.traced({ values: true }), Toolset.masked)
      yield* Effect.exit(Toolset.call(tools, "query", {})).pipe(
        Effect.provide(Secrets.layer(Redacted.make(secret))),
        Effect.provide(telemetry)
      )
      const spans = exporter.getFinishedSpans()
      const byName = (name: string) => spans.find((span) => span.name === name)!
      assert.deepStrictEqual(
        spans.map((span) => span.name),
        ["connect ***", "toolset tool(query)", "execute_tool query"]
      )
      assert.strictEqual(byName("connect ***").attributes.url, "//me:***@db")
      assert.strictEqual(
        byName("connect ***").parentSpanContext?.spanId,
        byName("toolset tool(query)").spanContext().spanId
      )
      assert.strictEqual(
        byName("toolset tool(query)").parentSpanContext?.spanId,
        byName("execute_tool query").spanContext().spanId
      )
      assert.strictEqual(byName("execute_tool query").attributes["gen_ai.operation.name"], "execute_tool")
      const sent = spans.map(({ attributes, events, name, status }) => ({ attributes, events, name, status }))
      assert.deepStrictEqual(leaks(sent, [secret]), [])
      assert.include(JSON.stringify(sent), "*** is broken")
    })
  )
})
