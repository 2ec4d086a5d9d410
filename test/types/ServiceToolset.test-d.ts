import { Context, Effect, Schema } from "effect"
import { ServiceToolset, ToolFailed, Toolset } from "effect-toolset"
import { describe, expectTypeOf, it } from "vitest"
import { Db, Fatal, Log, Needs } from "./fixtures.ts"

class Store extends Context.Service<
  Store,
  {
    readonly listKeys: (bucket: string, limit?: number) => Effect.Effect<ReadonlyArray<string>, Fatal, Db>
    readonly get: (options: { readonly id: string }) => Promise<number>
    readonly refuse: () => Effect.Effect<string, ToolFailed>
    readonly ping: () => string
    readonly region: string
  }
>()("types/Store") {}

const Bucket = Schema.Struct({ bucket: Schema.String, limit: Schema.optional(Schema.Int) })
const Id = Schema.Struct({ id: Schema.String })

describe("ServiceToolset.make", () => {
  it("has the failures and services of the methods that it exposes", () => {
    const all = ServiceToolset.make(Store, {
      methods: {
        listKeys: {
          parameters: Bucket,
          arguments: ["bucket", "limit"],
          success: Schema.Array(Schema.String)
        },
        get: { description: "Gets.", parameters: Id, success: Schema.Finite },
        refuse: {},
        ping: {}
      },
      prefix: "s3"
    })
    expectTypeOf(all).toEqualTypeOf<Toolset.Toolset<Fatal | ServiceToolset.MethodFailed, Store | Db>>()
    const one = ServiceToolset.make(Store, { methods: { refuse: { metadata: { team: "a" } } } })
    // Also what gives an Effect may throw before it does.
    expectTypeOf(one).toEqualTypeOf<Toolset.Toolset<ServiceToolset.MethodFailed, Store>>()
  })

  it("takes the object itself, or an effect of it", () => {
    const client = { double: (n: number) => n * 2, name: "x" }
    const options = {
      methods: { double: { parameters: Schema.Struct({ n: Schema.Int }), arguments: ["n"] } }
    } as const
    expectTypeOf(ServiceToolset.make(client, options)).toEqualTypeOf<
      Toolset.Toolset<ServiceToolset.MethodFailed>
    >()
    const connected = Effect.gen(function* () {
      yield* Log
      yield* Effect.addFinalizer(() => Effect.void)
      if (client.name === "") return yield* new Fatal()
      return client
    })
    expectTypeOf(ServiceToolset.make(connected, options)).toEqualTypeOf<
      Toolset.Toolset<Fatal | ServiceToolset.MethodFailed, Log>
    >()
  })

  it("needs what its schemas need", () => {
    const tools = ServiceToolset.make(
      { echo: (id: string) => Effect.succeed(id) },
      { methods: { echo: { parameters: Schema.Struct({ id: Needs }), arguments: ["id"], success: Needs } } }
    )
    expectTypeOf(tools).toEqualTypeOf<Toolset.Toolset<ServiceToolset.MethodFailed, Db | Log>>()
  })

  it("exposes methods, and nothing else", () => {
    // @ts-expect-error there is no such method
    ServiceToolset.make(Store, { methods: { nope: {} } })
    // @ts-expect-error a region cannot be called
    ServiceToolset.make(Store, { methods: { region: {} } })
  })

  it("gives a method what it takes", () => {
    // @ts-expect-error it takes a bucket
    ServiceToolset.make(Store, { methods: { listKeys: {} } })
    // @ts-expect-error it takes strings one after the other, not an object
    ServiceToolset.make(Store, { methods: { listKeys: { parameters: Bucket } } })
    // @ts-expect-error there is no such parameter
    ServiceToolset.make(Store, { methods: { listKeys: { parameters: Bucket, arguments: ["buket"] } } })
    // @ts-expect-error a limit is no bucket
    ServiceToolset.make(Store, { methods: { listKeys: { parameters: Bucket, arguments: ["limit"] } } })
    // @ts-expect-error it takes an object with an id
    ServiceToolset.make(Store, { methods: { get: { parameters: Bucket } } })
    // @ts-expect-error a model sends an object
    ServiceToolset.make(Store, { methods: { ping: { parameters: Schema.String } } })
    ServiceToolset.make(Store, { methods: { listKeys: { parameters: Bucket, arguments: ["bucket"] } } })
  })

  it("takes what a method gives", () => {
    // @ts-expect-error it gives a number
    ServiceToolset.make(Store, { methods: { get: { parameters: Id, success: Schema.String } } })
    // @ts-expect-error it gives a text
    ServiceToolset.make(Store, { methods: { ping: { success: Schema.Finite } } })
    ServiceToolset.make(Store, { methods: { ping: { success: Schema.Unknown } } })
  })
})
