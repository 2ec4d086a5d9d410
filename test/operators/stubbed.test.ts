import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { Agent, ModelRetry, ToolCall, ToolFailed, ToolReturn, Toolset } from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { answering, approved, Broken, flaw, names, sources, tag } from "./asking.ts"
import { watching } from "./watching.ts"

const weather = Toolset.tool("weather", {
  description: "The weather.",
  parameters: Schema.Struct({ city: Schema.String, day: Schema.DateTimeUtcFromString }),
  success: Schema.Struct({ degrees: Schema.Finite }),
  validateArgs: ({ city }) =>
    city === "" ? Effect.fail(new ModelRetry({ message: "Which city?" })) : Effect.void,
  metadata: { team: "one" },
  handler: () => Effect.die("the network")
})
const args = { city: "Oslo", day: "2026-01-01T00:00:00Z" }
const stub = { weather: () => ({ degrees: 3 }) }

describe("stubbed", () => {
  it.effect("replaces what runs, and keeps the definition", () =>
    Effect.gen(function* () {
      const tools = weather.pipe(Toolset.stubbed(stub))
      assert.deepStrictEqual(yield* Toolset.call(tools, "weather", args), { degrees: 3 })
      assert.strictEqual((yield* Toolset.list(tools))[0], (yield* Toolset.list(weather))[0])
    })
  )

  it.effect("takes a value, an effect, or a rich result; signals and failures are what they are", () =>
    Effect.gen(function* () {
      const calling = (handler: Toolset.Stub) =>
        Toolset.call(weather.pipe(Toolset.stubbed({ weather: handler })), "weather", args)
      assert.deepStrictEqual(yield* calling(() => Effect.succeed({ degrees: 4 })), { degrees: 4 })
      assert.deepStrictEqual(yield* calling(() => new ToolReturn({ value: { degrees: 5 } })), { degrees: 5 })
      assert.strictEqual(
        yield* tag(calling(() => Effect.fail(new ToolFailed({ message: "no" })))),
        "ToolFailed"
      )
      assert.strictEqual(yield* tag(calling(() => new Broken({ who: "stub" }))), "Broken")
      assert.strictEqual(
        yield* Effect.isSuccess(calling(() => Effect.map(ToolCall, () => ({ degrees: 1 })))),
        true
      )
    })
  )

  it.effect("decodes and validates arguments as ever, and gives the stub what its tool would get", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const tools = weather.pipe(Toolset.stubbed({ weather: (args) => (seen.push(args), { degrees: 1 }) }))
      assert.strictEqual(yield* tag(Toolset.call(tools, "weather", {})), "ModelRetry")
      assert.strictEqual(yield* tag(Toolset.call(tools, "weather", { ...args, city: "" })), "ModelRetry")
      yield* Toolset.call(tools, "weather", args)
      assert.strictEqual(seen.length, 1)
      assert.strictEqual(
        String((seen[0] as { readonly day: unknown }).day),
        "DateTime.Utc(2026-01-01T00:00:00.000Z)"
      )
    })
  )

  it.effect("finds a stub that no longer fits the schema of the result, or that is not JSON", () =>
    Effect.gen(function* () {
      const calling = (value: unknown) =>
        Effect.flip(Toolset.call(weather.pipe(Toolset.stubbed({ weather: () => value })), "weather", args))
      const stale = yield* calling({ degrees: "warm" })
      assert.strictEqual(stale._tag, "ToolResultError")
      assert.include(stale.message, "Its stub is stale.")
      assert.include(stale.message, `["degrees"]`)
      assert.strictEqual((yield* calling(new Map()))._tag, "ToolResultError")
    })
  )

  for (const [name, source] of Object.entries(sources)) {
    it.effect(`stands in for tools of ${name}, and leaves the others`, () =>
      Effect.gen(function* () {
        const both = source(Toolset.combined(weather, answering("other")))
        const tools = both.pipe(Toolset.prefixed("x"), Toolset.stubbed({ x_weather: () => ({ degrees: 2 }) }))
        assert.deepStrictEqual(yield* Toolset.call(tools, "x_weather", args), { degrees: 2 })
        assert.strictEqual(yield* Toolset.call(tools, "x_other", {}), "other")
      })
    )
  }

  it.effect("answers for an external tool", () =>
    Effect.gen(function* () {
      const tools = Toolset.external([{ name: "a" }]).pipe(Toolset.stubbed({ a: () => "here" }))
      assert.strictEqual(yield* Toolset.call(tools, "a", {}), "here")
    })
  )

  it.effect(
    "still asks where the tool is one that waits for a yes; other gates are replaced with what they guard",
    () =>
      Effect.gen(function* () {
        const asks = weather.pipe(Toolset.approvalRequired(), Toolset.stubbed(stub))
        assert.strictEqual(yield* tag(Toolset.call(asks, "weather", args)), "ApprovalRequired")
        assert.deepStrictEqual(yield* approved(Toolset.call(asks, "weather", args)), { degrees: 3 })
        const guarded = weather.pipe(Toolset.guard(() => ({ deny: "no" })))
        assert.deepStrictEqual(yield* Toolset.call(guarded.pipe(Toolset.stubbed(stub)), "weather", args), {
          degrees: 3
        })
        const outside = weather.pipe(
          Toolset.stubbed(stub),
          Toolset.guard(() => ({ deny: "no" }))
        )
        assert.strictEqual(yield* tag(Toolset.call(outside, "weather", args)), "ToolFailed")
      })
  )

  it.effect("is a call as every other to whoever watches: events, spans, counts (B38)", () =>
    Effect.gen(function* () {
      const { layer, spans } = watching()
      const tools = weather.pipe(Toolset.stubbed(stub), Toolset.traced())
      const model = ScriptedModel.layer([ScriptedModel.calls({ weather: args }), ScriptedModel.text("done")])
      const events = yield* Agent.stream(Agent.make({ toolsets: [tools] }), { prompt: "go" }).pipe(
        Stream.runCollect,
        Effect.provide([model, layer])
      )
      const tags = Array.from(events, (event) => event._tag)
      assert.isAtLeast(tags.indexOf("ToolResult"), tags.indexOf("ToolCall") + 1)
      assert.isAtLeast(tags.indexOf("ToolCall"), 0)
      const span = spans.find((span) => span.name.startsWith("toolset"))
      assert.strictEqual(span?.attributes.get("effect_toolset.outcome"), "Returned")
      assert.strictEqual(span?.status._tag, "Ended")
    })
  )

  it.effect("lets a whole agent run on stubs", () =>
    Effect.gen(function* () {
      const dying = Toolset.tool("weather", { handler: () => Effect.die("the network") })
      const tools = Toolset.combined(dying, answering("b")).pipe(Toolset.stubbed(stub))
      const { output } = yield* Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "go" })
      assert.strictEqual(output, `{"weather":{"degrees":3},"b":"b"}`)
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("for a tool that is not there is a mistake, where the tools cannot change", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* flaw(Toolset.list(weather.pipe(Toolset.stubbed({ wether: () => 1, x: () => 2 })))),
        ["stubbed(tool(weather))", "There is no tool 'wether', 'x' to stub."]
      )
      const changing = weather.pipe(
        Toolset.filtered(() => true),
        Toolset.stubbed({ x: () => 1 })
      )
      assert.deepStrictEqual(yield* names(changing), ["weather"])
    })
  )

  it.effect("fails with a conflict at once, since it goes by name", () =>
    Effect.gen(function* () {
      const twice = Toolset.combined(answering("a"), answering("a")).pipe(
        Toolset.stubbed({}),
        Toolset.filtered(() => false)
      )
      assert.strictEqual(yield* tag(Toolset.list(twice)), "ToolNameConflict")
    })
  )
})
