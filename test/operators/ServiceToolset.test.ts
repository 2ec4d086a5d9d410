import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, LayerMap, Schema } from "effect"
import { Agent, ModelRetry, ServiceToolset, Toolset } from "effect-toolset"
import { TestModel } from "effect-toolset/testing"
import { Broken, failed, flaw, names, tag } from "./asking.ts"

class Store extends Context.Service<
  Store,
  {
    readonly listKeys: (bucket: string, limit?: number) => Effect.Effect<ReadonlyArray<string>, Broken>
    readonly drop: (bucket: string) => Effect.Effect<void>
  }
>()("test/Store") {}

const storeOf = (name: string) => ({
  listKeys: (bucket: string, limit = 2) =>
    bucket === "broken"
      ? Effect.fail(new Broken({ who: name }))
      : Effect.succeed([`${name}/${bucket}/a`, `${name}/${bucket}/b`].slice(0, limit)),
  drop: () => Effect.void
})
const listKeys = {
  parameters: Schema.Struct({ bucket: Schema.String, limit: Schema.optionalKey(Schema.Int) }),
  arguments: ["bucket", "limit"]
} as const
const store = ServiceToolset.make(Store, { methods: { listKeys } })
const inStore = (name: string) => Effect.provideService(Store, storeOf(name))

/** A client as other libraries have them: classes, promises, `this`. */
class Client {
  #calls = 0
  readonly kind = "client"
  readonly base: string
  constructor(base: string) {
    this.base = base
  }
  now() {
    return `${this.base} ${++this.#calls}`
  }
  async fetch({ id }: { readonly id: number }) {
    await Promise.resolve()
    if (id < 0) throw new RangeError(`${id} is no id`)
    return { id, base: this.base }
  }
  explode(): number {
    throw new TypeError("boom")
  }
  retry() {
    return Effect.fail(new ModelRetry({ message: "another one" }))
  }
  nothing() {}
  bytes(data: Uint8Array) {
    return data.length
  }
}

const client = ServiceToolset.make(new Client("here"), {
  methods: {
    now: {},
    fetch: { description: "Fetches.", parameters: Schema.Struct({ id: Schema.Int }) },
    explode: {},
    retry: {},
    nothing: {},
    bytes: { parameters: Schema.Struct({ data: Schema.Uint8ArrayFromBase64 }), arguments: ["data"] }
  }
})
const call = (name: string, args: unknown = {}) => Toolset.call(client, name, args)

describe("ServiceToolset", () => {
  it.effect("exposes the listed methods, and no others", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* inStore("x")(names(store)), ["listKeys"])
    })
  )

  it.effect("calls methods with their arguments, in order, or with one object", () =>
    Effect.gen(function* () {
      const list = (args: object) => inStore("x")(Toolset.call(store, "listKeys", args))
      assert.deepStrictEqual(yield* list({ bucket: "b" }), ["x/b/a", "x/b/b"])
      assert.deepStrictEqual(yield* list({ limit: 1, bucket: "b" }), ["x/b/a"])
      assert.deepStrictEqual(yield* call("fetch", { id: 1 }), { id: 1, base: "here" })
    })
  )

  it.effect("takes values, promises and effects, with `this` bound; nothing is null (F52)", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* call("now"), "here 1")
      assert.strictEqual(yield* call("now"), "here 2")
      assert.strictEqual(yield* call("nothing"), null)
      assert.strictEqual(yield* tag(call("retry")), "ModelRetry")
    })
  )

  it.effect("validates arguments before the method is called (F51)", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* tag(call("fetch", {})), "ModelRetry")
      assert.strictEqual(yield* tag(call("fetch", { id: 1, other: 2 })), "ModelRetry")
      assert.strictEqual(yield* call("bytes", { data: "AAEC" }), 3)
      assert.strictEqual(yield* tag(call("bytes", { data: "???" })), "ModelRetry")
    })
  )

  it.effect("fails with what a method throws or rejects with, and with the failures of an effect", () =>
    Effect.gen(function* () {
      for (const [name, args, message] of [
        ["fetch", { id: -1 }, "fetch failed: -1 is no id"],
        ["explode", {}, "explode failed: boom"]
      ] as const) {
        const error = yield* Effect.flip(call(name, args))
        assert.instanceOf(error, ServiceToolset.MethodFailed)
        assert.strictEqual(error.message, message)
      }
      assert.strictEqual(
        yield* tag(inStore("x")(Toolset.call(store, "listKeys", { bucket: "broken" }))),
        "Broken"
      )
      const calm = client.pipe(Toolset.catchTags({ MethodFailed: "recover" }))
      assert.strictEqual(yield* failed(Toolset.call(calm, "explode", {})), "explode failed: boom")
    })
  )

  it.effect("describes a method by its name in words, where nothing else is given (F47)", () =>
    Effect.gen(function* () {
      const noop = () => 1
      const tools = ServiceToolset.make(
        { listKeys: noop, no_docstring: noop, now: noop, described: noop },
        { methods: { listKeys: {}, no_docstring: {}, now: {}, described: { description: "Said." } } }
      )
      assert.deepStrictEqual(
        (yield* Toolset.list(tools)).map((tool) => tool.description),
        ["List keys", "No docstring", "Now", "Said."]
      )
    })
  )

  it.effect("can have a prefix, metadata and annotations (F46)", () =>
    Effect.gen(function* () {
      const tools = ServiceToolset.make(new Client("x"), {
        prefix: "s3",
        methods: { now: { metadata: { a: 1 } }, nothing: {} }
      })
      const [now, nothing] = yield* Toolset.list(tools)
      assert.deepStrictEqual([now!.name, now!.metadata, nothing!.name], ["s3_now", { a: 1 }, "s3_nothing"])
      assert.strictEqual(yield* Toolset.call(tools, "s3_now", {}), "x 1")
    })
  )

  it.effect(
    "finds a list without methods, an unknown method, and what is none, when it is opened (F45)",
    () =>
      Effect.gen(function* () {
        const service = { a: 1, b: () => 2 }
        // What the types would not let through.
        const make = ServiceToolset.make as (service: object, options: object) => Toolset.Toolset
        const of = (methods: object) => flaw(Toolset.list(make(service, { methods })))
        assert.deepStrictEqual(yield* of({}), ["service", "It exposes no method."])
        assert.deepStrictEqual(yield* of({ b: {}, c: {} }), ["service", "The service has no method 'c'."])
        assert.deepStrictEqual(yield* of({ a: {} }), ["service", "'a' of the service is no method."])
      })
  )

  it.effect("has the same definitions in every run", () =>
    Effect.gen(function* () {
      const [one] = yield* inStore("x")(Toolset.list(store))
      const [other] = yield* inStore("y")(Toolset.list(store))
      assert.strictEqual(one, other)
    })
  )

  it.effect(
    "takes its connection from the environment of each run, and never changes what is shared (F53)",
    () =>
      Effect.gen(function* () {
        const at = (name: string) =>
          store.pipe(Toolset.prefixed(name), Toolset.provide(Layer.succeed(Store, storeOf(name))))
        const both = Toolset.combined(at("x"), at("y").pipe(Toolset.filtered(() => true)))
        const session = yield* Toolset.open(both)
        assert.deepStrictEqual(yield* session.call("x_listKeys", { bucket: "b" }), ["x/b/a", "x/b/b"])
        assert.deepStrictEqual(yield* session.call("y_listKeys", { bucket: "b" }), ["y/b/a", "y/b/b"])
      })
  )

  it.effect("takes a connection for each tenant from a LayerMap, closed with the run", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const connections = yield* LayerMap.make((tenant: string) =>
        Layer.effect(
          Store,
          Effect.acquireRelease(
            Effect.sync(() => {
              events.push(`open ${tenant}`)
              return storeOf(tenant)
            }),
            () => Effect.sync(() => events.push(`close ${tenant}`))
          )
        )
      )
      const run = (tenant: string) =>
        Effect.map(
          Agent.run(Agent.make({ toolsets: [store.pipe(Toolset.provide(connections.get(tenant)))] }), {
            prompt: "go"
          }),
          ({ output }) => output
        )
      assert.strictEqual(yield* run("one"), `{"listKeys":["one/a/a","one/a/b"]}`)
      assert.strictEqual(yield* run("two"), `{"listKeys":["two/a/a","two/a/b"]}`)
      assert.deepStrictEqual(events, ["open one", "close one", "open two", "close two"])
    }).pipe(Effect.provide(TestModel.layer()))
  )

  it.effect("opens an effect of a client with the run", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const connect = Effect.acquireRelease(
        Effect.sync(() => (events.push("open"), new Client("c"))),
        () => Effect.sync(() => events.push("close"))
      )
      const tools = ServiceToolset.make(connect, { methods: { now: {} } })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* Toolset.open(tools)
          assert.strictEqual(yield* session.call("now", {}), "c 1")
          assert.strictEqual(yield* session.call("now", {}), "c 2")
        })
      )
      assert.deepStrictEqual(events, ["open", "close"])
      const refused = Effect.as(Effect.fail("down" as const), new Client("c"))
      const down = ServiceToolset.make(refused, { methods: { now: {} } })
      assert.strictEqual(yield* tag(Toolset.list(down)), "down")
    })
  )

  it.effect("knows what a method throws before it gives its Effect, in the type too", () =>
    Effect.gen(function* () {
      const broken = {
        get: (): Effect.Effect<string> => {
          throw new Error("no connection")
        }
      }
      const tools = ServiceToolset.make(broken, { methods: { get: {} } })
      const error = yield* Effect.flip(Toolset.call(tools, "get", {}))
      assert.strictEqual(error.message, "get failed: no connection")
      const calm: Toolset.Toolset = tools.pipe(Toolset.catchTags({ MethodFailed: "recover" }))
      assert.strictEqual((yield* Effect.flip(Toolset.call(calm, "get", {})))._tag, "ToolFailed")
    })
  )
})
