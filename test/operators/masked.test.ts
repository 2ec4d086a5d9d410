import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Layer, Redacted, Ref, Schema, Stream, Tracer } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  DeferredToolRequests,
  DeferredToolResults,
  RunContext,
  Secrets,
  ToolCall,
  ToolReturn,
  Toolset
} from "effect-toolset"
import { ScriptedModel, TestModel } from "effect-toolset/testing"
import { leaks } from "../secrets/leaking.ts"
import { answering, approved, Broken, inRunOf, names, sources, tag } from "./asking.ts"
import { watching } from "./watching.ts"

const secret = "pw-91c3"
const secrets = Secrets.layer(Redacted.make(secret))

const outsideSpan = Tracer.externalSpan({ spanId: "1", traceId: "2" })

describe("masked", () => {
  for (const [name, source] of Object.entries(sources)) {
    it.effect(`hides secrets in results of ${name}, whatever it knows of masking (F1, F19)`, () =>
      Effect.gen(function* () {
        const tools = source(answering("a", { text: `password is ${secret}` })).pipe(Toolset.masked)
        assert.deepStrictEqual(yield* Toolset.call(tools, "a", {}), { text: "password is ***" })
      }).pipe(Effect.provide(secrets))
    )
  }

  it.effect("hides them in all of a rich result, which stays one (F11)", () =>
    Effect.gen(function* () {
      const seen: Array<ToolReturn> = []
      const text = Prompt.makePart("text", { text: secret })
      const image = Prompt.makePart("file", { mediaType: "image/png", data: new Uint8Array(3) })
      const metadata = { [secret]: new Map([[1, [secret]]]), at: new Date(0) }
      const rich = new ToolReturn({ value: [secret], content: [text, image], metadata, modelOutput: [text] })
      const tools = answering("a", rich).pipe(
        Toolset.masked,
        Toolset.wrapper((call, next) =>
          Effect.tap(next(call), (result) => Effect.sync(() => seen.push(result)))
        )
      )
      yield* Toolset.call(tools, "a", {})
      const [result] = seen
      assert.instanceOf(result, ToolReturn)
      assert.deepStrictEqual(result.value, ["***"])
      assert.deepStrictEqual(result.metadata, { "***": new Map([[1, ["***"]]]), at: new Date(0) })
      assert.strictEqual((result.content[0] as { readonly text?: string }).text, "***")
      assert.strictEqual(result.content[1], image)
      assert.strictEqual((result.modelOutput![0] as { readonly text?: string }).text, "***")
    }).pipe(Effect.provide(secrets))
  )

  it.effect("hides them in progress", () =>
    Effect.gen(function* () {
      const tools = Toolset.tool("a", {
        handler: () => Effect.flatMap(ToolCall, ({ progress }) => progress({ at: [secret] }))
      }).pipe(Toolset.masked)
      const events = yield* Stream.runCollect(
        Agent.stream(Agent.make({ toolsets: [tools] }), { prompt: "go" })
      )
      assert.deepStrictEqual(
        Array.from(events).flatMap((event) => (event._tag === "ToolProgress" ? [event.value] : [])),
        [{ at: ["***"] }]
      )
    }).pipe(Effect.provide([secrets, TestModel.layer()]))
  )

  it.effect("hides them in logs and spans, and leaves their tree as it is", () =>
    Effect.gen(function* () {
      const { layer, seen, spans } = watching()
      const work = Effect.gen(function* () {
        yield* Effect.annotateCurrentSpan({ query: secret })
        const span = yield* Effect.currentSpan
        span.event(`event ${secret}`, 0n, { about: [secret] })
        span.addLinks([{ span: outsideSpan, attributes: { about: secret } }])
        yield* Effect.log(`using ${secret}`, { secret }, Cause.fail(secret)).pipe(
          Effect.annotateLogs({ token: secret }),
          Effect.withLogSpan(secret)
        )
        return yield* new Broken({ who: secret })
      }).pipe(Effect.withSpan(`inner ${secret}`, { attributes: { [secret]: secret } }))
      const tools = Toolset.tool("a", {
        handler: () => Effect.andThen(Effect.annotateCurrentSpan({ outer: secret }), work)
      }).pipe(Toolset.masked)
      yield* Effect.exit(Toolset.call(tools, "a", {})).pipe(Effect.provide(layer))
      assert.deepStrictEqual(leaks(seen(), [secret]), [])
      const [outer, inner] = spans
      assert.deepStrictEqual([outer!.name, inner!.name], ["execute_tool a", "inner ***"])
      assert.strictEqual(outer!.attributes.get("outer"), "***")
      assert.strictEqual(inner!.attributes.get("query"), "***")
      assert.strictEqual(inner!.attributes.get("***"), "***")
      assert.strictEqual(
        inner!.events.some(([name]) => name.includes("using ***")),
        true
      )
      assert.strictEqual(inner!.parent._tag === "Some" && inner!.parent.value, outer)
    }).pipe(Effect.provide(secrets))
  )

  it.effect("hides them in what opening says, and what runs in the background", () =>
    Effect.gen(function* () {
      const { layer, seen } = watching()
      const connect = Effect.gen(function* () {
        yield* Effect.log(secret)
        yield* Effect.forkScoped(Effect.log(`later ${secret}`).pipe(Effect.withSpan(secret)))
        yield* Effect.addFinalizer(() => Effect.log(`closing ${secret}`))
        return answering("a")
      })
      yield* Toolset.call(Toolset.unwrap(connect).pipe(Toolset.masked), "a", {}).pipe(Effect.provide(layer))
      assert.deepStrictEqual(leaks(seen(), [secret]), [])
      assert.include(JSON.stringify(seen()), "closing ***")
    }).pipe(Effect.provide(secrets))
  )

  it.effect("tells the model once that *** is deliberate, and nothing where nothing is secret", () =>
    Effect.gen(function* () {
      const instructions = (secrets: Layer.Layer<Secrets, any>) =>
        Effect.gen(function* () {
          const one = answering("a").pipe(Toolset.withInstructions(`Use ${secret}.`), Toolset.masked)
          const other = answering("b").pipe(Toolset.masked, Toolset.masked)
          yield* Agent.run(Agent.make({ toolsets: [one, other] }), { prompt: "go" })
          const [request] = yield* TestModel.requests
          const [first] = request!.prompt.content
          return first?.role === "system" ? first.content : undefined
        }).pipe(Effect.provide([secrets, TestModel.layer()]))
      const note =
        "Values shown as *** are hidden on purpose. They are no mistake, and nobody needs to mend them."
      assert.strictEqual(yield* instructions(secrets), `${note}\n\nUse ***.`)
      assert.strictEqual(yield* instructions(Secrets.layer()), `Use ${secret}.`)
    })
  )

  it.effect("keeps an approval for the call that it was given to, and not for those made in it", () =>
    Effect.gen(function* () {
      const seen = yield* Ref.make<ReadonlyArray<unknown>>([])
      const inner = Toolset.tool("inner", {
        handler: () =>
          Effect.flatMap(ToolCall, ({ approved }) => Ref.update(seen, (all) => [...all, approved]))
      }).pipe(Toolset.masked)
      const outer = Toolset.tool("outer", { handler: () => Toolset.call(inner, "inner", {}) }).pipe(
        Toolset.masked
      )
      const agent = Agent.make({
        toolsets: [outer.pipe(Toolset.approvalRequired())],
        output: [Schema.String, DeferredToolRequests]
      })
      const model = ScriptedModel.layer([ScriptedModel.calls({ outer: {} }), ScriptedModel.text("done")])
      yield* Effect.gen(function* () {
        const first = yield* Agent.run(agent, { prompt: "go" })
        assert.instanceOf(first.output, DeferredToolRequests)
        yield* Agent.run(agent, {
          history: first.messages,
          deferredResults: DeferredToolResults.from(first.output, { approveAll: true })
        })
      }).pipe(Effect.provide(model))
      assert.deepStrictEqual(yield* Ref.get(seen), [false])
    }).pipe(Effect.provide(secrets))
  )

  it.effect("twice is once: what is masked stays as it is, and is logged once (F19, F20)", () =>
    Effect.gen(function* () {
      const results: Array<unknown> = []
      const keeping = Toolset.wrapper((call, next) =>
        Effect.tap(next(call), (result) => Effect.sync(() => results.push(result)))
      )
      const { layer, seen } = watching()
      const tools = Toolset.tool("a", { handler: () => Effect.as(Effect.log(secret), [secret]) }).pipe(
        Toolset.masked,
        keeping,
        Toolset.masked,
        keeping
      )
      yield* Toolset.call(tools, "a", {}).pipe(Effect.provide(layer))
      assert.deepStrictEqual((results[0] as ToolReturn).value, ["***"])
      assert.deepStrictEqual(results[0], results[1])
      assert.strictEqual(seen().logs.filter((line) => typeof line === "object").length, 1)
    }).pipe(Effect.provide(secrets))
  )

  it.effect("needs a registry, which can be its own: provided, it is lexical", () =>
    Effect.gen(function* () {
      const tools = answering("a", [secret, "other-1"])
      const own = tools.pipe(Toolset.masked, Toolset.provide(Secrets.layer(Redacted.make("other-1"))))
      const result = yield* Toolset.call(own, "a", {}).pipe(Effect.provide(secrets))
      assert.deepStrictEqual(result, [secret, "***"])
    })
  )

  it.effect("hides what is registered while the toolset is open", () =>
    Effect.gen(function* () {
      const { register } = yield* Secrets
      const session = yield* Toolset.open(answering("a", "late-secret").pipe(Toolset.masked))
      assert.strictEqual(yield* session.call("a", {}), "late-secret")
      yield* register(Redacted.make("late-secret"))
      assert.strictEqual(yield* session.call("a", {}), "***")
    }).pipe(Effect.provide(secrets))
  )

  it.effect("changes no definition, no name and no service of the call", () =>
    Effect.gen(function* () {
      class Name extends Context.Service<Name, string>()("test/masked/Name") {}
      const tools = Toolset.tool("a", {
        handler: () =>
          Effect.gen(function* () {
            const { exposedName, name } = yield* ToolCall
            return [yield* Name, name, exposedName, (yield* RunContext).step]
          })
      })
      const [before] = yield* Effect.provideService(Toolset.list(tools), Name, "x")
      const masked = tools.pipe(Toolset.masked)
      const [after] = yield* Effect.provideService(Toolset.list(masked), Name, "x")
      assert.strictEqual(before, after)
      const prefixed = Toolset.prefixed(masked, "p")
      assert.deepStrictEqual(yield* names(Toolset.provide(prefixed, Context.make(Name, "x"))), ["p_a"])
      const result = yield* inRunOf({ step: 3 })(Toolset.call(prefixed, "p_a", {})).pipe(
        Effect.provideService(Name, "Ada")
      )
      assert.deepStrictEqual(result, ["Ada", "a", "p_a", 3])
      const asks = answering("b").pipe(Toolset.approvalRequired(), Toolset.masked)
      assert.strictEqual(yield* tag(Toolset.call(asks, "b", {})), "ApprovalRequired")
      assert.strictEqual(yield* approved(Toolset.call(asks, "b", {})), "b")
    }).pipe(Effect.provide(secrets))
  )
})
