/** What a model is told of methods, what it may send, and what it reads. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { Agent, ModelRetry, ServiceToolset, Toolset } from "effect-toolset"
import { ScriptedModel } from "effect-toolset/testing"
import { names, tag } from "./asking.ts"

const Bucket = Schema.String.annotate({ description: "Where to look." })

/** A toolset of one method, which says what it was called with. */
const echoing = (parameters: Schema.Codec<any, any>) => {
  const calls: Array<unknown> = []
  const client = { echo: (args: any): unknown => (calls.push(args), args) }
  return { calls, tools: ServiceToolset.make(client, { methods: { echo: { parameters } } }) }
}
const first = <E, R>(self: Toolset.Toolset<E, R>) => Effect.map(Toolset.list(self), ([tool]) => tool!)
const refusal = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(call), (error) => {
    assert.instanceOf(error, ModelRetry)
    return [error.reason, error.message]
  })

describe("what a model is told of a method", () => {
  it.effect("is what its parameters are described by, each and together (F49)", () =>
    Effect.gen(function* () {
      const { tools } = echoing(
        Schema.Struct({ bucket: Bucket, limit: Schema.Int }).annotate({ description: "Lists what is in it." })
      )
      const { description, parameters } = yield* first(tools)
      assert.strictEqual(description, "Lists what is in it.")
      assert.deepInclude((parameters.properties as Record<string, unknown>).bucket, {
        type: "string",
        description: "Where to look."
      })
    })
  )

  it.effect("is its own description before that of its parameters, also an empty one", () =>
    Effect.gen(function* () {
      const parameters = Schema.Struct({}).annotate({ description: "Of the schema." })
      const client = { a: (_: {}) => 1, b: (_: {}) => 1, c: (_: {}) => 1 }
      const tools = ServiceToolset.make(client, {
        methods: {
          a: { parameters, description: "Its own." },
          b: { parameters, description: "" },
          c: { parameters }
        }
      })
      assert.deepStrictEqual(
        (yield* Toolset.list(tools)).map((tool) => tool.description),
        ["Its own.", "", "Of the schema."]
      )
    })
  )
})

describe("what a model may send", () => {
  it.effect("leaves out what has a default, which the method is given (F50)", () =>
    Effect.gen(function* () {
      const { calls, tools } = echoing(
        Schema.Struct({
          bucket: Bucket,
          limit: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(10)))
        })
      )
      assert.deepStrictEqual((yield* first(tools)).parameters.required, ["bucket"])
      yield* Toolset.call(tools, "echo", { bucket: "b" })
      assert.deepStrictEqual(calls, [{ bucket: "b", limit: 10 }])
    })
  )

  it.effect("has nothing else in it, unless the schema is open (F50)", () =>
    Effect.gen(function* () {
      const closed = echoing(Schema.Struct({ bucket: Bucket }))
      assert.deepStrictEqual(
        yield* refusal(Toolset.call(closed.tools, "echo", { bucket: "b", region: "eu" })),
        ["arguments", `Invalid arguments: Expected no excess property\n  at ["region"]`]
      )
      assert.deepStrictEqual(closed.calls, [])
      const open = echoing(
        Schema.StructWithRest(Schema.Struct({ bucket: Bucket }), [Schema.Record(Schema.String, Schema.Json)])
      )
      const args = { bucket: "b", region: "eu", tags: ["a"] }
      assert.deepStrictEqual(yield* Toolset.call(open.tools, "echo", args), args)
    })
  )

  it.effect("is base64 where bytes are taken, and says which parameter is not (F51)", () =>
    Effect.gen(function* () {
      const { calls, tools } = echoing(Schema.Struct({ blob: Schema.Uint8ArrayFromBase64 }))
      assert.deepInclude(((yield* first(tools)).parameters.properties as Record<string, unknown>).blob, {
        type: "string",
        contentEncoding: "base64"
      })
      assert.deepStrictEqual(yield* refusal(Toolset.call(tools, "echo", { blob: "???" })), [
        "arguments",
        `Invalid arguments: Expected a valid Base64 string\n  at ["blob"]`
      ])
      assert.deepStrictEqual(calls, [])
      yield* Effect.ignore(Toolset.call(tools, "echo", { blob: "AAEC" }))
      assert.deepStrictEqual(calls, [{ blob: new Uint8Array([0, 1, 2]) }])
    })
  )

  it.effect("is bound by a pattern, which it sees: no value leads to another URL (f14)", () =>
    Effect.gen(function* () {
      const { calls, tools } = echoing(
        Schema.Struct({ zone: Schema.String.check(Schema.isPattern(/^[a-z]+$/u)) })
      )
      assert.deepInclude(((yield* first(tools)).parameters.properties as Record<string, unknown>).zone, {
        pattern: "^[a-z]+$"
      })
      for (const zone of ["../admin", "eu/..", "eu?x=1", "", "eu\n"]) {
        const [reason, message] = yield* refusal(Toolset.call(tools, "echo", { zone }))
        assert.strictEqual(reason, "arguments")
        assert.include(message, `["zone"]`)
      }
      assert.deepStrictEqual(calls, [])
    })
  )
})

describe("what a model reads", () => {
  it.effect("is what the method gives: text as it is, nothing as null, the rest as JSON (F52)", () =>
    Effect.gen(function* () {
      const values = { nothing: undefined, text: "x", list: [1], date: new Date(0) }
      const client = {
        nothing: () => values.nothing,
        text: () => values.text,
        list: async () => values.list,
        date: () => values.date
      }
      const tools = ServiceToolset.make(client, { methods: { nothing: {}, text: {}, list: {}, date: {} } })
      for (const [name, value] of Object.entries({
        nothing: null,
        text: "x",
        list: [1],
        date: "1970-01-01T00:00:00.000Z"
      })) {
        assert.deepStrictEqual(yield* Toolset.call(tools, name, {}), value)
      }
    })
  )

  it.effect(
    "is which value was wrong where nothing was found; every other answer ends the run (f18, f45)",
    () =>
      Effect.gen(function* () {
        class Answered extends Schema.TaggedError<Answered>()("Answered", {
          status: Schema.Int,
          zone: Schema.String
        }) {}
        const client = {
          sensor: ({ zone }: { readonly zone: string }): Effect.Effect<number, Answered> =>
            zone === "eu"
              ? Effect.succeed(21)
              : Effect.fail(new Answered({ status: zone === "xx" ? 404 : 500, zone }))
        }
        const tools = ServiceToolset.make(client, {
          methods: { sensor: { parameters: Schema.Struct({ zone: Schema.String }) } }
        }).pipe(
          Toolset.catchTags({
            Answered: (error) =>
              error.status === 404 ? new ModelRetry({ message: `There is no zone '${error.zone}'.` }) : error
          })
        )
        const run = (...zones: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            const exit = yield* Effect.result(Agent.run(Agent.make({ toolsets: [tools] }), { prompt: "go" }))
            return { exit, requests: (yield* ScriptedModel.requests).length }
          }).pipe(
            Effect.provide(
              ScriptedModel.layer([
                ...zones.map((zone) => ScriptedModel.calls({ sensor: { zone } })),
                ScriptedModel.text("done")
              ])
            )
          )
        const mended = yield* run("xx", "eu")
        assert.isTrue(mended.exit._tag === "Success" && mended.exit.success.output === "done")
        assert.include(
          mended.exit._tag === "Success" ? JSON.stringify(mended.exit.success.messages) : "",
          "There is no zone 'xx'."
        )
        const ended = yield* run("yy")
        assert.deepStrictEqual(
          ended.exit._tag === "Failure" && ended.exit.failure,
          new Answered({ status: 500, zone: "yy" })
        )
        assert.strictEqual(ended.requests, 1)
      })
  )
})

describe("a connection for each", () => {
  it.effect("has an id of its own, and leaves what it is made of as it was (F53)", () =>
    Effect.gen(function* () {
      class Store extends Context.Service<Store, { readonly list: () => ReadonlyArray<string> }>()(
        "test/serviceCases/Store"
      ) {}
      const store = ServiceToolset.make(Store, { methods: { list: {} } })
      const at = (tenant: string) =>
        store.pipe(
          Toolset.provide(Layer.succeed(Store, { list: () => [tenant] })),
          Toolset.withId(`store-${tenant}`)
        )
      const one = at("one").pipe(
        Toolset.prefixed("a"),
        Toolset.filtered(() => true)
      )
      const other = at("two").pipe(Toolset.prefixed("b"))
      assert.deepStrictEqual([store.id, one.id, other.id], [undefined, "store-one", "store-two"])
      const both = Toolset.combined(one, other)
      assert.deepStrictEqual(yield* names(both), ["a_list", "b_list"])
      assert.deepStrictEqual(yield* Toolset.call(both, "a_list", {}), ["one"])
      assert.deepStrictEqual(yield* Toolset.call(both, "b_list", {}), ["two"])
      // Nobody has given the one that all are made of a connection.
      const unconnected = store as Toolset.Toolset<ServiceToolset.MethodFailed>
      assert.strictEqual(yield* Effect.isFailure(Effect.sandbox(Toolset.call(unconnected, "list", {}))), true)
      assert.strictEqual(yield* tag(Toolset.call(both, "list", {})), "ToolNotFound")
    })
  )
})
