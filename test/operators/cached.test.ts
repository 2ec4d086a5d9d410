import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Schema } from "effect"
import { Prompt, Tool as AiTool } from "effect/ai"
import { TestClock } from "effect/testing"
import { Agent, ModelRetry, ToolReturn, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { Broken, flaw, readOnly, tag } from "./asking.ts"

const Parameters = Schema.Struct({
  n: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  s: Schema.optionalKey(Schema.String)
})

/** A tool that says how often it has run. */
const counted = (
  annotations = readOnly,
  does: (count: number) => Effect.Effect<unknown, any> = Effect.succeed
) => {
  let count = 0
  return Toolset.tool("a", {
    parameters: Parameters,
    annotations,
    handler: () => Effect.suspend(() => does(++count))
  }) as Toolset.Toolset<Broken>
}

const calling = (toolset: Toolset.Toolset<Broken>, ...args: ReadonlyArray<object>) =>
  Effect.scoped(
    Effect.flatMap(Toolset.open(toolset), (session) =>
      Effect.forEach(args, (args) => session.call("a", args))
    )
  )

const minute = { ttl: "1 minute" } as const

describe("cached", () => {
  it.effect("answers a repeated call from memory, by what the arguments mean (B34)", () =>
    Effect.gen(function* () {
      const results = yield* calling(
        counted().pipe(Toolset.cached(minute)),
        {},
        { n: 0 },
        { n: 1 },
        { n: 1, s: "x" },
        { s: "x", n: 1 },
        {}
      )
      assert.deepStrictEqual(results, [1, 1, 2, 3, 3, 1])
    })
  )

  it.effect("only for tools that are annotated as read-only, unless forced", () =>
    Effect.gen(function* () {
      const silent = Context.empty()
      const writing = Context.make(AiTool.Readonly, false)
      for (const annotations of [silent, writing]) {
        assert.deepStrictEqual(
          yield* calling(counted(annotations).pipe(Toolset.cached(minute)), {}, {}),
          [1, 2]
        )
        const forced = counted(annotations).pipe(Toolset.cached({ ...minute, force: true }))
        assert.deepStrictEqual(yield* calling(forced, {}, {}), [1, 1])
      }
    })
  )

  it.effect("forgets after its time (B34)", () =>
    Effect.gen(function* () {
      const session = yield* Toolset.open(counted().pipe(Toolset.cached(minute)))
      assert.strictEqual(yield* session.call("a", {}), 1)
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* session.call("a", {}), 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* session.call("a", {}), 2)
    })
  )

  it.effect("forgets what was used least recently, over its capacity", () =>
    Effect.gen(function* () {
      const tools = counted().pipe(Toolset.cached({ ...minute, capacity: 2 }))
      assert.deepStrictEqual(
        yield* calling(tools, { n: 1 }, { n: 2 }, { n: 1 }, { n: 3 }, { n: 1 }, { n: 2 }),
        [1, 2, 1, 3, 1, 4]
      )
    })
  )

  it.effect("goes by a key where one is given, per tool (B34)", () =>
    Effect.gen(function* () {
      const key = (call: Toolset.Invocation) => String(call.args.s)
      const tools = counted().pipe(Toolset.cached({ ...minute, key }))
      assert.deepStrictEqual(
        yield* calling(tools, { n: 1, s: "x" }, { n: 2, s: "x" }, { n: 1, s: "y" }),
        [1, 1, 2]
      )
      const two = Toolset.combined(
        counted(),
        Toolset.prefixed(
          counted(readOnly, () => Effect.succeed("b")),
          "b"
        )
      ).pipe(Toolset.cached({ ...minute, key: () => "same" }))
      const session = yield* Toolset.open(two)
      assert.strictEqual(yield* session.call("a", {}), 1)
      assert.strictEqual(yield* session.call("a", { n: 2 }), 1)
      assert.strictEqual(yield* session.call("b_a", {}), "b")
    })
  )

  it.effect("remembers no failure and no signal", () =>
    Effect.gen(function* () {
      for (const error of [new Broken({ who: "a" }), new ModelRetry({ message: "again" })]) {
        const tools = counted(readOnly, (n) => (n === 1 ? Effect.fail(error) : Effect.succeed(n)))
        const session = yield* Toolset.open(tools.pipe(Toolset.cached(minute)))
        assert.strictEqual(yield* tag(session.call("a", {})), error._tag)
        assert.strictEqual(yield* session.call("a", {}), 2)
        assert.strictEqual(yield* session.call("a", {}), 2)
      }
    })
  )

  it.effect("keeps everything of a result", () =>
    Effect.gen(function* () {
      const rich = new ToolReturn({ value: 1, metadata: { m: 1 }, content: [] })
      const seen: Array<ToolReturn> = []
      const tools = counted(readOnly, () => Effect.succeed(rich)).pipe(
        Toolset.cached(minute),
        Toolset.wrapper((call, next) =>
          Effect.tap(next(call), (result) => Effect.sync(() => seen.push(result)))
        )
      )
      yield* calling(tools, {}, {})
      assert.deepStrictEqual(seen[1], rich)
    })
  )

  it.effect("gives each call a copy: what somebody changes is changed for nobody else", () =>
    Effect.gen(function* () {
      const rows = () => [{ id: 1, tags: ["a"], bytes: Buffer.from("ab"), at: new Date(0) }]
      const mine = { rows: rows(), byName: new Map([["a", { n: 1 }]]), names: new Set(["a"]) }
      const parts = () => [
        Prompt.makePart("text", { text: "t" }),
        Prompt.makePart("file", { mediaType: "image/png", data: new Uint8Array([1]) })
      ]
      const rich = new ToolReturn({
        value: [{ id: 1 }],
        metadata: mine,
        content: parts(),
        modelOutput: [parts()[0]!]
      })
      const spoiled = (given: any): void => {
        given.value[0].id = 2
        given.value.push(3)
        given.metadata.rows[0].tags.push("b")
        given.metadata.rows[0].bytes[0] = 0
        given.metadata.rows[0].at.setTime(1)
        given.metadata.byName.get("a").n = 2
        given.metadata.names.clear()
        given.content[0].text = "changed"
        given.content[1].data[0] = 2
        given.modelOutput.pop()
      }
      const seen: Array<unknown> = []
      const tools = counted(readOnly, () => Effect.succeed(rich)).pipe(
        Toolset.cached(minute),
        Toolset.wrapper((call, next) =>
          Effect.tap(next(call), (result) =>
            Effect.sync(() => {
              seen.push({ ...result })
              seen.push(structuredClone({ value: result.value, metadata: result.metadata }))
              spoiled(result)
            })
          )
        )
      )
      const expected = {
        value: [{ id: 1 }],
        metadata: { rows: rows(), byName: new Map([["a", { n: 1 }]]), names: new Set(["a"]) }
      }
      const session = yield* Toolset.open(tools)
      yield* session.call("a", {})
      // Also whoever has made it may go on with it.
      spoiled(rich)
      for (let i = 0; i < 2; i++) yield* session.call("a", {})
      assert.strictEqual(seen.length, 6)
      for (const at of [1, 3, 5]) assert.deepStrictEqual(seen[at], structuredClone(expected))
    })
  )

  it.effect("runs calls at the same time once, and interrupts nobody with somebody else", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const tools = counted(readOnly, (n) => Effect.as(Deferred.await(gate), n))
      const session = yield* Toolset.open(tools.pipe(Toolset.cached(minute)))
      const fibers = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(session.call("a", {})))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fibers[0]!)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(fibers[1]!), 1)
      assert.strictEqual(yield* Fiber.join(fibers[2]!), 1)
      assert.strictEqual(yield* session.call("a", {}), 1)
    })
  )

  it.effect("lives as long as the toolset is open: one run, or all runs of a shared one", () =>
    Effect.gen(function* () {
      const tools = counted().pipe(Toolset.cached(minute))
      assert.deepStrictEqual(yield* calling(tools, {}, {}), [1, 1])
      assert.deepStrictEqual(yield* calling(tools, {}, {}), [2, 2])
      const shared = yield* Toolset.shared(tools)
      yield* Toolset.open(shared)
      assert.deepStrictEqual(yield* calling(shared, {}), [3])
      assert.deepStrictEqual(yield* calling(shared, {}), [3])
    })
  )

  it.effect("answers before what is inside, and after what is outside", () =>
    Effect.gen(function* () {
      const denying = () => {
        let asked = 0
        return Toolset.guard(() => (++asked > 1 ? { deny: "no" } : "allow"))
      }
      const inside = counted().pipe(denying(), Toolset.cached(minute))
      assert.deepStrictEqual(yield* calling(inside, {}, {}), [1, 1])
      const outside = counted().pipe(Toolset.cached(minute), denying())
      assert.strictEqual(yield* tag(calling(outside, {}, {})), "ToolFailed")
    })
  )

  it.effect("passes on what it cannot name: arguments that a wrapper made and that are not JSON", () =>
    Effect.gen(function* () {
      const tools = counted().pipe(
        Toolset.cached(minute),
        Toolset.wrapper((call, next) => next({ ...call, args: { n: new Map() } }))
      )
      assert.deepStrictEqual(yield* calling(tools, {}, {}), [1, 2])
    })
  )

  it.effect("answers the calls of an agent, over steps", () =>
    Effect.gen(function* () {
      const call = ScriptedModel.calls({ a: {} })
      const model = ScriptedModel.layer([call, call, ScriptedModel.text("done")])
      const { messages } = yield* Agent.run(
        Agent.make({ toolsets: [counted().pipe(Toolset.cached(minute))] }),
        {
          prompt: "go"
        }
      ).pipe(Effect.provide(model))
      const results = messages.content.flatMap((message) =>
        message.role === "tool" ? message.content.map((part) => ("result" in part ? part.result : part)) : []
      )
      assert.deepStrictEqual(results, [1, 1])
    })
  )

  it.effect("for no time, or of nothing, is a definition error", () =>
    Effect.gen(function* () {
      const of = (options: Toolset.CachedOptions) =>
        flaw(Toolset.list(counted().pipe(Toolset.cached(options))))
      assert.deepStrictEqual(yield* of({ ttl: 0 }), ["cached(tool(a))", "The timeout is 0."])
      assert.deepStrictEqual(yield* of({ ...minute, capacity: 0 }), [
        "cached(tool(a))",
        "The number of results to remember is 0."
      ])
    })
  )
})
